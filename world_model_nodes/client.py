# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The world model, for any rclpy node that wants to use it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from nav_msgs.msg import Odometry
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import String

from world_model_core.ball.estimate import BallSource
from world_model_core.ball.parameters import BallParameters
from world_model_core.ball.predictor import BallPredictor
from world_model_core.documents import kick_of, models_of, parse
from world_model_core.errors import WorldModelError
from world_model_nodes.convert import ball_of, robots_of
from world_model_nodes.qos import LISTEN, STATE

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node

    from world_model_core.ball.estimate import BallState
    from world_model_core.ball.predictor import Prediction
    from world_model_core.robots.estimate import Robots


class WorldModelClient:
    """
    Keeps the latest of ball, robots and game, and predicts on demand.

    Positions are in the frame of the topics [m], instants in nanoseconds of ROS time.

    Parameters
    ----------
    node : Node
        Whose names, remappings and executor are used.
    parameters : BallParameters, optional
        The ball's constants, as long as vision does not send them.
    on_ball : callable, optional
        Called with each new BallState.

    Attributes
    ----------
    ball : BallState or None
        None while nobody has an idea where it is.
    source : BallSource
        What `ball` rests on.
    robots : Robots or None
    game, field : dict or None
        As by game.schema.json and field.schema.json.
    dropped : Counter
        Messages that could not be read, by topic.

    """

    def __init__(
        self,
        node: Node,
        parameters: BallParameters | None = None,
        on_ball: Callable[[BallState], object] | None = None,
    ) -> None:
        self._node = node
        self._configured = parameters or BallParameters()
        self._predictor = BallPredictor(self._configured)
        self._on_ball = on_ball
        self.ball: BallState | None = None
        self.source = BallSource.NONE
        self.robots: Robots | None = None
        self.game: dict[str, Any] | None = None
        self.field: dict[str, Any] | None = None
        self.dropped: Counter[str] = Counter()
        node.create_subscription(Odometry, 'ball', self._hear_ball, LISTEN)
        node.create_subscription(String, 'ball/source', self._hear_source, STATE)
        node.create_subscription(String, 'ball/kick', self._hear_kick, LISTEN)
        node.create_subscription(MultiDOFJointState, 'robots', self._hear_robots, LISTEN)
        node.create_subscription(String, 'game', self._hear_game, STATE)
        node.create_subscription(String, 'field', self._hear_field, STATE)

    @property
    def parameters(self) -> BallParameters:
        """The ball's constants in use: vision's where it sends them."""
        return self._predictor.parameters

    def configure(self, parameters: BallParameters) -> None:
        """Go on with other constants, where vision does not send them."""
        self._predictor.replace_parameters(self._with_models(parameters, self.field))
        self._configured = parameters

    def predict(self) -> Prediction | None:
        """Follow the latest ball to its rest; None when there is no ball."""
        return None if self.ball is None else self._predictor.predict(self.ball)

    def _hear_ball(self, message: Odometry) -> None:
        try:
            self.ball = ball_of(message)
        except WorldModelError as error:
            self._refuse('ball', error)
            return
        if self._on_ball is not None:
            self._on_ball(self.ball)

    def _hear_source(self, message: String) -> None:
        try:
            self.source = BallSource(message.data)
        except ValueError:
            self.dropped['ball/source'] += 1
            return
        if self.source is BallSource.NONE:
            self.ball = None

    def _hear_robots(self, message: MultiDOFJointState) -> None:
        try:
            self.robots = robots_of(message)
        except WorldModelError as error:
            self._refuse('robots', error)

    def _hear_kick(self, message: String) -> None:
        try:
            self._predictor.observe_kick(kick_of(parse(message.data, 'kick')))
        except WorldModelError as error:
            self._refuse('ball/kick', error)

    def _hear_game(self, message: String) -> None:
        try:
            self.game = parse(message.data, 'game')
        except WorldModelError as error:
            self._refuse('game', error)

    def _hear_field(self, message: String) -> None:
        try:
            field = parse(message.data, 'field')
            parameters = self._with_models(self._configured, field)
        except WorldModelError as error:
            self._refuse('field', error)
            return
        self.field = field
        if parameters != self._predictor.parameters:
            self._predictor.replace_parameters(parameters)

    def _with_models(
        self, parameters: BallParameters, field: dict[str, Any] | None
    ) -> BallParameters:
        return parameters if field is None else parameters.with_models(*models_of(field))

    def _refuse(self, topic: str, error: WorldModelError) -> None:
        self.dropped[topic] += 1
        self._node.get_logger().warning(f'{topic}: {error}', throttle_duration_sec=10.0)
