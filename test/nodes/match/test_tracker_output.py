# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver as a tracker of the league, over real multicast: alone, and beside its like."""

from __future__ import annotations

import time
from uuid import UUID

import pytest
from diagnostic_msgs.msg import DiagnosticStatus
from rclpy.parameter import Parameter

from world_model_core.match.ssl.tracker_packets import decode_tracker
from world_model_core.match.tracker_packet_builder import CAPABILITIES
from world_model_core.match.values import Channel
from world_model_nodes.match.ssl_receiver import SslReceiver
from world_model_nodes.runtime.udp import MulticastReceiver


class League:
    """Who listens on the trackers' group, as game controllers do."""

    def __init__(self, endpoint):
        self._receiver = MulticastReceiver({'tracker': endpoint}, 'lo', time.monotonic_ns, bool)
        self._packets = []

    def packets(self, name):
        """List what a tracker has sent so far."""
        self._packets += [decode_tracker(data) for _, data, _ in self._receiver.take()]
        return [packet for packet in self._packets if packet.source_name == name]

    def frames(self, name):
        """List the frames of those packets."""
        return [packet.frame for packet in self.packets(name)]

    def place(self, name):
        """Tell where a tracker has its ball; None where it has none."""
        balls = [ball.position[0] for frame in self.frames(name)[-1:] for ball in frame.balls]
        return balls[0] if balls else None

    def close(self):
        """Leave the group."""
        self._receiver.close()


@pytest.fixture
def listen():
    """Listen beside a receiver."""
    made = []

    def join(receiver):
        made.append(League(receiver.endpoints[Channel.TRACKER]))
        return made[-1]

    yield join
    for league in made:
        league.close()


def rival_of(receiver, name):
    """Run another receiver on the same groups, which sends as well."""
    values = {'interface': 'lo', 'tracker_output': True, 'source_name': name}
    for channel, endpoint in receiver.endpoints.items():
        values[f'{channel.value}_group'] = endpoint.group
        values[f'{channel.value}_port'] = endpoint.port
    overrides = [Parameter(key, value=value) for key, value in values.items()]
    made = receiver.graph.add(SslReceiver(namespace='/rival', parameter_overrides=overrides))
    assert made.autostart()
    return made


def follows(receiver, league, name, place):
    """Show the ball at a place until a tracker has it there."""
    receiver.until(
        lambda: league.place(name) == pytest.approx(place, abs=1e-3), lambda: receiver.see(place)
    )


def test_nothing_is_sent_unless_it_is_asked_for(stadium, listen):
    """By default no packet may reach the group, and /diagnostics has no line for it."""
    receiver = stadium()
    league = listen(receiver)
    receiver.until(lambda: receiver.counted('vision.received', 10), receiver.see)
    assert league.packets('world_model') == []
    assert receiver.value('tracker output') is None


def test_every_picture_is_answered_as_a_tracker_does(stadium, listen):
    """Packets must have one uuid, counted frames, vision's own time, and ball and robot."""
    receiver = stadium(tracker_output=True, source_name='Bears')
    league = listen(receiver)
    before = receiver.now_ns()
    receiver.until(lambda: len(league.packets('Bears')) >= 10, lambda: receiver.see(1.0))
    packets = league.packets('Bears')
    (uuid,) = {packet.uuid for packet in packets}
    assert str(UUID(uuid)) == uuid
    frames = [packet.frame for packet in packets]
    assert [frame.frame_number for frame in frames] == list(range(1, len(frames) + 1))
    stamps = [frame.stamp_ns for frame in frames]
    assert stamps == sorted(stamps)
    assert before - 1000 <= stamps[0]
    assert stamps[-1] <= receiver.now_ns()
    assert frames[-1].balls[0].position == pytest.approx((1.0, 0.0, 0.0), abs=1e-3)
    assert [str(robot.id) for robot in frames[-1].robots] == ['blue/3']
    assert frames[-1].capabilities == CAPABILITIES


