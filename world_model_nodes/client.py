# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""WorldModelClient: access to the world model from any rclpy node."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nav_msgs.msg import Odometry
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import String

from world_model_core.errors import WorldModelError
from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.ball.movement_direction import is_moving_away_from, is_moving_towards
from world_model_core.match.ball.phase_classifier import Phase
from world_model_core.match.play.ball_possession import BallPossession
from world_model_core.match.play.interception import HORIZON, STEP, find_slacks
from world_model_core.match.play.travel_time import USUAL_LIMITS
from world_model_core.objects.documents.object_map_document import parse_map
from world_model_core.time import NANOSECONDS_PER_SECOND
from world_model_nodes.bundle.scene_queries import SceneQueries
from world_model_nodes.match.match_reader import MatchReader
from world_model_nodes.runtime.drop_counters import DropCounters
from world_model_nodes.runtime.input_ages import InputAges
from world_model_nodes.runtime.qos import LISTEN, STATE

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray
    from rclpy.node import Node

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.ball_constants import BallParameters
    from world_model_core.match.ball.estimate import BallState, Kick
    from world_model_core.match.ball.predictor import Prediction
    from world_model_core.match.play.interception import Interception, Slacks
    from world_model_core.match.play.travel_time import TravelLimits
    from world_model_core.match.robots.robot_table import Robots
    from world_model_core.match.ssl.robot_id import RobotId
    from world_model_core.objects.values import MapObject

# Topics that become stale, and topics that are published when their content changes.
STREAMS = ('ball', 'robots')
STATES = ('ball/source', 'ball/kick', 'game', 'field', 'object_map', 'scene')


