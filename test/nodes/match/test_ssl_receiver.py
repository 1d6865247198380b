# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The node ssl_receiver: invalid input, silence, sources, feedback, lifecycle, simulated time."""

from __future__ import annotations

import json
import socket
from dataclasses import replace
from itertools import count, pairwise
from random import Random

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from geometry_msgs.msg import Twist, Vector3
from rosgraph_msgs.msg import Clock
from samples import FIELD, FRAME, REFEREE
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import Header, String
from vision_msgs.msg import Detection3DArray
from visualization_msgs.msg import Marker, MarkerArray

from world_model_core.match.ssl.geometry_values import Geometry
from world_model_core.match.ssl.referee_packets import encode_referee
from world_model_core.match.ssl.referee_values import Command
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.ssl.vision_values import VisionPacket
from world_model_core.match.ssl.wire import WrapperPacket
from world_model_core.match.values import Channel
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND
from world_model_nodes.runtime.convert import from_time, to_time
from world_model_nodes.runtime.qos import CLOCK, STATE

HOUR_NS = 3600 * SECOND


def frame_of(number, **changes):
    """Encode a valid frame with values that only protobuf allows: ball x [mm], robot number."""
    good = VisionPacket(replace(FRAME, frame_number=number), None)
    wrapped = WrapperPacket.FromString(encode_vision(good))
    if 'x' in changes:
        wrapped.detection.balls[0].x = changes['x']
    if 'robot_id' in changes:
        wrapped.detection.robots_blue[0].robot_id = changes['robot_id']
    return wrapped.SerializeToString()


MALFORMED, IMPLAUSIBLE = 'vision.MalformedPacketError', 'vision.ImplausibleValueError'
# Functions of a number, so that all packets differ.
BAD = {
    'random bytes': (lambda number: Random(number).randbytes(200), MALFORMED),  # noqa: S311 (no secret)
    'truncated': (lambda number: frame_of(number)[:-3], MALFORMED),
    'oversized': (lambda number: bytes(65507 - number), MALFORMED),
    'empty': (lambda _: b'', MALFORMED),
    'NaN': (lambda number: frame_of(number, x=float('nan')), IMPLAUSIBLE),
    '1e30': (lambda number: frame_of(number, x=1e30), IMPLAUSIBLE),
    'robot 4294967295': (lambda number: frame_of(number, robot_id=4294967295), IMPLAUSIBLE),
}


def warnings_in(capfd):
    """Return the warnings logged so far."""
    return [line for line in capfd.readouterr().err.splitlines() if 'WARN' in line]


@pytest.mark.parametrize(('make', 'cause'), BAD.values(), ids=BAD)
def test_a_bad_packet_is_counted_and_logged(stadium, capfd, make, cause):
    """It is counted by cause and logged once, and the next valid packet is used."""
    receiver = stadium()
    for number in range(5):
        receiver.send(Channel.VISION, make(number))
    receiver.graph.wait_until(lambda: receiver.counted(cause))
    receiver.still_works()
    reports = len(receiver.reports)
    receiver.graph.wait_until(lambda: len(receiver.reports) > reports + 2)
    warnings = warnings_in(capfd)
    assert sum(cause in line for line in warnings) == 1
    assert sum(': vision: ' in line for line in warnings) == 1


def test_an_empty_frame_is_valid(stadium):
    """Without detections there is no ball and no warning."""
    receiver = stadium()
    receiver.until(
        lambda: receiver.counted('vision.received', 3),
        lambda: receiver.send_detections(ball=False, robots=()),
    )
    assert receiver.balls == []
    assert not receiver.counted(MALFORMED)
    receiver.still_works()


def test_a_tracker_clock_that_jumps_an_hour_is_followed(stadium, capfd):
    """The jump is counted and logged, and the ball is still published with the system's time."""
    receiver = stadium()
    receiver.until(lambda: receiver.source() == 'TRACKER', receiver.send_tracked)
    receiver.until(
        lambda: receiver.counted('tracker.clock jumped'),
        lambda: receiver.send_tracked(x=1.0, ahead_ns=HOUR_NS),
    )
    receiver.until(
        lambda: receiver.balls[-1].pose.pose.position.x == pytest.approx(1.0),
        lambda: receiver.send_tracked(x=1.0, ahead_ns=HOUR_NS),
    )
    stamps = [from_time(ball.header.stamp) for ball in receiver.balls]
    assert stamps == sorted(stamps)
    assert abs(stamps[-1] - receiver.now_ns()) < SECOND
    assert any('tracker.clock jumped' in line for line in warnings_in(capfd))


