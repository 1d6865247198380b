# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Receives a match over UDP and publishes ball, robots, game and field."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.clock import Clock, ClockType
from sensor_msgs.msg import MultiDOFJointState

from world_model_core.errors import MalformedPacketError
from world_model_core.match.ball.parameters import BallConstants, BallParameters
from world_model_core.match.ball.source_selector import BallSourceParameters
from world_model_core.match.ball.tracker import BallTrackerParameters
from world_model_core.match.match import Match
from world_model_core.match.robots.tracker import RobotTrackerParameters
from world_model_core.match.ssl.tracker_packets import encode_tracker
from world_model_core.match.values import Channel, MatchChanges, MatchParameters, SourceMode
from world_model_nodes.match.convert import robot_id_of, velocities_of
from world_model_nodes.match.datagram_sender import DatagramSender
from world_model_nodes.match.match_diagnostics import TRACKER_OUTPUT, report_match
from world_model_nodes.match.publishers import MatchPublishers
from world_model_nodes.runtime.diagnostics import Diagnostics, Report
from world_model_nodes.runtime.lifecycle import AcquiringNode, run
from world_model_nodes.runtime.params import parameter
from world_model_nodes.runtime.qos import LISTEN
from world_model_nodes.runtime.udp import Endpoint, MulticastReceiver

if TYPE_CHECKING:
    from world_model_core.match.ssl.values import RobotId, TrackerPacket

# The league's ports: at the field, and those that simulators use so as not to disturb one.
REAL_PORTS = {Channel.VISION: 10006, Channel.TRACKER: 10010, Channel.REFEREE: 10003}
SIMULATION_PORTS = {Channel.VISION: 10020, Channel.TRACKER: 11010, Channel.REFEREE: 11003}
TICK_PERIOD = 0.02
WARN_PERIOD = 10.0
# What is counted without being a fault: all packets, and those that multicast brings back to us.
EXPECTED = ('.received', '.own packet')


@dataclass(frozen=True)
class SslReceiverConfig(BallConstants):
    """Parameters of ssl_receiver; the ball's constants count where vision sends none."""

    source: SourceMode = parameter(SourceMode.AUTO, 'whom to trust with ball and robots')
    tracker_source: str = parameter('', 'name or uuid of the only tracker to hear; empty: any')
    tracker_timeout: float = parameter(
        0.08, 'silence after which a tracker is missing', low=0.02, high=10.0, unit='s'
    )
    ball_life: float = parameter(
        1.0, 'how long an unseen ball is believed in', low=0.1, high=60.0, unit='s'
    )
    robot_life: float = parameter(
        2.0, 'how long an unseen robot is believed in', low=0.1, high=60.0, unit='s'
    )
    team_name: str = parameter('', "our team's name as the referee has it; empty: neutral")
    frame_id: str = parameter('field', 'frame of everything published')
    interface: str = parameter('', 'network interface to listen on; empty: all there are')
    real: bool = parameter(True, "the field's ports where a port is 0, not the simulators'")
    vision_group: str = parameter('224.5.23.2', 'multicast group of vision')
    vision_port: int = parameter(0, '0: 10006, or 10020 in simulation', low=0, high=65535)
    tracker_group: str = parameter('224.5.23.2', 'multicast group of trackers')
    tracker_port: int = parameter(0, '0: 10010, or 11010 in simulation', low=0, high=65535)
    referee_group: str = parameter('224.5.23.1', 'multicast group of the referee')
    referee_port: int = parameter(0, '0: 10003, or 11003 in simulation', low=0, high=65535)
    tracker_output: bool = parameter(False, "send our own tracking on the trackers' group")
    source_name: str = parameter('world_model', 'our name as a tracker')
    output_interface: str = parameter('lo', 'network interface to send our tracking through')
    output_ttl: int = parameter(
        0, 'routers that it may pass plus one; 0 stays here', low=0, high=255
    )
    autostart: bool = parameter(True, 'configure and activate at once')

    def endpoints(self) -> dict[Channel, Endpoint]:
        """Tell where each channel is heard."""
        ports = REAL_PORTS if self.real else SIMULATION_PORTS
        return {
            Channel.VISION: Endpoint(self.vision_group, self.vision_port or ports[Channel.VISION]),
            Channel.TRACKER: Endpoint(
                self.tracker_group, self.tracker_port or ports[Channel.TRACKER]
            ),
            Channel.REFEREE: Endpoint(
                self.referee_group, self.referee_port or ports[Channel.REFEREE]
            ),
        }

    def match_parameters(self, uuid: str) -> MatchParameters:
        """Select what the core needs; `uuid` is ours, should we send as a tracker."""
        return MatchParameters(
            mode=self.source,
            tracker_source=self.tracker_source,
            team_name=self.team_name,
            uuid=uuid if self.tracker_output else '',
            source_name=self.source_name,
            constants=BallParameters(
                **{item.name: getattr(self, item.name) for item in fields(BallConstants)}
            ),
            belief=BallSourceParameters(tracker_timeout=self.tracker_timeout, life=self.ball_life),
            ball=BallTrackerParameters(life=self.ball_life),
            robots=RobotTrackerParameters(life=self.robot_life),
        )