@pytest.mark.parametrize('source', ['auto', 'tracker', 'vision'])
def test_own_packets_are_counted_and_never_elected(stadium, capfd, source):
    """What multicast brings back must be counted without a warning, and be no tracker's."""
    receiver = stadium(tracker_output=True, source=source)
    receiver.until(lambda: receiver.counted('tracker.own packet', 10), receiver.see)
    assert receiver.value('tracker') == 'none'
    sent, failed = receiver.value('tracker output').split(' sent, ')
    assert int(sent) >= 10
    assert failed == f'0 failed to {receiver.endpoints[Channel.TRACKER]}'
    assert 'own packet' not in capfd.readouterr().err
    assert receiver.source() == ('NONE' if source == 'tracker' else 'VISION')


def test_another_tracker_is_used_and_not_sent_on(stadium, listen):
    """With a tracker elected its ball is told, and vision's is sent."""
    receiver = stadium(tracker_output=True)
    league = listen(receiver)

    def both():
        receiver.track(x=2.0)
        receiver.see(-1.0)

    receiver.until(
        lambda: receiver.source() == 'TRACKER' and len(league.packets('world_model')) >= 20, both
    )
    assert receiver.balls[-1].pose.pose.position.x == pytest.approx(2.0, abs=1e-3)
    told = [ball.position[0] for frame in league.frames('world_model') for ball in frame.balls]
    assert max(told) < 0.0


def test_two_that_elect_each_other_follow_vision(stadium, listen):
    """Each must listen to the other, and still send what it sees, also when left alone."""
    receiver = stadium(tracker_output=True, source_name='Bears')
    league = listen(receiver)
    rival = rival_of(receiver, 'Cats')
    receiver.until(
        lambda: (
            receiver.value('tracker') == 'Cats' and rival._match.tracker_selector.name == 'Bears'
        ),
        receiver.see,
    )
    for place in (1.0, -2.0):
        follows(receiver, league, 'Bears', place)
        follows(receiver, league, 'Cats', place)
    receiver.graph.wait_until(lambda: 'TRACKER' in [said.data for said in receiver.sources])
    rival.trigger_deactivate()
    sent = rival._outlet.sent.total()
    follows(receiver, league, 'Bears', 3.0)
    receiver.until(lambda: receiver.source() == 'VISION', lambda: receiver.see(3.0))
    assert rival._outlet.sent.total() == sent
    receiver.still_works()
    rival.trigger_activate()
    receiver.node.trigger_deactivate()
    follows(receiver, league, 'Cats', 4.0)


def test_an_inactive_node_sends_nothing(stadium, listen):
    """What is received while inactive must not be sent; activated again, the count goes on."""
    receiver = stadium(tracker_output=True)
    league = listen(receiver)
    receiver.until(lambda: league.packets('world_model'), receiver.see)
    receiver.node.trigger_deactivate()
    sent = receiver.node._outlet.sent.total()
    frames = receiver.count + 10
    receiver.until(lambda: receiver.counted('vision.received', frames), receiver.see)
    assert receiver.node._outlet.sent.total() == sent
    receiver.node.trigger_activate()
    receiver.until(lambda: len(league.packets('world_model')) > sent, receiver.see)


def test_a_network_that_refuses_is_an_error_and_not_the_end(stadium):
    """Packets that cannot be sent must be counted and said, and the ball still be told."""
    receiver = stadium(tracker_output=True)
    receiver.node._outlet._sender.close()

    def everything():
        receiver.see()
        receiver.judge()

    receiver.until(
        lambda: receiver.status and 'tracker output: ' in receiver.status.message, everything
    )
    assert receiver.status.level == DiagnosticStatus.ERROR
    assert 'Bad file descriptor' in receiver.status.message
    receiver.still_works()


def test_an_interface_that_is_not_there_is_refused(stadium):
    """The node must not start to send where nothing can be sent; mended, it must."""
    receiver = stadium(started=False, tracker_output=True, output_interface='nonesuch0')
    assert not receiver.node.autostart()
    receiver.node.set_parameters([Parameter('output_interface', value='lo')])
    receiver.start().still_works()