class WorldModelClient:
    """
    Subscribes to ball, robots, game, objects and scene, and predicts the ball on demand.

    Positions are in the frame of the topics [m], times in nanoseconds of ROS time, and "now" is
    the time of the node's clock. Without a ball, methods return None, False or an empty result.

    Parameters
    ----------
    node : Node
        The node whose namespace, remappings and executor are used.
    parameters : BallParameters, optional
        Constants of the ball, used until vision sends its own.
    on_ball, on_robots, on_kick : callable, optional
        Called with each new BallState, Robots or Kick, after the attributes have been updated.

    Attributes
    ----------
    inputs : InputAges
        Ages of the topics, for the diagnostics of the node.
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
        self._match = MatchReader(parameters)
        self._on_ball, self._on_robots, self._on_kick = on_ball, on_robots, on_kick
        self._possession = BallPossession()
        self.inputs = InputAges(node, STREAMS, STATES)
        self._drops = DropCounters(node, self.inputs.refuse)
        self._objects: tuple[MapObject, ...] = ()
        self._unparsed_map: str | None = None
        self._ground = SceneQueries(self._drop)
        node.create_subscription(Odometry, 'ball', self._receive_ball, LISTEN)
        node.create_subscription(String, 'ball/source', self._receive_source, STATE)
        node.create_subscription(String, 'ball/kick', self._receive_kick, LISTEN)
        node.create_subscription(
            MultiDOFJointState, 'robots', self._receive_robots, LISTEN, raw=True
        )
        node.create_subscription(String, 'game', self._receive_game, STATE)
        node.create_subscription(String, 'field', self._receive_field, STATE)
        node.create_subscription(String, 'object_map', self._receive_objects, STATE)
        node.create_subscription(String, 'scene', self._receive_scene, STATE)

    @property
    def ball(self) -> BallState | None:
        """The latest estimate; None while there is none."""
        return self._match.ball

    @property
    def source(self) -> BallSource:
        """Source of `ball`."""
        return self._match.source

    @property
    def kick(self) -> Kick | None:
        """The latest kick."""
        return self._match.kick

    @property
    def robots(self) -> Robots | None:
        """The latest states."""
        return self._match.robots

    @property
    def game(self) -> dict[str, Any] | None:
        """Document that follows game.schema.json."""
        return self._match.game

    @property
    def field(self) -> dict[str, Any] | None:
        """Document that follows field.schema.json."""
        return self._match.field

    @property
    def parameters(self) -> BallParameters:
        """Constants of the ball in use: those sent by vision, or else the configured ones."""
        return self._match.parameters

    @property
    def dropped(self) -> Counter[str]:
        """Number of invalid messages by topic."""
        return self._drops.counts

    @property
    def owner(self) -> RobotId | None:
        """The robot that possesses the ball; None while the ball is free."""
        return self._possession.owner

    @property
    def objects(self) -> tuple[MapObject, ...]:
        """Objects of the map, including missing ones; empty without a map."""
        if (
            self._unparsed_map is not None
        ):  # parsed on demand: it may be long, and few nodes use it
            text, self._unparsed_map = self._unparsed_map, None
            try:
                self._objects = parse_map(text).objects
            except WorldModelError as error:
                self._drop('object_map', error)
        return self._objects

    @property
    def scene(self) -> dict[str, Any] | None:
        """Scene document that follows scene.schema.json; None without a scene."""
        return self._ground.scene

    def heights_at(self, points: ArrayLike) -> Array | None:
        """Return ground heights [m] at points (..., 2) in the map frame; None without a scene."""
        return self._ground.heights_at(points)

    def drivable_at(self, points: ArrayLike) -> NDArray[np.bool_] | None:
        """Return whether points (..., 2) in the map frame are drivable; None without a scene."""
        return self._ground.drivable_at(points)

    def distance_to_edge(self, points: ArrayLike) -> Array | None:
        """
        Return the distances [m] of points (..., 2) in the map frame from the drivable area's edge.

        Positive inside the area, negative outside; None without a scene.
        """
        return self._ground.distance_to_edge(points)

    def configure(self, parameters: BallParameters) -> None:
        """Replace the configured constants of the ball; those sent by vision take precedence."""
        self._match.configure(parameters)

    def predict(self) -> Prediction | None:
        """Predict the trajectory of the latest ball until it rests."""
        return self._match.predict()

    def predict_at(self, stamp_ns: int) -> BallState | None:
        """Predict the ball with its covariance at a time [ns]."""
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
        """Predict the ball at the current time."""
        return self.predict_at(self._now_ns())

    def is_moving(self) -> bool:
        """Return whether the ball rolls or flies, with hysteresis."""
        prediction = self.predict()
        return prediction is not None and prediction.phase is not Phase.STOPPED

    def is_stopped(self) -> bool:
        """Return whether there is a ball that does not move."""
        return self.ball is not None and not self.is_moving()

    def is_moving_towards(self, point: Sequence[float] | Array) -> bool:
        """Return whether the ball moves towards a point (x, y) [m], within 60 degrees."""
        return self.ball is not None and is_moving_towards(self.ball, point)

    def is_moving_away_from(self, point: Sequence[float] | Array) -> bool:
        """Return whether the ball moves away from a point (x, y) [m], within 60 degrees."""
        return self.ball is not None and is_moving_away_from(self.ball, point)

    def slacks(
        self,
        limits: TravelLimits = USUAL_LIMITS,
        *,
        horizon: float = HORIZON,
        step: float = STEP,
    ) -> Slacks | None:
        """Return the spare time of each robot at each point of the predicted ball trajectory."""
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
        """Return the first interception of each robot that reaches the ball within the horizon."""
        slacks = self.slacks(limits, horizon=horizon, step=step)
        return {} if slacks is None else slacks.first()

    def _drop(self, topic: str, error: object) -> None:
        """Count a message that cannot be used, and log why."""
        self._drops.add(topic, error)

    def _now_ns(self) -> int:
        return int(self._node.get_clock().now().nanoseconds)

    def _use(self, topic: str, read: Callable[[Any], None], message: Any) -> bool:
        """Read a message, or drop it; return whether it has been used."""
        try:
            read(message)
        except WorldModelError as error:
            self._drop(topic, error)
            return False
        self.inputs.use(topic)
        return True

    def _receive_ball(self, message: Odometry) -> None:
        if not self._use('ball', self._match.read_ball, message) or self.ball is None:
            return
        if self.robots is not None:
            self._possession.update(self.ball, self.robots)
        if self._on_ball is not None:
            self._on_ball(self.ball)

    def _receive_source(self, message: String) -> None:
        used = self._use('ball/source', self._match.read_source, message)
        if used and self.source is BallSource.NONE:
            self.inputs.end('ball')
            self._possession.reset()

    def _receive_robots(self, data: bytes) -> None:
        used = self._use('robots', self._match.read_robots, data)
        if used and self._on_robots is not None and self.robots is not None:
            self._on_robots(self.robots)

    def _receive_kick(self, message: String) -> None:
        used = self._use('ball/kick', self._match.read_kick, message)
        if used and self._on_kick is not None and self.kick is not None:
            self._on_kick(self.kick)

    def _receive_game(self, message: String) -> None:
        self._use('game', self._match.read_game, message)

    def _receive_field(self, message: String) -> None:
        self._use('field', self._match.read_field, message)

    def _receive_objects(self, message: String) -> None:
        self._unparsed_map = message.data
        self.inputs.use('object_map')

    def _receive_scene(self, message: String) -> None:
        if self._ground.hear(message):
            self.inputs.use('scene')
