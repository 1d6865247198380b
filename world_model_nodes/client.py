# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The world model, for any rclpy node that wants to use it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nav_msgs.msg import Odometry
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import String

from world_model_core.documents import parse
from world_model_core.errors import WorldModelError
from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.ball.movement_direction import is_moving_away_from, is_moving_towards
from world_model_core.match.ball.parameters import BallParameters
from world_model_core.match.ball.phase_classifier import Phase
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.match.documents import read_ball_models, read_kick
from world_model_core.match.play.ball_possession import BallPossession
from world_model_core.match.play.interception import HORIZON, STEP, find_slacks
from world_model_core.match.play.travel_time import USUAL_LIMITS
from world_model_core.objects.documents.object_map_document import parse_map
from world_model_core.time import NANOSECONDS_PER_SECOND
from world_model_nodes.bundle.scene_queries import SceneQueries
from world_model_nodes.match.convert import ball_of, robots_of
from world_model_nodes.runtime.qos import LISTEN, STATE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray
    from rclpy.node import Node

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.estimate import BallState, Kick
    from world_model_core.match.ball.predictor import Prediction
    from world_model_core.match.play.interception import Interception, Slacks
    from world_model_core.match.play.travel_time import TravelLimits
    from world_model_core.match.robots.robot_table import Robots
    from world_model_core.match.ssl.values import RobotId
    from world_model_core.objects.values import MapObject


