# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A match from datagrams: sources, clocks and faulty packets."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from match_packets import BLUE_3, MS, START, referee, tracker, vision
from samples import KICK, TRACKED_BALL

from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.datagrams import Datagram
from world_model_core.match.match import Match
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.match.ssl.wire import WrapperPacket
from world_model_core.match.values import Channel, MatchParameters, SourceMode
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND


def at(index, ms=0):
    """Return the local time at which packet `index` of vision or the tracker arrives."""
    return START + 7 * SECOND + index * 10 * MS + (5 + ms) * MS


def send_all(match, packets, channel=Channel.VISION, start=0):
    """Send packets 10 ms apart and return the changes of each."""
    return [match.receive(Datagram(channel, data, at(i))) for i, data in enumerate(packets, start)]


@pytest.fixture
def match():
    """Make a match of the team Bears."""
    return Match(MatchParameters(team_name='Bears'))


def test_vision_alone_gives_ball_and_robots_at_their_capture(match):
    """Ball and robots must come from vision, at the capture time in local time."""
    all_changes = send_all(match, [vision(n, x=0.02 * n) for n in range(30)])
    changes = all_changes[-1]
    assert [c.source for c in all_changes if c.source] == [BallSource.VISION]
    assert changes.ball.stamp_ns == at(29, -5)
    assert changes.ball.position[0] == pytest.approx(0.58, abs=2e-3)
    assert changes.ball.velocity[0] == pytest.approx(2.0, abs=0.1)
    assert changes.robots.ids == (BLUE_3,)


def test_the_tracker_comes_first_and_vision_takes_over_without_a_jump(match):
    """When the tracker stops, the ball must come from vision within 100 ms, without a jump."""
    balls = []
    for index in range(60):
        place = 0.01 * index
        if index < 30:
            balls.append(
                match.receive(Datagram(Channel.TRACKER, tracker(index, place), at(index)))
            )
        balls.append(match.receive(Datagram(Channel.VISION, vision(index, place), at(index, 1))))
    all_changes = [changes for changes in balls if changes.ball is not None]
    assert [c.source for c in all_changes if c.source] == [BallSource.TRACKER, BallSource.VISION]
    stamps = np.array([changes.ball.stamp_ns for changes in all_changes])
    assert 0 < np.diff(stamps).max() < 100 * MS
    steps = np.diff([changes.ball.position[0] for changes in all_changes])
    assert steps.max() < 0.1 * 1.2
    assert steps.min() > -2e-3


def test_ticks_extrapolate_between_packets(match):
    """Between packets a tick must extrapolate the ball, less certainly, to the requested time."""
    send_all(match, [vision(n, x=0.02 * n) for n in range(30)])
    now = at(29, 60)
    changes = match.tick(now)
    assert changes.ball.stamp_ns == now
    assert changes.ball.position[0] == pytest.approx(0.58 + 2.0 * 0.065, abs=0.02)
    assert match.tick(now + MS).ball is None


def test_a_tracked_ball_with_visibility_zero_does_not_count(match):
    """A ball with visibility 0 must not count; vision's ball must."""
    undetected = (replace(TRACKED_BALL, position=(3.0, 0.0, 0.0), visibility=0.0),)
    for index in range(20):
        match.receive(Datagram(Channel.VISION, vision(index), at(index)))
        changes = match.receive(
            Datagram(Channel.TRACKER, tracker(index, balls=undetected), at(index, 1))
        )
    assert changes.ball.position[0] == pytest.approx(0.0, abs=1e-3)
    assert match.source is BallSource.VISION


def test_one_missed_tracker_frame_drops_nothing(match):
    """A frame without ball and robots must not stop their extrapolation."""
    send_all(match, [tracker(n, 0.01 * n) for n in range(20)], Channel.TRACKER)
    changes = match.receive(Datagram(Channel.TRACKER, tracker(20, balls=(), robots=()), at(20)))
    assert changes.ball.position[0] == pytest.approx(0.20, abs=2e-3)
    assert changes.robots.ids == (BLUE_3,)
    assert match.source is BallSource.TRACKER


