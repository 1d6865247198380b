# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Receives a match over UDP and publishes ball, robots, game and field."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from time import time_ns
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.clock import Clock, ClockType
from sensor_msgs.msg import MultiDOFJointState

from world_model_core.errors import MalformedPacketError
from world_model_core.match.ball.ball_constants import BallConstants, BallParameters
from world_model_core.match.ball.source_and_extrapolation import (
    TRACKER_TIMEOUT,
    BallSourceParameters,
)
from world_model_core.match.ball.tracker import BALL_LIFE, BallTrackerParameters
from world_model_core.match.datagram_queues import DatagramQueues
from world_model_core.match.match import Match
from world_model_core.match.output_age import OutputAges
from world_model_core.match.robots.tracker import ROBOT_LIFE, RobotTrackerParameters
from world_model_core.match.senders.allowed_senders import AllowedSenders
from world_model_core.match.ssl.tracker_packets import encode_tracker
from world_model_core.match.system_to_local_time import ClockRelation
from world_model_core.match.values import Channel, MatchChanges, MatchParameters, SourceMode
from world_model_core.time import to_nanoseconds
from world_model_nodes.match.convert import ball_sensor_of, robot_id_of, velocities_of
from world_model_nodes.match.datagram_sender import DatagramSender
from world_model_nodes.match.incumbent_file import IncumbentFile
from world_model_nodes.match.match_diagnostics import TRACKER_OUTPUT, Reception, report_match
from world_model_nodes.match.match_publishers import MatchPublishers
from world_model_nodes.match.multicast_addresses import GROUPS, REAL_PORTS, SIMULATION_PORTS
from world_model_nodes.runtime.diagnostics import Diagnostics, Report
from world_model_nodes.runtime.drop_counters import LONGEST
from world_model_nodes.runtime.input_ages import InputAges
from world_model_nodes.runtime.lifecycle import AcquiringNode, run
from world_model_nodes.runtime.params import parameter
from world_model_nodes.runtime.qos import LISTEN
from world_model_nodes.runtime.udp import Endpoint, MulticastReceiver

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from world_model_core.match.ssl.tracker_values import TrackerPacket

TICK_PERIOD = 0.02
# Of writing the senders, which a new process knows after this time [s].
SENDERS_PERIOD = 1.0
WARN_PERIOD = 10.0
# Robots of a team send one status each; more would delay the packets [entries of a message].
MOST_STATUSES = 100
# Counted, but no fault: received packets, and our own packets that multicast returns.
EXPECTED = ('.received', '.own packet')


@dataclass(frozen=True)
class SslReceiverConfig(BallConstants):
    """Parameters of ssl_receiver; the ball constants apply unless vision sends its own."""

    source: SourceMode = parameter(
        SourceMode.AUTO, 'source of ball and robot states: auto, tracker or vision'
    )
    tracker_source: str = parameter(
        '', 'name or uuid of the tracker to use; empty: the first one received'
    )
    tracker_timeout: float = parameter(
        TRACKER_TIMEOUT,
        'time without packets after which a tracker counts as lost',
        low=0.02,
        high=10.0,
        unit='s',
    )
    ball_life: float = parameter(
        BALL_LIFE, 'how long an undetected ball is kept', low=0.1, high=60.0, unit='s'
    )
    robot_life: float = parameter(
        ROBOT_LIFE, 'how long an undetected robot is kept', low=0.1, high=60.0, unit='s'
    )
    team_name: str = parameter(
        '', "our team's name in the referee packets; empty: neutral observer"
    )
    frame_id: str = parameter('field', 'frame_id of all published messages')
    max_age: float = parameter(
        0.05,
        'vision frames that waited longer are dropped; 0: none, for replays that must be complete',
        low=0.0,
        high=10.0,
        unit='s',
    )
    interface: str = parameter('', 'network interface to listen on; empty: all')
    real: bool = parameter(
        True, 'where a port is 0, use that of a real field, not that of simulators'
    )
    vision_group: str = parameter(GROUPS[Channel.VISION], 'multicast group of vision')
    vision_port: int = parameter(0, '0: 10006, or 10020 in simulation', low=0, high=65535)
    tracker_group: str = parameter(GROUPS[Channel.TRACKER], 'multicast group of trackers')
    tracker_port: int = parameter(0, '0: 10010, or 11010 in simulation', low=0, high=65535)
    referee_group: str = parameter(GROUPS[Channel.REFEREE], 'multicast group of the referee')
    referee_port: int = parameter(0, '0: 10003, or 11003 in simulation', low=0, high=65535)
    vision_senders: str = parameter(
        '', 'addresses and networks that may send vision, separated by commas; empty: all'
    )
    tracker_senders: str = parameter('', 'the same for trackers')
    referee_senders: str = parameter('', 'the same for the referee')
    tracker_output: bool = parameter(
        False, 'publish tracker packets to the multicast group of the trackers'
    )
    source_name: str = parameter('world_model', 'source_name in our tracker packets')
    output_interface: str = parameter('lo', 'network interface for tracker packets')
    output_ttl: int = parameter(
        0, 'multicast TTL of tracker packets; 0: this machine only', low=0, high=255
    )
    autostart: bool = parameter(True, 'configure and activate on start')

    def endpoints(self) -> dict[Channel, Endpoint]:
        """Return the multicast group and port of each channel."""
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
        """Return the parameters of Match; `uuid` is that of our tracker packets."""
        return MatchParameters(
            mode=self.source,
            tracker_source=self.tracker_source,
            team_name=self.team_name,
            uuid=uuid if self.tracker_output else '',
            source_name=self.source_name,
            constants=BallParameters(
                **{item.name: getattr(self, item.name) for item in fields(BallConstants)}
            ),
            ball_source=BallSourceParameters(
                tracker_timeout=self.tracker_timeout, life=self.ball_life
            ),
            ball=BallTrackerParameters(life=self.ball_life),
            robots=RobotTrackerParameters(life=self.robot_life),
            senders=AllowedSenders(
                self.vision_senders, self.tracker_senders, self.referee_senders
            ),
        )