class WorldModelClient:
    """
    Keeps the latest of ball, robots, game, objects and scene, and predicts on demand.

    Positions are in the frame of the topics [m], instants in nanoseconds of ROS time; now is what
    the node's clock says. Without a ball what is asked of it is None, False or empty.

    Parameters
    ----------
    node : Node
        Whose names, remappings and executor are used.
    parameters : BallParameters, optional
        The ball's constants, as long as vision does not send them.
    on_ball, on_robots, on_kick : callable, optional
        Called with each new BallState, Robots or Kick, what is kept being the new one already.

    Attributes
    ----------
    ball : BallState or None
        None while nobody has an idea where it is.
    source : BallSource
        What `ball` rests on.
    kick : Kick or None
        The last one.
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
        on_robots: Callable[[Robots], object] | None = None,
        on_kick: Callable[[Kick], object] | None = None,
    ) -> None:
        self._node = node
        self._configured = parameters or BallParameters()
        self._predictor = BallPredictor(self._configured)
        self._on_ball, self._on_robots, self._on_kick = on_ball, on_robots, on_kick
        self._prediction: Prediction | None = None
        self._ownership = BallPossession()
        self.ball: BallState | None = None
        self.source = BallSource.NONE
        self.kick: Kick | None = None
        self.robots: Robots | None = None
        self.game: dict[str, Any] | None = None
        self.field: dict[str, Any] | None = None
        self.dropped: Counter[str] = Counter()
        self._objects: tuple[MapObject, ...] = ()
        self._unread_map: str | None = None
        self._ground = SceneQueries(self._refuse)
        node.create_subscription(Odometry, 'ball', self._hear_ball, LISTEN)
        node.create_subscription(String, 'ball/source', self._hear_source, STATE)
        node.create_subscription(String, 'ball/kick', self._hear_kick, LISTEN)
        node.create_subscription(MultiDOFJointState, 'robots', self._hear_robots, LISTEN)
        node.create_subscription(String, 'game', self._hear_game, STATE)
        node.create_subscription(String, 'field', self._hear_field, STATE)
        node.create_subscription(String, 'object_map', self._hear_objects, STATE)
        node.create_subscription(String, 'scene', self._ground.hear, STATE)

    @property
    def parameters(self) -> BallParameters:
        """The ball's constants in use: vision's where it sends them."""
        return self._predictor.parameters

    @property
    def owner(self) -> RobotId | None:
        """The robot that has the ball; None when it is free."""
        return self._ownership.owner

    @property
    def objects(self) -> tuple[MapObject, ...]:
        """The objects of the map, missing ones too; empty where there is none."""
        if self._unread_map is not None:  # read on demand: it may be long, and few ask for it
            text, self._unread_map = self._unread_map, None
            try:
                self._objects = parse_map(text).objects
            except WorldModelError as error:
                self._refuse('object_map', error)
        return self._objects

    @property
    def scene(self) -> dict[str, Any] | None:
        """The scene, as by scene.schema.json; None while there is none."""
        return self._ground.scene

    def heights_at(self, points: ArrayLike) -> Array | None:
        """Look up the ground [m] at points (..., 2) in the map; None without a scene."""
        return self._ground.heights_at(points)

    def drivable_at(self, points: ArrayLike) -> NDArray[np.bool_] | None:
        """Tell at which points (..., 2) in the map one may drive; None without a scene."""
        return self._ground.drivable_at(points)

    def distance_to_edge(self, points: ArrayLike) -> Array | None:
        """
        Measure how far points (..., 2) are from the edge of the drivable area [m].

        Positive in it, negative beyond it; None without a scene.
        """
        return self._ground.distance_to_edge(points)

    def configure(self, parameters: BallParameters) -> None:
        """Go on with other constants, where vision does not send them."""
        self._replace_parameters(self._with_models(parameters, self.field))
        self._configured = parameters

    def predict(self) -> Prediction | None:
        """Follow the latest ball to its rest."""
        if self._prediction is None and self.ball is not None:
            self._prediction = self._predictor.predict(self.ball)
        return self._prediction

    def predict_at(self, stamp_ns: int) -> BallState | None:
        """Predict the ball with its covariance at an instant [ns]."""
        ball, prediction = self.ball, self.predict()
        if ball is None or prediction is None:
            return None
        position, velocity = prediction.at(stamp_ns)
        elapsed = [(stamp_ns - ball.stamp_ns) / NANOSECONDS_PER_SECOND]
        (covariance,) = prediction.trajectory.covariances_at(elapsed, ball.covariance)
        return replace(
            ball,
            stamp_ns=stamp_ns,
            position=position,
            velocity=velocity,
            covariance=covariance,
        )

    def ball_now(self) -> BallState | None:
        """Predict the ball from its camera's instant to now."""
        return self.predict_at(self._now_ns())

    def is_moving(self) -> bool:
        """Tell whether the ball rolls or flies, with hysteresis."""
        prediction = self.predict()
        return prediction is not None and prediction.phase is not Phase.STOPPED

    def is_stopped(self) -> bool:
        """Tell whether there is a ball that does not move."""
        return self.ball is not None and not self.is_moving()

    def is_moving_towards(self, point: Sequence[float] | Array) -> bool:
        """Tell whether the ball moves towards a point (x, y) [m], within 60 degrees."""
        return self.ball is not None and is_moving_towards(self.ball, point)

    def is_moving_away_from(self, point: Sequence[float] | Array) -> bool:
        """Tell whether the ball moves away from a point (x, y) [m], within 60 degrees."""
        return self.ball is not None and is_moving_away_from(self.ball, point)

    def slacks(
        self,
        limits: TravelLimits = USUAL_LIMITS,
        *,
        horizon: float = HORIZON,
        step: float = STEP,
    ) -> Slacks | None:
        """Find how much time each robot has to spare wherever the ball comes from now on."""
        prediction = self.predict()
        if prediction is None or self.robots is None:
            return None
        return find_slacks(
            prediction, self.robots, self._now_ns(), limits, horizon=horizon, step=step
        )

    def interceptions(
        self,
        limits: TravelLimits = USUAL_LIMITS,
        *,
        horizon: float = HORIZON,
        step: float = STEP,
    ) -> dict[RobotId, Interception]:
        """Find where each robot that can meet the ball within the horizon first meets it."""
        slacks = self.slacks(limits, horizon=horizon, step=step)
        return {} if slacks is None else slacks.first()

    def _now_ns(self) -> int:
        return int(self._node.get_clock().now().nanoseconds)

    def _replace_parameters(self, parameters: BallParameters) -> None:
        self._predictor.replace_parameters(parameters)
        self._prediction = None

    def _hear_ball(self, message: Odometry) -> None:
        try:
            self.ball = ball_of(message)
        except WorldModelError as error:
            self._refuse('ball', error)
            return
        self._prediction = None
        if self.robots is not None:
            self._ownership.update(self.ball, self.robots)
        if self._on_ball is not None:
            self._on_ball(self.ball)

    def _hear_source(self, message: String) -> None:
        try:
            self.source = BallSource(message.data)
        except ValueError:
            self.dropped['ball/source'] += 1
            return
        if self.source is BallSource.NONE:
            self.ball = self._prediction = None
            self._ownership.reset()

    def _hear_robots(self, message: MultiDOFJointState) -> None:
        try:
            self.robots = robots_of(message)
        except WorldModelError as error:
            self._refuse('robots', error)
            return
        if self._on_robots is not None:
            self._on_robots(self.robots)

    def _hear_kick(self, message: String) -> None:
        try:
            self.kick = read_kick(parse(message.data, 'kick'))
        except WorldModelError as error:
            self._refuse('ball/kick', error)
            return
        self._predictor.observe_kick(self.kick)
        self._prediction = None
        if self._on_kick is not None:
            self._on_kick(self.kick)

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
            self._replace_parameters(parameters)

    def _hear_objects(self, message: String) -> None:
        self._unread_map = message.data

    def _with_models(
        self, parameters: BallParameters, field: dict[str, Any] | None
    ) -> BallParameters:
        return parameters if field is None else parameters.with_models(*read_ball_models(field))

    def _refuse(self, topic: str, error: WorldModelError) -> None:
        self.dropped[topic] += 1
        self._node.get_logger().warning(f'{topic}: {error}', throttle_duration_sec=10.0)
