# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver as a tracker of the league over real multicast, alone and with other trackers."""

from __future__ import annotations

from uuid import UUID

import pytest
from diagnostic_msgs.msg import DiagnosticStatus
from rclpy.parameter import Parameter

from world_model_core.match.datagram_queues import DatagramQueues
from world_model_core.match.ssl.tracker_packets import decode_tracker
from world_model_core.match.tracker_packet_builder import CAPABILITIES
from world_model_core.match.values import Channel
from world_model_nodes.match.ssl_receiver import SslReceiver
from world_model_nodes.runtime.udp import MulticastReceiver


class LeagueMember:
    """A receiver of the trackers' group, such as a game controller."""

    def __init__(self, endpoint):
        self._receiver = MulticastReceiver(
            {Channel.TRACKER: endpoint}, 'lo', DatagramQueues(0), bool
        )
        self._packets = []

    def packets(self, name):
        """Return the packets that a tracker has sent so far."""
        self._packets += [decode_tracker(each.data) for each in self._receiver.take()]
        return [packet for packet in self._packets if packet.source_name == name]

    def frames(self, name):
        """Return the frames of those packets."""
        return [packet.frame for packet in self.packets(name)]

    def place(self, name):
        """Return x of a tracker's ball [m], or None without a ball."""
        balls = [ball.position[0] for frame in self.frames(name)[-1:] for ball in frame.balls]
        return balls[0] if balls else None

    def close(self):
        """Leave the group."""
        self._receiver.close()


@pytest.fixture
def listen():
    """Return a function that joins the trackers' group of a receiver."""
    made = []

    def join(receiver):
        made.append(LeagueMember(receiver.endpoints[Channel.TRACKER]))
        return made[-1]

    yield join
    for league in made:
        league.close()


def second_receiver(receiver, name):
    """Run another receiver with tracker output on the same groups."""
    values = {'interface': 'lo', 'tracker_output': True, 'source_name': name}
    for channel, endpoint in receiver.endpoints.items():
        values[f'{channel.value}_group'] = endpoint.group
        values[f'{channel.value}_port'] = endpoint.port
    overrides = [Parameter(key, value=value) for key, value in values.items()]
    made = receiver.graph.add(SslReceiver(namespace='/other', parameter_overrides=overrides))
    assert made.autostart()
    return made


def follows(receiver, league, name, place):
    """Send the ball at a position until a tracker publishes it there."""
    receiver.until(
        lambda: league.place(name) == pytest.approx(place, abs=1e-3),
        lambda: receiver.send_detections(place),
    )


def test_nothing_is_sent_by_default(stadium, listen):
    """By default no packet is sent, and /diagnostics has no line for it."""
    receiver = stadium()
    league = listen(receiver)
    receiver.until(lambda: receiver.counted('vision.received', 10), receiver.send_detections)
    assert league.packets('world_model') == []
    assert receiver.value('tracker output') is None


def test_every_vision_frame_gives_a_tracker_packet(stadium, listen):
    """Packets have one uuid, counted frames, vision's time, and ball and robots."""
    receiver = stadium(tracker_output=True, source_name='Bears')
    league = listen(receiver)
    before = receiver.now_ns()
    receiver.until(
        lambda: len(league.packets('Bears')) >= 10, lambda: receiver.send_detections(1.0)
    )
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
def test_own_packets_are_counted_and_never_selected(stadium, capfd, source):
    """Own packets looped back by multicast are counted without a warning, and are not a source."""
    receiver = stadium(tracker_output=True, source=source)
    receiver.until(lambda: receiver.counted('tracker.own packet', 10), receiver.send_detections)
    assert receiver.value('tracker') == 'none'
    sent, failed = receiver.value('tracker output').split(' sent, ')
    assert int(sent) >= 10
    assert failed == f'0 failed to {receiver.endpoints[Channel.TRACKER]}'
    assert 'own packet' not in capfd.readouterr().err
    assert receiver.source() == ('NONE' if source == 'tracker' else 'VISION')


def test_another_tracker_is_used_and_not_forwarded(stadium, listen):
    """With another tracker its ball is published, but the ball from vision is sent."""
    receiver = stadium(tracker_output=True)
    league = listen(receiver)

    def both():
        receiver.send_tracked(x=2.0)
        receiver.send_detections(-1.0)

    receiver.until(
        lambda: receiver.source() == 'TRACKER' and len(league.packets('world_model')) >= 20, both
    )
    assert receiver.balls[-1].pose.pose.position.x == pytest.approx(2.0, abs=1e-3)
    sent = [ball.position[0] for frame in league.frames('world_model') for ball in frame.balls]
    assert max(sent) < 0.0


def test_two_trackers_that_use_each_other_follow_vision(stadium, listen):
    """Each uses the other's packets and sends the ball from vision, also when left alone."""
    receiver = stadium(tracker_output=True, source_name='Bears')
    league = listen(receiver)
    other = second_receiver(receiver, 'Cats')
    receiver.until(
        lambda: (
            receiver.value('tracker') == 'Cats' and other._match.tracker_selector.name == 'Bears'
        ),
        receiver.send_detections,
    )
    for place in (1.0, -2.0):
        follows(receiver, league, 'Bears', place)
        follows(receiver, league, 'Cats', place)
    receiver.graph.wait_until(lambda: 'TRACKER' in [source.data for source in receiver.sources])
    other.trigger_deactivate()
    sent = other._sender.sent.total()
    follows(receiver, league, 'Bears', 3.0)
    receiver.until(lambda: receiver.source() == 'VISION', lambda: receiver.send_detections(3.0))
    assert other._sender.sent.total() == sent
    receiver.still_works()
    other.trigger_activate()
    receiver.node.trigger_deactivate()
    follows(receiver, league, 'Cats', 4.0)


def test_an_inactive_node_sends_nothing(stadium, listen):
    """Frames received while inactive are not sent; activated again, the frame numbers continue."""
    receiver = stadium(tracker_output=True)
    league = listen(receiver)
    receiver.until(lambda: league.packets('world_model'), receiver.send_detections)
    receiver.node.trigger_deactivate()
    sent = receiver.node._sender.sent.total()
    frames = receiver.count + 10
    receiver.until(lambda: receiver.counted('vision.received', frames), receiver.send_detections)
    assert receiver.node._sender.sent.total() == sent
    receiver.node.trigger_activate()
    receiver.until(lambda: len(league.packets('world_model')) > sent, receiver.send_detections)


def test_a_failing_network_is_an_error_and_not_the_end(stadium):
    """Packets that cannot be sent are counted and reported, and the ball is still published."""
    receiver = stadium(tracker_output=True)
    receiver.node._sender._sender.close()

    def everything():
        receiver.send_detections()
        receiver.send_referee()

    receiver.until(
        lambda: receiver.status and 'tracker output: ' in receiver.status.message, everything
    )
    assert receiver.status.level == DiagnosticStatus.ERROR
    assert 'Bad file descriptor' in receiver.status.message
    receiver.still_works()


def test_a_missing_interface_is_reported(stadium):
    """It may come later: the error names it, and the node works without output until then."""
    receiver = stadium(tracker_output=True, output_interface='nonesuch0')
    receiver.until(
        lambda: receiver.status and "interface 'nonesuch0'" in receiver.status.message,
        receiver.send_detections,
    )
    assert receiver.status.level == DiagnosticStatus.ERROR
    receiver.still_works()