class SslReceiver(AcquiringNode):
    """The sockets feed one Match; what it says changed is published at once."""

    config_type = SslReceiverConfig

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('ssl_receiver', **kwargs)
        self._uuid = str(uuid4())  # of this run: to others a tracker begun anew is another one
        self._match = Match(self.config.match_parameters(self._uuid))
        self._receiver: MulticastReceiver[Channel] | None = None
        self._outlet: DatagramSender | None = None
        self._active = False
        self._announced: set[str] = set()
        self._topics = MatchPublishers(self)
        self._diagnostics = Diagnostics(self, self._report)
        self._arrival = self.create_guard_condition(self._drain)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._ticker = self.create_timer(TICK_PERIOD, self._tick, clock=steady)
        self.create_subscription(
            MultiDOFJointState, 'robot_feedback/odometry', self._hear_odometry, LISTEN
        )
        self.create_subscription(
            DiagnosticArray, 'robot_feedback/status', self._hear_status, LISTEN
        )

    def acquire(self) -> None:
        """Open the sockets; a port that is taken is tried again every second."""
        self._match = Match(self.config.match_parameters(self._uuid))
        self._announced = set()
        outlet = self._make_outlet()  # before there is a thread: it may refuse a parameter
        self._receiver = MulticastReceiver(
            self.config.endpoints(), self.config.interface, self._now, self._arrival.trigger
        )
        self._outlet = outlet

    def _make_outlet(self) -> DatagramSender | None:
        config = self.config
        if not config.tracker_output:
            return None
        group = {TRACKER_OUTPUT: config.endpoints()[Channel.TRACKER]}
        return DatagramSender(group, config.output_interface, config.output_ttl)

    def start(self) -> None:
        """Publish from now on, beginning with what was learned before."""
        self._active = True
        match = self._match
        known = MatchChanges(source=match.source, game=match.game, geometry=match.geometry)
        self._topics.publish(known, self.config.frame_id)

    def stop(self) -> None:
        """Receive, but publish nothing."""
        self._active = False

    def release(self) -> None:
        """Close the sockets."""
        if self._receiver is not None:
            self._receiver.close()
            self._receiver = None
        if self._outlet is not None:
            self._outlet.close()
            self._outlet = None

    def _now(self) -> int:
        return int(self.get_clock().now().nanoseconds)

    def _drain(self) -> None:
        if self._receiver is None:
            return
        for channel, data, received_ns in self._receiver.take():
            changes = self._match.receive(channel, data, received_ns)
            if changes.complaint is not None:
                self._warn(changes.complaint)
            if self._active:
                self._topics.publish(changes, self.config.frame_id)
                self._send(changes.tracked)

    def _send(self, tracked: TrackerPacket | None) -> None:
        if self._outlet is not None and tracked is not None:
            self._outlet.send(TRACKER_OUTPUT, encode_tracker(tracked))

    def _tick(self) -> None:
        self._drain()  # what is still waiting must not be taken for silence
        if self._active:
            self._topics.publish(self._match.tick(self._now()), self.config.frame_id)

    def _hear_odometry(self, message: MultiDOFJointState) -> None:
        try:
            self._check_frame(message.header.frame_id)
            velocities = velocities_of(message)
        except MalformedPacketError as error:
            self._refuse_feedback('robot_feedback/odometry', error)
            return
        for name, velocity in velocities.items():
            self._match.receive_odometry(name, velocity, self._now())

    def _check_frame(self, frame_id: str) -> None:
        if frame_id != self.config.frame_id:
            raise MalformedPacketError(
                f'header.frame_id is {frame_id!r}; it must be {self.config.frame_id!r}'
            )

    def _hear_status(self, message: DiagnosticArray) -> None:
        for status in message.status:
            values = {pair.key: pair.value.lower() for pair in status.values}
            try:
                self._hear_ball_sensor(robot_id_of(status.name), values)
            except MalformedPacketError as error:
                self._refuse_feedback('robot_feedback/status', error)

    def _hear_ball_sensor(self, name: RobotId, values: dict[str, str]) -> None:
        word = values.get('ball_sensor')
        if word not in {'true', 'false', '1', '0'}:
            raise MalformedPacketError(f'{name} ball_sensor is {word!r}; it must be true or false')
        self._match.receive_ball_sensor(name, word in {'true', '1'}, self._now())

    def _refuse_feedback(self, topic: str, error: MalformedPacketError) -> None:
        self._match.counters['feedback.malformed'] += 1
        self._warn(f'{topic}: {error}')

    def _warn(self, text: str) -> None:
        self.get_logger().warning(text, throttle_duration_sec=WARN_PERIOD)

    def _announce(self) -> None:
        """Log the first drop of each cause; /diagnostics has the totals."""
        for cause in sorted(self._match.counters.keys() - self._announced):
            self._announced.add(cause)
            if not cause.endswith(EXPECTED):
                self.get_logger().warning(f'packet dropped ({cause}); totals are in /diagnostics')

    def _report(self) -> Report:
        self._announce()
        channels = {} if self._receiver is None else self._receiver.status
        return report_match(self._match, channels, self._now(), self._outlet)


def main() -> None:
    """Run the node."""
    run(SslReceiver)