def test_a_duplicate_referee_packet_is_counted(stadium):
    """A packet that arrives twice changes the game once."""
    receiver = stadium()
    sent = encode_referee(replace(REFEREE, sent_ns=receiver.now_ns()))
    receiver.send(Channel.REFEREE, sent)
    receiver.send(Channel.REFEREE, sent)
    receiver.graph.wait_until(lambda: receiver.counted('referee.duplicate'))
    assert len(receiver.games) == 1


def test_a_late_referee_packet_is_dropped(stadium, capfd):
    """A packet older than the previous one is counted, logged and dropped."""
    receiver = stadium()
    receiver.send_referee(Command.HALT, counter=2)
    receiver.graph.wait_until(lambda: receiver.games)
    receiver.send_referee(Command.NORMAL_START, counter=1, back_ns=SECOND // 5)
    receiver.graph.wait_until(lambda: receiver.counted('referee.out of order'))
    receiver.send_referee(Command.FORCE_START, counter=3)
    receiver.graph.wait_until(lambda: len(receiver.games) == 2)
    commands = [json.loads(game.data)['command'] for game in receiver.games]
    assert commands == ['HALT', 'FORCE_START']
    assert any('referee.out of order' in line for line in warnings_in(capfd))


def test_an_unknown_command_is_published_and_counted(stadium):
    """An unknown command is published by number, and is not HALT."""
    receiver = stadium()
    receiver.send_referee(99)
    receiver.graph.wait_until(lambda: receiver.counted('referee.unknown command'))
    assert json.loads(receiver.games[0].data)['command'] == 'UNKNOWN(99)'


def test_a_second_tracker_is_left_out(stadium):
    """One tracker is used and named in /diagnostics; packets of another one are counted."""
    receiver = stadium()
    receiver.until(lambda: receiver.source() == 'TRACKER', receiver.send_tracked)

    def both():
        receiver.send_tracked(x=1.0)
        receiver.send_tracked(x=-1.0, name='ER-Force')

    receiver.until(lambda: receiver.counted('tracker.other tracker', 5), both)
    assert receiver.value('tracker') == 'TIGERs'
    assert min(ball.pose.pose.position.x for ball in receiver.balls) >= 0.0


def test_a_port_in_use_is_an_error_until_it_is_free(stadium):
    """The node reports the error in /diagnostics, and receives once the port is free."""
    waiting = stadium(started=False)
    taken = waiting.endpoints[Channel.VISION]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as blocker:
        blocker.bind(('', taken.port))
        waiting.start()
        waiting.until(
            lambda: waiting.status and waiting.status.level == DiagnosticStatus.ERROR,
            waiting.send_tracked,
        )
        assert f'{taken}: the port is in use' in waiting.status.message
    waiting.still_works()


def test_a_missing_interface_is_an_error(stadium):
    """The error in /diagnostics names it and the available ones; the node waits for it."""
    receiver = stadium(interface='nonesuch0')
    receiver.graph.wait_until(lambda: receiver.status)
    assert receiver.status.level == DiagnosticStatus.ERROR
    assert "interface 'nonesuch0' does not exist" in receiver.status.message
    assert "'lo'" in receiver.status.message


def test_silence_is_an_error_with_the_address(stadium):
    """Without vision and tracker the level is ERROR, and the message has their addresses."""
    receiver = stadium()
    receiver.graph.wait_until(lambda: receiver.status)
    assert receiver.status.level == DiagnosticStatus.ERROR
    for channel in (Channel.VISION, Channel.TRACKER):
        assert str(receiver.endpoints[channel]) in receiver.status.message

    def everything():
        receiver.send_detections()
        receiver.send_referee()

    receiver.until(lambda: receiver.status.level == DiagnosticStatus.OK, everything)
    receiver.graph.wait_until(lambda: receiver.status.level == DiagnosticStatus.ERROR)


def test_an_unobserved_ball_is_extrapolated_for_a_while(stadium):
    """Its source goes VISION, LAST_KNOWN, NONE; its covariance grows until it is not published."""
    receiver = stadium(ball_life=1.0)
    receiver.until(
        lambda: receiver.source() == 'VISION', lambda: receiver.send_detections(x=1.0, robots=())
    )
    receiver.until(
        lambda: receiver.source() == 'LAST_KNOWN',
        lambda: receiver.send_detections(ball=False, robots=()),
    )
    began = len(receiver.balls)
    receiver.until(
        lambda: receiver.source() == 'NONE',
        lambda: receiver.send_detections(ball=False, robots=()),
    )
    sources = [source.data for source in receiver.sources]
    assert sources == ['NONE', 'VISION', 'LAST_KNOWN', 'NONE']
    unseen = sorted(receiver.balls[began:], key=lambda ball: from_time(ball.header.stamp))
    spreads = [ball.pose.covariance[0] for ball in unseen]
    assert spreads == sorted(spreads)
    assert spreads[-1] > 2.0 * spreads[0]
    assert unseen[-1].twist.twist.linear == Vector3()
    gone_ns, frames = receiver.now_ns(), receiver.count
    receiver.until(
        lambda: receiver.counted('vision.received', frames + 20),
        lambda: receiver.send_detections(ball=False, robots=()),
    )
    assert from_time(receiver.balls[-1].header.stamp) < gone_ns
    late = receiver.graph.listen(String, 'ball/source', STATE)
    receiver.graph.wait_until(lambda: late)
    assert late[0].data == 'NONE'


def test_the_ball_keeps_coming_when_all_packets_stop(stadium):
    """Without packets an unobserved ball is still published without gaps until it expires."""
    receiver = stadium(ball_life=0.3)
    receiver.until(lambda: receiver.source() == 'VISION', lambda: receiver.send_detections(x=1.0))
    receiver.graph.wait_until(lambda: receiver.source() == 'NONE')
    stamps = [from_time(ball.header.stamp) for ball in receiver.balls]
    assert max(b - a for a, b in pairwise(stamps)) < 0.1 * SECOND
    assert stamps[-1] - stamps[0] > 0.25 * SECOND


def test_feedback_counts_for_our_robots(stadium):
    """The ball sensor of an own robot locates an unobserved ball; that of an opponent does not."""
    receiver = stadium(ball_life=0.1)
    status = receiver.graph.publisher(DiagnosticArray, 'robot_feedback/status')

    def report(name, word='true'):
        pair = KeyValue(key='ball_sensor', value=word)
        status.publish(DiagnosticArray(status=[DiagnosticStatus(name=name, values=[pair])]))
        receiver.send_detections(ball=False)

    receiver.until(
        lambda: receiver.counted('feedback.our color unknown'), lambda: report('yellow/3')
    )
    receiver.send_referee()
    receiver.graph.wait_until(lambda: receiver.games)
    receiver.until(lambda: receiver.counted('feedback.not our robot'), lambda: report('yellow/3'))
    receiver.until(
        lambda: receiver.counted('feedback.malformed', 3), lambda: report('blue/3', 'maybe')
    )
    receiver.until(lambda: receiver.counted('feedback.malformed', 6), lambda: report('robot 3'))
    assert receiver.balls == []
    receiver.until(lambda: receiver.source() == 'BALL_SENSOR', lambda: report('blue/3'))
    receiver.until(lambda: receiver.balls, lambda: report('blue/3'))
    assert receiver.balls[-1].pose.pose.position.x == pytest.approx(1.09, abs=0.01)
    receiver.until(lambda: receiver.source() == 'NONE', lambda: report('blue/3', 'false'))


def test_odometry_counts_in_our_frame_for_our_robots(stadium):
    """The measured velocity of an own robot is used; other frames and names are rejected."""
    receiver = stadium()
    odometry = receiver.graph.publisher(MultiDOFJointState, 'robot_feedback/odometry')

    def report(name='blue/3', frame_id='field', speed=1.0):
        message = MultiDOFJointState(header=Header(frame_id=frame_id), joint_names=[name])
        message.twist = [Twist(linear=Vector3(x=speed))]
        odometry.publish(message)
        receiver.send_detections()

    receiver.send_referee()
    receiver.graph.wait_until(lambda: receiver.games)
    for least, wrong in enumerate(
        ({'frame_id': 'base_link'}, {'name': 'blue/16'}, {'speed': float('nan')}), 1
    ):
        receiver.until(
            lambda wanted=5 * least: receiver.counted('feedback.malformed', wanted),
            lambda changed=wrong: report(**changed),
        )
    receiver.until(
        lambda: receiver.counted('feedback.not our robot', 5), lambda: report('yellow/3')
    )
    # The robot is published from its second frame on.
    speeds = [twist.linear.x for message in receiver.robots for twist in message.twist]
    assert max(speeds) < 0.05
    receiver.until(lambda: receiver.robots[-1].twist[0].linear.x > 0.2, report)


def test_field_and_game_are_published_on_activation(stadium, graph):
    """Field and game received while the node was inactive are published when it is activated."""
    receiver = stadium()
    receiver.node.trigger_deactivate()
    geometry = Geometry(field=FIELD, cameras=())
    receiver.send_referee(Command.FORCE_START)
    receiver.until(
        lambda: receiver.counted('referee.received') and receiver.counted('vision.received'),
        lambda: receiver.send_detections(geometry=geometry),
    )
    assert (receiver.balls, receiver.games, receiver.fields) == ([], [], [])
    receiver.node.trigger_activate()
    graph.wait_until(lambda: receiver.games and receiver.fields)
    assert json.loads(receiver.games[0].data)['command'] == 'FORCE_START'
    assert json.loads(receiver.fields[0].data)['length'] == FIELD.length


def test_after_cleanup_nothing_is_received(stadium):
    """A cleaned-up node has left its groups and reports that it is not configured."""
    receiver = stadium()
    receiver.still_works()
    receiver.node.trigger_deactivate()
    receiver.node.trigger_cleanup()
    cleaned_ns = receiver.now_ns()
    receiver.until(
        lambda: receiver.status and receiver.status.message == 'not configured',
        lambda: receiver.send_detections(x=1.0),
    )
    assert from_time(receiver.balls[-1].header.stamp) < cleaned_ns
    assert receiver.node.autostart()
    receiver.still_works()


def test_simulated_time_that_jumps_back_starts_over(stadium, graph):
    """With use_sim_time stamps are those of /clock; after a jump back the ball is forgotten."""
    receiver = stadium(use_sim_time=True)
    graph.wait_until(lambda: receiver.status)
    assert 'no time has been received on /clock' in receiver.status.message
    clock = graph.publisher(Clock, '/clock', CLOCK)
    instants = count(1000 * SECOND, SECOND // 100)

    def play():
        clock.publish(Clock(clock=to_time(next(instants))))
        receiver.send_detections(x=1.0)

    receiver.until(lambda: receiver.source() == 'VISION', play)
    stamp = from_time(receiver.balls[-1].header.stamp)
    assert 999 * SECOND < stamp < 1010 * SECOND
    again = count(500 * SECOND, SECOND // 100)
    receiver.until(
        lambda: receiver.source() == 'NONE',
        lambda: clock.publish(Clock(clock=to_time(next(again)))),
    )
    graph.wait_until(lambda: receiver.counted('clock.jumped back'))


def test_all_topics_have_the_same_frame(stadium, graph):
    """Poses and markers are published for subscribers, in the frame of the parameter."""
    receiver = stadium(frame_id='pitch')
    poses = graph.listen(Detection3DArray, 'robots/poses')
    drawn = [graph.listen(MarkerArray, f'{name}/markers') for name in ('ball', 'robots')]
    lines = graph.listen(MarkerArray, 'field/markers', STATE)
    geometry = Geometry(field=FIELD, cameras=())
    receiver.until(
        lambda: poses and all(drawn) and lines and receiver.robots,
        lambda: receiver.send_detections(x=1.0, geometry=geometry),
    )
    assert receiver.robots[-1].joint_names == ['blue/3']
    assert [d.id for d in poses[-1].detections] == ['blue/3']
    frames = {m.header.frame_id for m in (receiver.balls[-1], receiver.robots[-1], poses[-1])}
    markers = [m for made in (*drawn, lines) for m in made[-1].markers]
    frames |= {marker.header.frame_id for marker in markers}
    assert frames == {'pitch'}
    sizes = [m.scale.z if m.type == Marker.TEXT_VIEW_FACING else m.scale.x for m in markers]
    assert min(sizes) > 0.0
