# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Tracker packets: built from vision alone, in the league's format."""

from dataclasses import astuple, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from match_packets import BLUE_3, MS, START, referee, tracker, vision
from samples import BALL, FIELD, FRAME

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.datagrams import Datagram
from world_model_core.match.match import Match
from world_model_core.match.ssl.geometry_values import ChipModel, Geometry, StraightModel
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.tracker_packets import decode_tracker, encode_tracker
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.ssl.vision_values import VisionPacket
from world_model_core.match.values import Channel, MatchParameters, SourceMode
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

UUID = 'own uuid'
CHANNELS = {
    MessageKind.VISION_2014: Channel.VISION,
    MessageKind.VISION_TRACKER_2020: Channel.TRACKER,
}


def at(index, ms=0):
    """Return the local time at which packet `index` arrives."""
    return START + 7 * SECOND + index * 10 * MS + (5 + ms) * MS


def sending(mode=SourceMode.AUTO, uuid=UUID, **others):
    """Make a match that sends tracker packets."""
    named = {'team_name': 'Bears', 'source_name': 'Bears', **others}
    return Match(MatchParameters(mode=mode, uuid=uuid, **named))


def send_frames(match, packets, start=0):
    """Send frames 10 ms apart, and return the tracked frames."""
    received = [
        match.receive(Datagram(Channel.VISION, data, at(i)))
        for i, data in enumerate(packets, start)
    ]
    return [changes.tracked.frame for changes in received]


def frame_of(index, balls=(), robots=()):
    """Encode frame `index` of these detections."""
    capture = START + index * 10 * MS
    frame = replace(FRAME, frame_number=index, capture_ns=capture, sent_ns=capture + 5 * MS)
    return encode_vision(VisionPacket(replace(frame, balls=balls, robots=robots), None))


def kicked(count=40, speed=4.0):
    """Show a ball at rest at blue/3 for ten frames, which is then kicked and slides."""
    for index in range(count):
        dt = max(index - 10, 0) * 0.01
        yield vision(index, x=1.1 + speed * dt - 1.5 * dt**2)


def test_no_packet_is_built_without_a_uuid():
    """Without a uuid there must be no packet."""
    match = Match(MatchParameters())
    received = [match.receive(Datagram(Channel.VISION, vision(n), at(n))) for n in range(5)]
    assert all(changes.robots is not None and changes.tracked is None for changes in received)


@pytest.mark.parametrize('mode', list(SourceMode))
def test_every_frame_is_tracked_at_its_capture(mode):
    """Frames must be counted, stamped by vision's clock, and contain what the camera detected."""
    frames = send_frames(sending(mode), [vision(n, x=0.02 * n) for n in range(30)])
    assert [frame.frame_number for frame in frames] == list(range(1, 31))
    assert [frame.stamp_ns for frame in frames] == [START + n * 10 * MS for n in range(30)]
    (ball,), (robot,) = frames[-1].balls, frames[-1].robots
    assert ball.position == pytest.approx((0.58, 0.0, 0.0), abs=2e-3)
    assert ball.velocity == pytest.approx((2.0, 0.0, 0.0), abs=0.1)
    assert robot.id == BLUE_3
    assert robot.position == pytest.approx((1.0, 0.0), abs=2e-3)
    assert ball.visibility == robot.visibility == 1.0


def test_packets_name_their_sender():
    """Each packet must contain our uuid and name."""
    packet = sending().receive(Datagram(Channel.VISION, vision(0), at(0))).tracked
    assert (packet.uuid, packet.source_name) == (UUID, 'Bears')


def test_another_tracker_changes_nothing():
    """With a tracker that reports other positions the same packets must be sent as without."""
    alone = send_frames(sending(), kicked())
    match, beside = sending(), []
    for index, frame_of in enumerate(kicked()):
        match.receive(Datagram(Channel.TRACKER, tracker(index, 4.0), at(index, -1)))
        beside += send_frames(match, [frame_of], index)
    assert match.tracker_selector.name == 'TIGERs'
    assert beside == alone