def test_modes_use_their_own_source_only():
    """In mode vision the tracker must be ignored, in mode tracker vision."""
    all_changes = {}
    for mode in (SourceMode.VISION, SourceMode.TRACKER):
        match = Match(MatchParameters(mode=mode))
        for index in range(10):
            match.receive(Datagram(Channel.TRACKER, tracker(index, 1.0), at(index)))
            match.receive(Datagram(Channel.VISION, vision(index, 0.0), at(index, 1)))
        for index in range(10, 20):  # the tracker has stopped
            match.receive(Datagram(Channel.VISION, vision(index, 0.0), at(index, 1)))
        all_changes[mode] = match.tick(at(19, 60))
    assert all_changes[SourceMode.VISION].ball.position[0] == pytest.approx(0.0, abs=0.1)
    assert all_changes[SourceMode.VISION].robots.poses[0, 0] == pytest.approx(1.0, abs=0.1)
    assert all_changes[SourceMode.TRACKER].ball.position[0] == pytest.approx(1.1, abs=0.1)
    assert all_changes[SourceMode.TRACKER].robots.poses[0, 0] == pytest.approx(2.0, abs=0.1)


def test_a_tracker_on_visions_clock_is_placed_by_visions_offset(match):
    """The tracker's own delay must not make its ball look newer."""
    send_all(match, [vision(n) for n in range(10)])
    changes = match.receive(Datagram(Channel.TRACKER, tracker(10), at(10, 20)))
    assert changes.ball.stamp_ns == at(10, -5)


def test_clocks_are_mapped_each_by_its_own_offset(match):
    """Clocks of vision, tracker and referee hours apart must map to one local time."""
    hour = 3600 * SECOND
    for index in range(5):
        match.receive(Datagram(Channel.VISION, vision(index, clock_ns=hour), at(index)))
        match.receive(Datagram(Channel.TRACKER, tracker(index, clock_ns=-hour), at(index)))
        game = (
            match.receive(Datagram(Channel.REFEREE, referee(index), at(index))).game or match.game
        )
    assert match.tick(at(4, 60)).ball.stamp_ns == at(4, 60)
    assert abs(game.stamp_ns - at(0)) < 100 * MS


def test_a_second_tracker_is_counted_and_left_out(match):
    """Only the selected tracker's ball must be used, and the other's packets be counted."""
    send_all(match, [tracker(n, 0.0) for n in range(5)], Channel.TRACKER)
    changes = match.receive(
        Datagram(Channel.TRACKER, tracker(5, 4.0, 'uuid-2', 'ER-Force'), at(5))
    )
    assert changes.ball is None
    assert match.counters['tracker.other tracker'] == 1


@pytest.mark.parametrize('channel', list(Channel))
@given(data=st.binary(max_size=200))
def test_any_bytes_are_processed_or_counted(channel, data):
    """Any bytes on any channel must be processed, or reported and counted by their cause."""
    match = Match(MatchParameters())
    changes = match.receive(Datagram(channel, data, START))
    if changes.error is not None:
        assert changes.error.startswith(f'{channel.value}: ')
        assert sum(match.counters.values()) == 2


@pytest.mark.parametrize('value', [float('nan'), float('inf'), 1e30])
def test_impossible_coordinates_are_rejected_and_named(match, value):
    """A packet with such a position must not reach the filter; the error must name it."""
    good = [vision(n) for n in range(10)]
    send_all(match, good)
    message = WrapperPacket.FromString(good[-1])
    message.detection.frame_number = 99
    message.detection.balls[0].x = value
    changes = match.receive(Datagram(Channel.VISION, message.SerializeToString(), at(10)))
    assert 'detection.balls[0].x' in changes.error
    assert match.counters['vision.ImplausibleValueError'] == 1
    assert match.receive(Datagram(Channel.VISION, vision(11), at(11))).ball is not None


def test_a_robot_number_beyond_the_patterns_is_rejected(match):
    """Robot 4294967295 must be named, counted and left out."""
    message = WrapperPacket.FromString(vision(0))
    message.detection.robots_blue[0].robot_id = 4294967295
    changes = match.receive(Datagram(Channel.VISION, message.SerializeToString(), at(0)))
    assert '4294967295' in changes.error


