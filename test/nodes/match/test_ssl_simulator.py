# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The simulator sends a match in real time, as vision and a game controller do."""

from __future__ import annotations

import signal
from itertools import product

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from nav_msgs.msg import Odometry
from rclpy.parameter import Parameter
from sensor_msgs.msg import MultiDOFJointState

from world_model_core.match.datagram_queues import DatagramQueues
from world_model_core.match.ssl.referee_packets import decode_referee
from world_model_core.match.ssl.vision_packets import decode_vision
from world_model_core.match.values import Channel
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.uncertainty.clutter import ClutterRate
from world_model_nodes.match.convert import ball_of, robots_of
from world_model_nodes.match.ssl_simulator import SslSimulator, SslSimulatorConfig
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.runtime.udp import MulticastReceiver

# By how much the clocks of the two threads may differ while the system clock is adjusted [ns].
CLOCK_STEP_NS = 5_000_000
HOUR_NS = 3_600_000_000_000


@pytest.fixture
def channels(endpoints):
    """Give vision and referee a group and port of this test."""
    return {Channel.VISION: next(endpoints), Channel.REFEREE: next(endpoints)}


@pytest.fixture
def receiver(channels):
    """Receive all channels."""
    receiver = MulticastReceiver(channels, 'lo', DatagramQueues(0), lambda: None)
    yield receiver
    receiver.close()


@pytest.fixture
def simulator(graph, channels):
    """Start a simulator in this process."""
    values = {'robots_per_team': 3, 'yellow_name': 'One', 'blue_name': 'Two'}
    for channel, endpoint in channels.items():
        name = channel.value
        values |= {f'{name}_group': endpoint.group, f'{name}_port': endpoint.port}
    overrides = [Parameter(name, value=value) for name, value in values.items()]
    node = graph.add(SslSimulator(parameter_overrides=overrides))
    assert node.autostart()
    return node


def gather(graph, receiver, enough):
    """Take datagrams until `enough` holds for them."""
    taken = []

    def check():
        taken.extend(receiver.take())
        return enough(taken)

    graph.wait_until(check)
    return taken


def frames_of(taken):
    """Decode the detection frames, with their times of arrival."""
    packets = [
        (decode_vision(d.data), d.received_ns) for d in taken if d.channel is Channel.VISION
    ]
    return [(packet.detection, stamp) for packet, stamp in packets if packet.detection]


@pytest.mark.usefixtures('simulator')
def test_match_arrives_and_decodes(graph, receiver):
    """Both cameras, the geometry once per second and the referee are received and valid."""
    taken = gather(graph, receiver, lambda taken: len(taken) > 250)
    vision = [decode_vision(each.data) for each in taken if each.channel is Channel.VISION]
    assert {packet.detection.camera_id for packet in vision if packet.detection} == {0, 1}
    assert sum(packet.geometry is not None for packet in vision) == 2
    referees = [decode_referee(each.data) for each in taken if each.channel is Channel.REFEREE]
    assert {(referee.yellow.name, referee.blue.name) for referee in referees} == {('One', 'Two')}


def test_every_setting_reaches_the_match():
    """All parameters of match and cameras reach the core, including defaults."""
    assert SslSimulatorConfig().match_parameters() == SslMatchParameters()
    config = SslSimulatorConfig(
        cameras=4, clutter=ClutterRate(rate=0.5), yellow_name='One', send_models=False
    )
    chosen = config.match_parameters()
    assert (chosen.cameras, chosen.clutter.rate, chosen.yellow_name) == (4, 0.5, 'One')
    assert not chosen.send_models


def test_the_number_of_cameras_is_a_parameter(graph, channels, receiver):
    """With four cameras all four send, and the geometry has the calibration of each."""
    values = {'robots_per_team': 3, 'cameras': 4, 'bias.position_std': 0.02}
    for channel, endpoint in channels.items():
        name = channel.value
        values |= {f'{name}_group': endpoint.group, f'{name}_port': endpoint.port}
    overrides = [Parameter(name, value=value) for name, value in values.items()]
    assert graph.add(SslSimulator(parameter_overrides=overrides)).autostart()
    taken = gather(graph, receiver, lambda taken: len(taken) > 100)
    vision = [decode_vision(each.data) for each in taken if each.channel is Channel.VISION]
    assert {packet.detection.camera_id for packet in vision if packet.detection} == {0, 1, 2, 3}
    geometry = next(packet.geometry for packet in vision if packet.geometry)
    assert [camera.camera_id for camera in geometry.cameras] == [0, 1, 2, 3]


@pytest.mark.usefixtures('simulator')
def test_no_frame_is_sent_before_the_time_of_its_stamp(graph, receiver):
    """
    A second of frames takes at least a second.

    How late frames are depends on the load of the machine: benchmarks/runtime/response_times.py.
    """
    frames = frames_of(gather(graph, receiver, lambda taken: len(taken) > 300))
    assert frames[-1][0].sent_ns - frames[0][0].sent_ns > 1_000_000_000
    assert min(stamp - frame.sent_ns for frame, stamp in frames) > -CLOCK_STEP_NS