def test_a_ball_sensor_changes_nothing():
    """A ball that only our robot reports must not be sent."""
    match = sending()
    match.receive(Datagram(Channel.REFEREE, referee(0), at(0, -1)))
    for index in range(10):
        match.receive_ball_sensor(BLUE_3, True, at(index))
        changes = match.receive(Datagram(Channel.VISION, vision(index, ball=False), at(index)))
    assert changes.ball is not None
    assert changes.tracked.frame.balls == ()


@pytest.mark.parametrize('mode', list(SourceMode))
def test_own_packets_are_counted_and_left_out(mode):
    """Our own packets that return must change nothing, and never be selected."""
    match = sending(mode)
    for index in range(10):
        detected = match.receive(Datagram(Channel.VISION, vision(index), at(index)))
        back = match.receive(
            Datagram(Channel.TRACKER, encode_tracker(detected.tracked), at(index, 1))
        )
        assert all(value is None for value in astuple(back))
    assert match.counters['tracker.own packet'] == 10
    assert match.tracker_selector.uuid is None


def test_other_trackers_are_ignored_in_mode_vision():
    """In mode vision other trackers' packets must be counted, whether we send or not."""
    for uuid in ('', UUID):
        match = sending(SourceMode.VISION, uuid)
        assert match.receive(Datagram(Channel.TRACKER, tracker(0), at(0))).ball is None
        assert match.counters['tracker.not wanted'] == 1


def test_undetected_objects_have_visibility_zero_and_then_vanish():
    """An undetected ball must have visibility 0 for 1 s, an undetected robot for 2 s."""
    match = sending()
    send_frames(match, [vision(n) for n in range(10)])
    frames = send_frames(match, [frame_of(n) for n in range(10, 250)], 10)
    since = [round((frame.stamp_ns - START) / SECOND - 0.09, 2) for frame in frames]
    for age, frame in zip(since, frames, strict=True):
        detected = float(age <= 0.08)
        assert [ball.visibility for ball in frame.balls] == [detected] * (age <= 1.0)
        assert [robot.visibility for robot in frame.robots] == [detected] * (age <= 2.0)


def test_further_balls_come_after_the_primary_one():
    """A second ball must be sent after the primary one."""
    match = sending()
    first, second = replace(BALL, x=1.0), replace(BALL, x=-3.0)
    send_frames(match, [frame_of(n, (first,)) for n in range(30)])
    frames = send_frames(match, [frame_of(n, (second, first)) for n in range(30, 90)], 30)
    places = [round(ball.position[0], 2) for ball in frames[-1].balls]
    assert places == [1.0, -3.0]


def test_a_late_frame_does_not_turn_time_back():
    """The content of a late frame must be sent at the time of the newest one."""
    match = sending()
    send_frames(match, [vision(n) for n in range(10)])
    (late,) = send_frames(match, [vision(7, camera_id=1)], 10)
    assert late.stamp_ns == START + 90 * MS


def test_a_jump_in_time_resets_all_but_the_frame_number():
    """A replay that starts over must be sent at its own times, by the same tracker."""
    match = sending()
    send_frames(match, [vision(n) for n in range(50)])
    frames = send_frames(match, [vision(n) for n in range(5)])
    assert [frame.stamp_ns for frame in frames] == [START + n * 10 * MS for n in range(5)]
    assert frames[0].frame_number == 51


def test_a_clock_of_vision_that_is_set_back_is_followed():
    """When vision's clock is set, the stamps must be those of the new clock."""
    match = sending()
    send_frames(match, [vision(n, clock_ns=3600 * SECOND) for n in range(10)])
    received = [
        match.receive(Datagram(Channel.VISION, vision(n), at(n))).tracked for n in range(10, 15)
    ]
    assert received[-1].frame.stamp_ns == START + 140 * MS