def test_a_truncated_packet_is_rejected(match):
    """A truncated datagram must count as malformed, not as a partial frame."""
    assert match.receive(Datagram(Channel.VISION, vision(0)[:-3], at(0))).error is not None
    assert match.counters['vision.MalformedPacketError'] == 1


def test_an_empty_frame_has_no_detections(match):
    """A frame without balls and robots must be processed without harm."""
    send_all(match, [vision(n) for n in range(10)])
    changes = match.receive(Datagram(Channel.VISION, vision(10, ball=False), at(10)))
    assert changes.ball is not None
    assert changes.error is None


def test_a_tracker_clock_that_jumps_an_hour_is_followed(match):
    """Two frames must be dropped and counted, then the new clock must be used; vision bridges."""
    send_all(match, [tracker(n) for n in range(10)], Channel.TRACKER)
    hour = 3600 * SECOND
    all_changes = send_all(
        match, [tracker(n, clock_ns=hour) for n in range(10, 20)], Channel.TRACKER, 10
    )
    assert [changes.ball is not None for changes in all_changes[:3]] == [False, False, True]
    assert all_changes[-1].ball.stamp_ns == pytest.approx(at(19), abs=10 * MS)
    assert match.counters['tracker.stamp far off'] == 2
    assert match.counters['tracker.clock jumped'] == 1


@pytest.mark.parametrize('off', [3600 * SECOND, -SECOND])
def test_a_frame_with_a_wrong_capture_time_is_left_out(match, off):
    """One wrong stamp must not move the ball, nor delay later frames."""
    send_all(match, [vision(n) for n in range(10)])
    message = WrapperPacket.FromString(vision(10))
    message.detection.t_capture += off / SECOND
    assert (
        match.receive(Datagram(Channel.VISION, message.SerializeToString(), at(10))).ball is None
    )
    assert match.counters['vision.stamp far off'] == 1
    all_changes = match.receive(Datagram(Channel.VISION, vision(11), at(11)))
    assert all_changes.ball.stamp_ns == all_changes.robots.stamp_ns == at(11, -5)


@pytest.mark.parametrize('step', [-300 * MS, 300 * MS])
def test_a_small_clock_step_moves_nothing(match, step):
    """Stamps must increase, stay out of the future, and leave resting robots at rest."""
    all_changes = send_all(match, [vision(n) for n in range(100)])
    all_changes += send_all(match, [vision(n, clock_ns=step) for n in range(100, 200)], start=100)
    stamps = [changes.ball.stamp_ns for changes in all_changes if changes.ball is not None]
    assert stamps == sorted(stamps)
    assert stamps[-1] <= at(199)
    for changes in all_changes[100:]:
        assert changes.ball.stamp_ns == changes.robots.stamp_ns
        assert abs(changes.robots.velocities).max() < 0.1


def test_a_late_tracker_frame_does_not_turn_the_ball_back(match):
    """A frame older than the last one must be dropped and counted."""
    send_all(match, [tracker(n, 0.01 * n) for n in range(20)], Channel.TRACKER)
    assert match.receive(Datagram(Channel.TRACKER, tracker(10, 0.5), at(20))).ball is None
    assert match.counters['tracker.out of order'] == 1


def test_the_last_robots_leave(match):
    """When all robots are gone this must be reported once."""
    send_all(match, [vision(n) for n in range(10)])
    all_changes = [match.tick(at(10) + n * 50 * MS).robots for n in range(60)]
    counts = [len(robots) for robots in all_changes if robots is not None]
    assert counts[0] == 1
    assert counts.count(0) == 1


def test_duplicates_are_dropped(match):
    """The same datagram again must change nothing and be counted."""
    packet = referee(0)
    assert match.receive(Datagram(Channel.REFEREE, packet, at(0))).game is not None
    assert match.receive(Datagram(Channel.REFEREE, packet, at(0, 1))).game is None
    assert match.counters['referee.duplicate'] == 1


def test_a_late_referee_packet_does_not_turn_the_game_back(match):
    """An older packet after a newer one must be dropped and counted."""
    match.receive(Datagram(Channel.REFEREE, referee(2, command_counter=2), at(5)))
    assert match.receive(Datagram(Channel.REFEREE, referee(1), at(6))).game is None
    assert match.counters['referee.out of order'] == 1
    assert match.game.command_counter == 2