@pytest.mark.usefixtures('simulator')
def test_frames_are_stamped_with_the_time_of_day(graph, receiver):
    """t_capture is Unix time, as in ssl-vision."""
    frames = frames_of(gather(graph, receiver, lambda taken: len(taken) > 50))
    for frame, received_ns in frames:
        assert received_ns - CLOCK_STEP_NS - HOUR_NS < frame.capture_ns < received_ns


def test_the_truth_is_published_at_the_time_of_exposure(graph, channels, receiver):
    """The stamp is that of the exposure in ROS time, without the offset of vision's clock."""
    values = {'robots_per_team': 3, 'clock_offset': 100.0, 'frame_id': 'pitch'}
    for channel, endpoint in channels.items():
        name = channel.value
        values |= {f'{name}_group': endpoint.group, f'{name}_port': endpoint.port}
    overrides = [Parameter(name, value=value) for name, value in values.items()]
    balls = graph.listen(Odometry, 'truth/ball')
    robots = graph.listen(MultiDOFJointState, 'truth/robots')
    assert graph.add(SslSimulator(parameter_overrides=overrides)).autostart()

    def together(taken):
        """Return each detected ball with the true one at its time; t_capture is a double."""
        times = np.array([from_time(message.header.stamp) for message in balls])
        found = []
        for frame, _ in frames_of(taken):
            late = times - (frame.capture_ns - 100 * 10**9)
            found += product(np.flatnonzero(np.abs(late) < 1000), frame.balls)
        return [(ball_of(balls[index]), seen) for index, seen in found]

    taken = gather(graph, receiver, lambda _: len(balls) > 100 and robots)
    pairs = together(taken)
    assert len(pairs) > 50
    for ball, seen in pairs:
        assert np.hypot(*(ball.position[:2] - (seen.x, seen.y))) < 0.05
    assert {message.header.frame_id for message in (*balls, *robots)} == {'pitch'}
    assert {str(name) for name in robots_of(robots[-1]).ids} == {
        f'{team}/{number}' for team in ('blue', 'yellow') for number in range(3)
    }


def test_deactivation_ends_the_match_and_activation_begins_one(graph, receiver, simulator):
    """An inactive simulator sends nothing; activated, it starts with the first frame."""
    gather(graph, receiver, lambda taken: len(taken) > 50)
    simulator.trigger_deactivate()
    reports = graph.listen(DiagnosticArray, '/diagnostics')
    graph.wait_until(lambda: reports)
    list(receiver.take())
    graph.wait_until(lambda: len(reports) >= 2)
    assert reports[-1].status[0].message == 'not active'
    assert list(receiver.take()) == []
    simulator.trigger_activate()
    frames = frames_of(gather(graph, receiver, lambda taken: len(taken) > 50))
    assert frames[0][0].frame_number == 0


def test_diagnostics_count_what_was_sent(graph, simulator):
    """The report is OK, and has the number of datagrams and the address of each channel."""
    reports = graph.listen(DiagnosticArray, '/diagnostics')
    graph.wait_until(lambda: len(reports) >= 2)
    status = reports[-1].status[0]
    assert (status.name, status.level) == ('/ssl_simulator', DiagnosticStatus.OK)
    values = {pair.key: pair.value for pair in status.values}
    assert str(simulator.config.vision_port) in values['vision']
    assert int(values['vision'].split()[0]) > 100
    assert ' 0 failed' in values['referee']


def test_failing_network_is_an_error_and_not_the_end(graph, simulator):
    """Datagrams that cannot be sent are counted, and the match continues."""
    reports = graph.listen(DiagnosticArray, '/diagnostics')
    simulator._sender._sender.close()
    graph.wait_until(lambda: any(r.status[0].level == DiagnosticStatus.ERROR for r in reports))
    assert 'Bad file descriptor' in reports[-1].status[0].message
    failed = simulator._sender.failed['vision']
    graph.wait_until(lambda: simulator._sender.failed['vision'] > failed)


def test_a_missing_interface_is_reported(graph):
    """The node waits for its interface, which may appear later, with an error in /diagnostics."""
    reports = graph.listen(DiagnosticArray, '/diagnostics')
    node = SslSimulator(parameter_overrides=[Parameter('interface', value='nowhere')])
    assert graph.add(node).autostart()

    def is_reported():
        statuses = [status for report in reports for status in report.status]
        return any("interface 'nowhere' does not exist" in status.message for status in statuses)

    graph.wait_until(is_reported)
    assert reports[-1].status[0].level == DiagnosticStatus.ERROR


def test_interrupt_ends_quietly(running, channels, receiver, graph):
    """Ctrl-C ends the node quietly: exit code 0, no traceback."""
    arguments = []
    for channel, endpoint in channels.items():
        name = channel.value
        arguments += [
            '-p',
            f'{name}_group:={endpoint.group}',
            '-p',
            f'{name}_port:={endpoint.port}',
        ]
    with running('ssl_simulator', *arguments) as process:
        gather(graph, receiver, lambda taken: len(taken) > 10)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 0, errors
    assert 'Traceback' not in errors
