# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Turns the datagrams of an SSL match into states of ball, robots, game and field."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from world_model_core.errors import PacketError
from world_model_core.match.ball.estimate import BallSource, Kick
from world_model_core.match.ball.kick_estimator import KickNumbering, attribute_kicker
from world_model_core.match.ball.source_and_extrapolation import (
    BallSourceSelector,
    OcclusionContext,
)
from world_model_core.match.game.game_state import GameState, read_game, unknown_words
from world_model_core.match.late_packet_filter import LatePacketFilter
from world_model_core.match.robot_states import RobotFeedback, RobotStateMerger
from world_model_core.match.sender_clock import tracker_clock
from world_model_core.match.senders.incumbents import REFEREE, Incumbents
from world_model_core.match.senders.sender_filter import SenderFilter
from world_model_core.match.senders.tracker_agreement import TrackerAgreement
from world_model_core.match.ssl.geometry_packets import merge_geometry
from world_model_core.match.ssl.referee_packets import decode_referee
from world_model_core.match.ssl.tracker_packets import decode_tracker
from world_model_core.match.ssl.vision_packets import decode_vision
from world_model_core.match.time_order import TimeOrder
from world_model_core.match.tracker_frame_conversion import read_ball, read_kick, read_robots
from world_model_core.match.tracker_packet_builder import TrackerPacketBuilder
from world_model_core.match.tracker_selector import TrackerSelector
from world_model_core.match.values import Channel, MatchChanges, MatchParameters, SourceMode
from world_model_core.match.vision_tracking import VisionTracking
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Hashable

    from world_model_core.gaussian import Array
    from world_model_core.match.cameras.camera_pose import CameraPose
    from world_model_core.match.datagrams import Datagram
    from world_model_core.match.ssl.geometry_values import Geometry
    from world_model_core.match.ssl.referee_values import Referee
    from world_model_core.match.ssl.robot_id import RobotId
    from world_model_core.match.ssl.tracker_values import TrackedFrame, TrackerPacket
    from world_model_core.match.ssl.vision_values import DetectionFrame, VisionPacket

__all__ = ['Match']

# After this time without packets, ball and robots are extrapolated and published [ns].
IDLE_NS = NANOSECONDS_PER_SECOND // 40

NOTHING = MatchChanges()
# The source of the times of ticks and feedback.
TICK = 'tick'


