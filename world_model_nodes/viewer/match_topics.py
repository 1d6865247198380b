# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The topics of a match -> MatchScene."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nav_msgs.msg import Odometry
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import String

from world_model_core.view.match import MatchScene
from world_model_core.view.pitch import Pitch
from world_model_nodes.match.match_reader import MatchReader
from world_model_nodes.runtime.qos import LISTEN, STATE
from world_model_nodes.viewer.subscriptions import SceneInputs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rclpy.node import Node

    from world_model_core.match.ball.estimate import Kick

# Either of these is published wherever a match is.
TYPES = {'ball': 'nav_msgs/msg/Odometry', 'robots': 'sensor_msgs/msg/MultiDOFJointState'}
STREAMS = ('ball', 'robots')
STATES = ('ball/source', 'ball/kick', 'game', 'field')
# The latest kicks that may still be shown.
MOST_KICKS = 16


class MatchTopics:
    """
    Subscribes to ball, kicks, robots, game and field, and predicts the ball itself.

    Attributes
    ----------
    name : str
    inputs : SceneInputs or None
        None while nothing is subscribed to.

    """

    name = 'match'

    def __init__(self) -> None:
        self.inputs: SceneInputs | None = None
        self._forget()

    def _forget(self) -> None:
        self._reader = MatchReader()
        self._kicks: dict[int, Kick] = {}
        self._pitch: Pitch | None = None
        self._scene: MatchScene | None = None
        self._made_of = 0

    def runs(self, topics: Mapping[str, Sequence[str]]) -> bool:
        """Return whether ball or robots are published."""
        return any(kind in topics.get(topic, ()) for topic, kind in TYPES.items())

    def subscribe(self, node: Node) -> None:
        """Subscribe to all topics of a match."""
        inputs, reader = SceneInputs(node, STREAMS, STATES), self._reader
        inputs.create_subscription(Odometry, 'ball', reader.read_ball, LISTEN)
        inputs.create_subscription(String, 'ball/source', self._read_source, STATE)
        inputs.create_subscription(String, 'ball/kick', self._read_kick, LISTEN)
        robots = reader.read_robots
        inputs.create_subscription(MultiDOFJointState, 'robots', robots, LISTEN, raw=True)
        inputs.create_subscription(String, 'game', reader.read_game, STATE)
        inputs.create_subscription(String, 'field', self._read_field, STATE)
        self.inputs = inputs

    def unsubscribe(self) -> None:
        """Destroy the subscriptions and forget the match."""
        if self.inputs is not None:
            self.inputs.close()
            self.inputs = None
        self._forget()

    def scene(self) -> MatchScene | None:
        """Return the newest state; the same object until another message has been used."""
        if self.inputs is None or not self.inputs.version:
            return None
        if self._made_of != self.inputs.version:
            self._made_of, self._scene = self.inputs.version, self._make()
        return self._scene

    def _make(self) -> MatchScene:
        reader = self._reader
        stamps = [each.stamp_ns for each in (reader.ball, reader.robots) if each is not None]
        return MatchScene(
            max(stamps, default=0),
            reader.ball,
            reader.source,
            reader.predict(),
            reader.robots,
            tuple(self._kicks.values()),
            reader.game,
            self._pitch,
        )

    def _read_source(self, message: String) -> None:
        self._reader.read_source(message)
        if self.inputs is not None and self._reader.ball is None:
            self.inputs.end('ball')

    def _read_kick(self, message: String) -> None:
        """Keep a kick; a better estimate replaces that with the same number."""
        self._reader.read_kick(message)
        kick = self._reader.kick
        if kick is not None:
            self._kicks.pop(kick.number, None)
            self._kicks[kick.number] = kick
            if len(self._kicks) > MOST_KICKS:
                del self._kicks[next(iter(self._kicks))]

    def _read_field(self, message: String) -> None:
        self._reader.read_field(message)
        if self._reader.size is not None:
            self._pitch = Pitch(self._reader.size)