@pytest.mark.parametrize('mode', list(SourceMode))
def test_a_kick_is_sent_while_the_ball_moves(mode):
    """Kicker, position, speed and time must be sent from the kick to the ball's rest."""
    match = sending(mode)
    frames = send_frames(match, kicked())
    first = next(i for i, frame in enumerate(frames) if frame.kicked_ball)
    assert first <= 13
    received = [frame.kicked_ball for frame in frames[first:]]
    assert len({kick.start_ns for kick in received}) <= 3
    assert received[-1].start_ns == pytest.approx(START + 100 * MS, abs=10 * MS)
    assert received[0].kicker == BLUE_3
    assert received[0].position == pytest.approx((1.1, 0.0), abs=0.05)
    assert received[0].velocity == pytest.approx((4.0, 0.0, 0.0), abs=0.5)
    assert received[0].velocity[2] == 0.0
    frames = send_frames(match, [vision(n, x=2.1) for n in range(40, 60)], 40)
    assert frames[-1].kicked_ball is None


def test_a_kick_is_over_when_the_ball_is_turned():
    """A ball that changes direction, at any speed, must end its kick."""
    match = sending()
    kicks = [frame.kicked_ball for frame in send_frames(match, kicked())]
    ball = replace(BALL, x=2.2)
    turned = [frame_of(n, (replace(ball, y=0.02 * (n - 39)),)) for n in range(40, 60)]
    later = [frame.kicked_ball for frame in send_frames(match, turned, 40)]
    old = kicks[-1].start_ns
    assert all(kick is None or kick.start_ns > old for kick in later[-10:])


def models(match, roll):
    """Send the match the rolling constants of the ball [m/s^2]."""
    straight, chip = StraightModel(-3.0, roll, 0.7), ChipModel(0.6, 0.95, 0.7)
    geometry = Geometry(field=FIELD, cameras=(), straight=straight, chip=chip)
    packet = encode_vision(VisionPacket(None, geometry))
    match.receive(Datagram(Channel.VISION, packet, at(0, -1)))


def assert_rests(kick, place, speed, since_ns):
    """Assert where and when a ball rests that slides at 3 m/s^2 and rolls at 1.5 m/s^2."""
    switch = min(speed, 0.7 * kick.velocity[0])
    x = place + (speed**2 - switch**2) / 6.0 + switch**2 / 3.0
    left = (speed - switch) / 3.0 + switch / 1.5
    assert kick.stop_position == pytest.approx((x, 0.0), abs=1e-3)
    assert (kick.stop_ns - since_ns) / SECOND == pytest.approx(left, abs=1e-3)


def test_rest_follows_from_the_kick_and_then_from_the_ball():
    """By vision's constants: from the kick until the filter has settled, then from the ball."""
    match = sending()
    models(match, -1.5)
    frames = send_frames(match, kicked(60))
    kick = frames[20].kicked_ball
    assert_rests(kick, kick.position[0], kick.velocity[0], kick.start_ns)
    (ball,) = frames[-1].balls
    assert_rests(frames[-1].kicked_ball, ball.position[0], ball.velocity[0], frames[-1].stamp_ns)


def test_a_rest_position_beyond_the_limits_is_left_out():
    """A rest position that receivers would reject, on an unknown field, must not be sent."""
    match = sending(constants=BallParameters(roll_acceleration=-0.001))
    kick = send_frames(match, kicked())[-1].kicked_ball
    assert kick.stop_position is None
    assert kick.stop_ns is None


def test_a_kicked_ball_rests_in_the_goal():
    """On a known field, the rest of a kick must lie at the wall in its way."""
    match = sending()
    models(match, -0.1)
    kick = send_frames(match, kicked())[-1].kicked_ball
    edge = 0.5 * FIELD.length + FIELD.goal_depth
    assert edge - 0.05 < kick.stop_position[0] < edge


def test_impossible_constants_are_left_out():
    """With impossible constants kicks must be sent, predicted with the default ones."""
    received = []
    for roll in (-0.33, -100.0):
        match = sending()
        models(match, roll)
        received.append(send_frames(match, kicked())[-1].kicked_ball)
    assert None not in received