class Match:
    """
    One match, which receives datagrams with the local time of their reception.

    Vision is always filtered, so that it can replace a tracker at once. `counters` counts all
    received and dropped packets by cause.

    Parameters
    ----------
    parameters : MatchParameters
    incumbents : Incumbents, optional
        Senders of an earlier match, which come first.

    """

    def __init__(self, parameters: MatchParameters, incumbents: Incumbents | None = None) -> None:
        self._parameters = parameters
        self.mode = parameters.mode
        self.team_name = parameters.team_name
        self.counters: Counter[str] = Counter()
        self.senders = SenderFilter(parameters.senders, self.counters, incumbents or Incumbents())
        self._kick_log = KickNumbering()
        self._packet_builder = TrackerPacketBuilder(parameters)
        self._order = TimeOrder()
        self.source = BallSource.NONE  # kept through a reset: the source that was published last
        self._published_robots = 0
        self.reset()

    def reset(self) -> None:
        """Reset all but the counters and the known senders, as after a jump in time."""
        timeout_ns = int(self._parameters.ball_source.tracker_timeout * NANOSECONDS_PER_SECOND)
        self._timing = LatePacketFilter(self.counters)
        self.clocks = self._timing.clocks
        self.received_ns: dict[Channel, int] = {}
        self.senders.restart()
        self._agreement = TrackerAgreement()
        self.tracker_selector = TrackerSelector(
            self._parameters.tracker_source,
            timeout_ns,
            self.senders,
            self._agreement if self.mode is SourceMode.AUTO else None,
        )
        self.game: GameState | None = None
        self.geometry: Geometry | None = None
        self._feedback = RobotFeedback(
            self._parameters.ball_source.sensor_timeout, self._parameters.robots.odometry_std
        )
        self.vision = VisionTracking(self._parameters)
        self._ball_source = BallSourceSelector(self._parameters.ball_source)
        self._robots = RobotStateMerger(
            self._parameters.robots,
            self._parameters.ball_source.tracker_timeout,
            self.vision.robots.table,
        )
        self._cameras: tuple[CameraPose, ...] = ()
        self._packet_builder.reset(self.vision.robots.table)
        self._kick_log.reset()
        self._published_ns = self._last_prediction_ns = 0

    def receive(self, datagram: Datagram) -> MatchChanges:
        """Process one datagram; unusable data are counted and reported in `error`."""
        channel = datagram.channel
        if not self._accept_time((channel, datagram.sender), datagram.received_ns):
            return NOTHING
        self.counters[f'{channel.value}.received'] += 1
        if not self.senders.allows(datagram):
            return self._dropped(channel, 'sender not allowed')
        self.received_ns[channel] = datagram.received_ns
        if self.senders.is_duplicate(datagram):
            return self._dropped(channel, 'duplicate')
        try:
            return self._process(datagram)
        except PacketError as error:
            self._dropped(channel, type(error).__name__)
            return MatchChanges(error=f'{channel.value}: {error}')

    def _process(self, datagram: Datagram) -> MatchChanges:
        channel, data = datagram.channel, datagram.data
        if channel is Channel.VISION:
            packet = self.senders.filter_vision(
                decode_vision(data), datagram, self.vision, self.geometry
            )
            return self._receive_vision(packet, datagram.received_ns)
        if channel is Channel.TRACKER:
            # Own packets are counted only if we send any.
            if self.mode is SourceMode.VISION and not self._packet_builder.is_enabled:
                return self._dropped(channel, 'not wanted')
            return self._receive_tracker(decode_tracker(data), datagram)
        return self._receive_referee(decode_referee(data), datagram)

    def warnings(self, now_ns: int) -> tuple[str, ...]:
        """Name the senders that are ignored."""
        return self.senders.warnings(now_ns) + self._agreement.warnings(now_ns)

    def tick(self, now_ns: int) -> MatchChanges:
        """
        Return the extrapolated state if packets are missing; call it at a high rate.

        Parameters
        ----------
        now_ns : int
            Time until which all datagrams have been processed [ns, local clock].

        """
        if now_ns <= 0:  # no packet is lost, so nothing is counted
            return NOTHING
        if not self._accept_time(TICK, now_ns) or now_ns - self._last_prediction_ns < IDLE_NS:
            return NOTHING
        if self.source is BallSource.NONE and not self._published_robots:
            return NOTHING
        return self._predict(now_ns, now_ns)

    def receive_odometry(self, name: RobotId, velocity: Array, now_ns: int) -> None:
        """
        Use the velocity that one of our own robots measured.

        Parameters
        ----------
        name : RobotId
            A robot of the other team, or any while our color is unknown, is counted and ignored.
        velocity : array, shape (3,)
            vx, vy [m/s] in the field frame, angular velocity [rad/s].
        now_ns : int
            Current time [ns, local clock].

        """
        if self._is_ours(name) and self._accept_time(TICK, now_ns):
            self.vision.robots.measure_velocity(name, velocity)
            self._feedback.observe_velocity(name, velocity, now_ns)

    def receive_ball_sensor(self, name: RobotId, triggered: bool, now_ns: int) -> None:
        """Use the state of the ball sensor of one of our own robots."""
        if self._is_ours(name) and self._accept_time(TICK, now_ns):
            self._feedback.observe_ball_sensor(name, triggered, now_ns)

    def _is_ours(self, name: RobotId) -> bool:
        ours = None if self.game is None else self.game.our_team
        if ours is None:
            self.counters['feedback.our color unknown'] += 1
        elif name.team is not ours:
            self.counters['feedback.not our robot'] += 1
        return name.team is ours

    def _accept_time(self, source: Hashable, now_ns: int) -> bool:
        """Return whether time runs; start over if it was set back."""
        if now_ns <= 0:
            self.counters['clock.not running'] += 1
            return False
        if self._order.goes_back(source, now_ns):
            self.reset()
            self.counters['clock.jumped back'] += 1
        return True

    def _dropped(self, channel: Channel, cause: str) -> MatchChanges:
        self.counters[f'{channel.value}.{cause}'] += 1
        return NOTHING

    def _receive_vision(self, packet: VisionPacket, received_ns: int) -> MatchChanges:
        geometry = self._update_geometry(packet.geometry)
        frame = packet.detection
        if frame is None or not self._in_time(frame, received_ns):
            return MatchChanges(geometry=geometry)
        kick, tracked = self._filter(frame, received_ns)
        if self.mode is SourceMode.TRACKER or self._tracked(received_ns):
            return MatchChanges(geometry=geometry, tracked=tracked)
        stamp_ns = self.clocks[Channel.VISION].to_local(frame.capture_ns)
        state = self._predict(stamp_ns, received_ns)
        if kick is not None and state.robots is not None:
            kick = self._kick_log.numbered(
                attribute_kicker(kick, state.robots.ids, state.robots.distances_to(kick.position))
            )
        if not (geometry or kick or tracked):
            return state
        return replace(state, geometry=geometry, kick=kick, tracked=tracked)

    def _in_time(self, frame: DetectionFrame, received_ns: int) -> bool:
        """Return whether a frame is in time; reset the filters if vision's clock was set."""
        jumps = self.clocks[Channel.VISION].jumps
        in_time = self._timing.is_in_time(frame, received_ns)
        if self.clocks[Channel.VISION].jumps > jumps:
            self.vision.reset()
            self._packet_builder.reset(self.vision.robots.table)
        return in_time

    def _update_geometry(self, received: Geometry | None) -> Geometry | None:
        geometry = self.geometry
        if received is not None:
            geometry = merge_geometry(geometry, received)
        if geometry is None or geometry == self.geometry:
            return None
        self.geometry = geometry
        self.vision.update_geometry(geometry)
        self._cameras = tuple(self.vision.views)
        self._packet_builder.update_geometry(geometry)
        return geometry

    def _filter(
        self, frame: DetectionFrame, received_ns: int
    ) -> tuple[Kick | None, TrackerPacket | None]:
        """Update all filters; return a kick in the local clock and our own tracker packet."""
        clock = self.clocks[Channel.VISION]
        rows, update = self.vision.update(frame)
        if update is not None:
            self._agreement.observe(frame, update, self.vision)
        self.counters.update(self.vision.take_dropped())
        if self.mode is not SourceMode.TRACKER:
            self._robots.update_from_vision(rows, clock.offset_ns, received_ns)
        if update is not None and self.mode is not SourceMode.TRACKER:
            ball = replace(update.state, stamp_ns=clock.to_local(update.state.stamp_ns))
            self._ball_source.observe(BallSource.VISION, ball, received_ns)
        kick = None if update is None else update.kick
        tracked = self._packet_builder.build(frame, rows, update, self.vision.balls, self._cameras)
        return kick and replace(kick, stamp_ns=clock.to_local(kick.stamp_ns)), tracked

    def _receive_tracker(self, packet: TrackerPacket, datagram: Datagram) -> MatchChanges:
        previous = self.tracker_selector.uuid
        reason = self._reason_to_reject(packet, datagram)
        if previous != self.tracker_selector.uuid:
            self._start_tracker()
        if reason is not None:
            return self._dropped(Channel.TRACKER, reason)
        frame, received_ns = packet.frame, datagram.received_ns
        if frame is None:
            return NOTHING
        if not self._timing.is_newest(Channel.TRACKER, frame.stamp_ns, received_ns):
            return NOTHING
        return self._receive_tracker_frame(frame, received_ns)

    def _reason_to_reject(self, packet: TrackerPacket, datagram: Datagram) -> str | None:
        if self._packet_builder.is_own(packet):
            return 'own packet'
        if self.mode is SourceMode.VISION:
            return 'not wanted'
        return self.tracker_selector.reason_to_reject(
            packet, datagram, self.clocks[Channel.VISION]
        )

    def _start_tracker(self) -> None:
        """Forget the clock and the ball of the previous tracker."""
        self._timing.restart(Channel.TRACKER)
        self._ball_source.forget(BallSource.TRACKER)

    def _receive_tracker_frame(self, frame: TrackedFrame, received_ns: int) -> MatchChanges:
        stamp_ns = self._tracker_time(frame.stamp_ns)
        ball = read_ball(frame, stamp_ns)
        if ball is not None:
            self._ball_source.observe(BallSource.TRACKER, ball, received_ns)
        robots = self._feedback.correct(read_robots(frame), received_ns)
        self._robots.update_from_tracker(robots, stamp_ns, received_ns)
        state = self._predict(stamp_ns, received_ns)
        kick = read_kick(frame, self._tracker_time)
        return state if kick is None else replace(state, kick=self._kick_log.numbered(kick))

    def _tracker_time(self, tracker_ns: int) -> int:
        """Convert a tracker's time to the local clock."""
        clock = tracker_clock(self.clocks[Channel.TRACKER], self.clocks[Channel.VISION])
        return clock.to_local(tracker_ns)

    def _tracked(self, now_ns: int) -> bool:
        return self.mode is not SourceMode.VISION and self.tracker_selector.is_active(now_ns)

    def _predict(self, stamp_ns: int, now_ns: int) -> MatchChanges:
        """Return ball and robots at a time between the last published one and now."""
        self._last_prediction_ns = now_ns
        self._published_ns = stamp_ns = max(min(stamp_ns, now_ns), self._published_ns)
        robots = self._robots.at(stamp_ns, now_ns)
        self._published_robots = len(robots)
        held = self._feedback.held_ball(robots, now_ns)
        context = OcclusionContext(
            robots.ids, robots.poses, robots.velocities, self._cameras, held
        )
        source, ball = self._ball_source.at(stamp_ns, now_ns, context)
        changed = source if source is not self.source else None
        self.source = source
        return MatchChanges(source=changed, ball=ball, robots=robots)

    def _receive_referee(self, packet: Referee, datagram: Datagram) -> MatchChanges:
        previous = self.senders.incumbents.last(REFEREE)
        if not self.senders.uses_referee(packet, datagram):
            return self._dropped(Channel.REFEREE, 'other sender')
        if previous != self.senders.incumbents.last(REFEREE):
            self._timing.restart(Channel.REFEREE)
        if not self._timing.is_newest(Channel.REFEREE, packet.sent_ns, datagram.received_ns):
            return NOTHING
        for word in unknown_words(packet):
            self._dropped(Channel.REFEREE, f'unknown {word}')
        sent_ns = self.clocks[Channel.REFEREE].to_local(packet.sent_ns)
        game = read_game(packet, self.team_name, sent_ns)
        if self.game is not None and game.same_as(self.game):
            return NOTHING
        self.game = game
        return MatchChanges(game=game)