def test_an_unknown_command_is_counted(match):
    """A command of a newer league must be shown and counted."""
    game = match.receive(Datagram(Channel.REFEREE, referee(0, command=99), at(0))).game
    assert game.command == 'UNKNOWN(99)'
    assert match.counters['referee.unknown command'] == 1


def test_a_jump_back_in_time_starts_over(match):
    """A looped replay must not update the old filter state, and the loop must be counted."""
    packets = [vision(n, x=0.02 * n) for n in range(50)]
    send_all(match, packets)
    again = send_all(match, packets)
    assert match.counters['clock.jumped back'] == 1
    assert match.counters['vision.duplicate'] == 0
    assert again[-1].ball.position[0] == pytest.approx(0.98, abs=2e-3)
    assert again[5].ball.stamp_ns == at(5, -5)


def test_before_simulated_time_runs_packets_are_dropped(match):
    """While the clock is at 0, packets must be counted and not stamped with it."""
    assert match.receive(Datagram(Channel.VISION, vision(0), 0)).robots is None
    assert match.tick(0).robots is None
    assert match.counters['clock.not running'] == 1


def test_feedback_counts_for_our_robots_only(match):
    """Color unknown, the other color, ours: only the last must set the ball's position."""
    for index in range(10):
        match.receive(Datagram(Channel.VISION, vision(index, ball=False), at(index)))
    match.receive_ball_sensor(BLUE_3, True, at(10))
    assert match.counters['feedback.our color unknown'] == 1
    match.receive(Datagram(Channel.REFEREE, referee(0), at(10)))
    match.receive_ball_sensor(RobotId(Team.YELLOW, 3), True, at(11))
    assert match.counters['feedback.not our robot'] == 1
    assert match.receive(Datagram(Channel.VISION, vision(11, ball=False), at(11))).ball is None
    match.receive_ball_sensor(BLUE_3, True, at(12))
    changes = match.receive(Datagram(Channel.VISION, vision(12, ball=False), at(12)))
    assert match.source is BallSource.BALL_SENSOR
    assert changes.ball.position == pytest.approx((1.09, 0.0, 0.0), abs=0.01)


def test_odometry_reaches_the_named_robot(match):
    """The odometry of our robot must change its estimate."""
    send_all(match, [vision(n) for n in range(3)])
    match.receive(Datagram(Channel.REFEREE, referee(0), at(3)))
    match.receive_odometry(BLUE_3, np.array((1.0, 0.0, 0.0)), at(3))
    assert match.tick(at(3, 40)).robots.velocities[0, 0] > 0.2


def test_odometry_counts_together_with_a_tracker(match):
    """The odometry of our robot must also update the robot of a tracker."""
    send_all(match, [tracker(n) for n in range(3)], Channel.TRACKER)
    match.receive(Datagram(Channel.REFEREE, referee(0), at(3)))
    match.receive_odometry(BLUE_3, np.array((1.0, 0.0, 0.0)), at(3))
    changes = match.receive(Datagram(Channel.TRACKER, tracker(3), at(3)))
    assert changes.robots.velocities[0, 0] > 0.2


def test_a_kick_is_reported_again_in_the_next_loop():
    """A replay that starts over must report its only kick each time, as another one."""
    match = Match(MatchParameters())
    packets = [tracker(n, kicked_ball=replace(KICK, start_ns=START)) for n in range(50)]
    all_changes = send_all(match, packets, Channel.TRACKER) + send_all(
        match, packets, Channel.TRACKER
    )
    assert [changes.kick.number for changes in all_changes if changes.kick] == [1, 2]


def test_a_kick_of_a_tracker_is_reported_once():
    """A kick must be reported when it starts, not with every frame."""
    match = Match(MatchParameters())
    kicked = replace(KICK, start_ns=START)
    all_changes = send_all(
        match, [tracker(n, kicked_ball=kicked) for n in range(10)], Channel.TRACKER
    )
    assert [changes.kick.number for changes in all_changes if changes.kick] == [1]
    assert all_changes[0].kick.kicker == kicked.kicker