@given(
    x=st.floats(-6.0, 6.0),
    speed=st.floats(-8.0, 8.0),
    height=st.none() | st.floats(0.0, 2.0),
    detected=st.lists(st.booleans(), min_size=1, max_size=30),
)
def test_packets_survive_encoding_and_decoding(x, speed, height, detected):
    """Decoding an encoded packet must return it, to the precision of the wire's floats."""
    match = sending()
    for index, ball in enumerate(detected):
        place = x + 0.01 * index * speed
        balls = (replace(BALL, x=place, z=height),) if ball else ()
        packet = match.receive(Datagram(Channel.VISION, frame_of(index, balls), at(index))).tracked
        again = decode_tracker(encode_tracker(packet))
        assert (again.uuid, again.source_name) == (packet.uuid, packet.source_name)
        assert numbers(again.frame) == pytest.approx(numbers(packet.frame), rel=1e-6, abs=1e-6)
        assert again.frame.stamp_ns == packet.frame.stamp_ns
        assert again.frame.capabilities == packet.frame.capabilities


def numbers(frame):
    """Return the numbers of a frame, field by field."""
    kick = frame.kicked_ball
    values = [len(frame.balls), len(frame.robots), frame.frame_number, kick is not None]
    for ball in frame.balls:
        values += [*ball.position, *ball.velocity, ball.visibility]
    for robot in frame.robots:
        values += [robot.id.slot, *robot.position, robot.heading, *robot.velocity]
        values += [robot.angular_velocity, robot.visibility]
    if kick is not None:
        values += [*kick.position, *kick.velocity, *(kick.stop_position or ())]
        values += [kick.start_ns / SECOND, -1 if kick.kicker is None else kick.kicker.slot]
    return values


@pytest.fixture(scope='module')
def messages(shared_data):
    """Read vision and tracker of a real match."""
    path = shared_data('ssl/match_2022_part1.log.gz')
    return [message for message in RecordingReader(path) if message.kind in CHANNELS]


def test_a_receiver_of_our_packets_follows_the_ball_of_a_real_match(messages):
    """A match that uses only our tracker packets must have the ball where vision detected it."""
    first = Match(MatchParameters(uuid=UUID))
    second = Match(MatchParameters(mode=SourceMode.TRACKER))
    alone = Match(MatchParameters(mode=SourceMode.VISION))
    errors, kicks = [], []
    for message in messages:
        channel, time_ns = CHANNELS[message.kind], message.received_ns
        received = first.receive(Datagram(channel, message.data, time_ns))
        truth = alone.receive(Datagram(channel, message.data, time_ns))
        if received.tracked is None:
            continue
        second.receive(Datagram(Channel.VISION, message.data, time_ns))
        follower = second.receive(
            Datagram(Channel.TRACKER, encode_tracker(received.tracked), time_ns)
        )
        kicks += [follower.kick] if follower.kick else []
        if follower.ball is not None and truth.ball is not None:
            errors.append(np.linalg.norm(follower.ball.position - truth.ball.position))
    assert first.tracker_selector.name == 'TIGERs'
    assert len(errors) > 400
    assert max(errors) < 1e-3
    assert {(kick.number, str(kick.kicker)) for kick in kicks} == {(1, 'blue/2')}
    assert kicks[0].chip_probability == 0.0
    assert not [cause for cause in second.counters if cause.startswith('tracker.Imp')]


def test_the_rest_of_a_chip_counts_its_bounces(shared_data):
    """The rest of a bouncing chip must be right to 0.8 m from 0.3 s after the kick on."""
    match, received = sending(), []
    for message in RecordingReader(shared_data('ssl/sim_chip_noisefree.log.gz')):
        if message.kind is MessageKind.VISION_2014:
            changes = match.receive(Datagram(Channel.VISION, message.data, message.received_ns))
            received += [changes.tracked.frame] if changes.tracked else []
    frames = [frame for frame in received if frame.kicked_ball and frame.balls]
    rest = np.array((1.884, -1.0))  # of the only one that does not cross the line before
    resting = [f for f in frames if np.linalg.norm(f.balls[0].position[:2] - rest) < 0.01]
    start_ns = resting[-1].kicked_ball.start_ns
    way = [
        frame
        for frame in frames
        if abs(frame.kicked_ball.start_ns - start_ns) < SECOND // 10
        and frame.stamp_ns - start_ns > 3 * SECOND // 10
    ]
    assert len(way) > 300
    for frame in way:
        assert frame.kicked_ball.velocity[2] > 1.0
        assert np.linalg.norm(frame.kicked_ball.stop_position - rest) < 0.8