class SslReceiver(AcquiringNode):
    """Passes datagrams to a Match and publishes its changes at once."""

    config_type = SslReceiverConfig

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('ssl_receiver', **kwargs)
        self._uuid = str(uuid4())  # of this run: a restarted tracker has a new identity
        self._match = Match(self.config.match_parameters(self._uuid))
        self._incumbents: IncumbentFile | None = None
        self._receiver: MulticastReceiver | None = None
        self._sender: DatagramSender | None = None
        self._active = False
        self._logged_causes: set[str] = set()
        self._error: str | None = None  # the latest invalid datagram, not yet logged
        self._clocks = ClockRelation()
        self._ages = OutputAges()
        self._topics = MatchPublishers(self)
        self._feedback = InputAges(self, ('robot_feedback/odometry', 'robot_feedback/status'))
        self._diagnostics = Diagnostics(self, self._report)
        self._arrival = self.create_guard_condition(self._drain)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._ticker = self.create_timer(TICK_PERIOD, self._tick, clock=steady)
        self._keeper = self.create_timer(SENDERS_PERIOD, self._keep_incumbents, clock=steady)
        self.create_subscription(
            MultiDOFJointState, 'robot_feedback/odometry', self._receive_odometry, LISTEN
        )
        self.create_subscription(
            DiagnosticArray, 'robot_feedback/status', self._receive_status, LISTEN
        )

    def acquire(self) -> None:
        """Open the sockets; a port in use is retried every second."""
        incumbents = self._match.senders.incumbents
        if self._incumbents is None:  # the first time in this process
            port = self.config.endpoints()[Channel.VISION].port
            self._incumbents = IncumbentFile(port, self._warn)
            incumbents = self._incumbents.read()
        self._match = Match(self.config.match_parameters(self._uuid), incumbents)
        self._logged_causes = set()
        sender = (
            self._make_sender()
        )  # before the receiving thread starts: it may reject a parameter
        self._receiver = MulticastReceiver(
            self.config.endpoints(),
            self.config.interface,
            DatagramQueues(to_nanoseconds(self.config.max_age)),
            self._arrival.trigger,
        )
        self._sender = sender

    def _make_sender(self) -> DatagramSender | None:
        config = self.config
        if not config.tracker_output:
            return None
        group = {TRACKER_OUTPUT: config.endpoints()[Channel.TRACKER]}
        return DatagramSender(group, config.output_interface, config.output_ttl)

    def start(self) -> None:
        """Start to publish, first the source, game and field that are already known."""
        self._active = True
        match = self._match
        known = MatchChanges(source=match.source, game=match.game, geometry=match.geometry)
        self._topics.publish(known, self.config.frame_id)

    def stop(self) -> None:
        """Stop to publish; packets are still received."""
        self._active = False

    def release(self) -> None:
        """Close the sockets."""
        if self._receiver is not None:
            self._receiver.close()
            self._receiver = None
        if self._sender is not None:
            self._sender.close()
            self._sender = None

    def _now(self) -> int:
        return int(self.get_clock().now().nanoseconds)

    def _drain(self) -> None:
        if self._receiver is None:
            return
        for datagram in self._receiver.take():
            received_ns = self._to_local(datagram.received_ns)
            changes = self._match.receive(replace(datagram, received_ns=received_ns))
            self._error = changes.error or self._error
            if self._active:
                self._topics.publish(changes, self.config.frame_id)
                self._send(changes.tracked)
                if changes.robots is not None:
                    self._ages.add(received_ns, self._now())

    def _to_local(self, system_ns: int) -> int:
        self._clocks.read(time_ns(), self._now())
        return self._clocks.to_local(system_ns)

    def _send(self, tracked: TrackerPacket | None) -> None:
        if self._sender is not None and tracked is not None:
            self._sender.send(TRACKER_OUTPUT, encode_tracker(tracked))

    def _tick(self) -> None:
        """Extrapolate to the time until which all datagrams are processed, if none waits."""
        now_ns = self._received_until()
        if self._active and self._receiver is not None and self._receiver.is_empty:
            self._topics.publish(self._match.tick(now_ns), self.config.frame_id)

    def _keep_incumbents(self) -> None:
        if self._receiver is not None and self._incumbents is not None:
            self._incumbents.write(self._match.senders.incumbents)

    def _received_until(self) -> int:
        """Return the time [ns] until which all datagrams are queued or processed."""
        return 0 if self._receiver is None else self._to_local(self._receiver.read_until_ns)

    def _receive_odometry(self, message: MultiDOFJointState) -> None:
        try:
            self._check_frame(message.header.frame_id)
            velocities = velocities_of(message)
        except MalformedPacketError as error:
            self._reject_feedback('robot_feedback/odometry', error)
            return
        self._feedback.use('robot_feedback/odometry')
        for name, velocity in velocities.items():
            self._match.receive_odometry(name, velocity, self._received_until())

    def _check_frame(self, frame_id: str) -> None:
        if frame_id != self.config.frame_id:
            raise MalformedPacketError(
                f'header.frame_id: {frame_id!r} is not {self.config.frame_id!r}'
            )

    def _receive_status(self, message: DiagnosticArray) -> None:
        for status in message.status[:MOST_STATUSES]:
            try:
                has_ball = ball_sensor_of(status)
                name = robot_id_of(status.name)
                self._match.receive_ball_sensor(name, has_ball, self._received_until())
                self._feedback.use('robot_feedback/status')
            except MalformedPacketError as error:
                self._reject_feedback('robot_feedback/status', error)
        left = len(message.status) - MOST_STATUSES
        if left > 0:
            text = f'status: the maximum is {MOST_STATUSES}; {left} are left out'
            self._reject_feedback('robot_feedback/status', MalformedPacketError(text))

    def _reject_feedback(self, topic: str, error: MalformedPacketError) -> None:
        self._match.counters['feedback.malformed'] += 1
        self._warn(f'{topic}: {error}')

    def _warn(self, text: str) -> None:
        self.get_logger().warning(text[:LONGEST], throttle_duration_sec=WARN_PERIOD)

    def _report(self) -> Report:
        reception = self._reception()
        dropped = self._match.counters if reception is None else reception.dropped
        self._log_new_causes(self._match.counters.keys() | dropped.keys())
        own = report_match(self._match, reception, self._now(), self._sender)
        return own.joined(self._feedback.report())

    def _reception(self) -> Reception | None:
        receiver = self._receiver
        if receiver is None:
            return None
        for error in filter(None, (self._error, *receiver.take_errors())):
            self._warn(error)
        self._error = None
        return Reception(receiver.status, receiver.dropped, self._ages.summary(self._now()))

    def _log_new_causes(self, causes: AbstractSet[str]) -> None:
        """Log the first dropped packet of each cause; /diagnostics has the totals."""
        for cause in sorted(causes - self._logged_causes):
            self._logged_causes.add(cause)
            if not cause.endswith(EXPECTED):
                self.get_logger().warning(f'packet dropped ({cause}); totals are in /diagnostics')


def main() -> None:
    """Run the node."""
    run(SslReceiver)
