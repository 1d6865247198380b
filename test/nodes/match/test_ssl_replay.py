# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A recording is sent as received, at any speed, with its own time on /clock."""

from __future__ import annotations

import statistics
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.parameter import Parameter
from rclpy.qos import QoSHistoryPolicy, QoSProfile, QoSReliabilityPolicy
from rosgraph_msgs.msg import Clock
from std_srvs.srv import SetBool, Trigger

from world_model_core.match.datagram_queues import DatagramQueues
from world_model_core.match.ssl.recording import (
    Message,
    MessageKind,
    RecordingReader,
    RecordingWriter,
)
from world_model_core.match.ssl.recording_playback import CHANNELS
from world_model_core.match.values import Channel
from world_model_nodes.match.ssl_replay import SslReplay
from world_model_nodes.runtime.qos import CLOCK
from world_model_nodes.runtime.udp import MulticastReceiver

START = 1_657_689_229_000_000_000  # ns
STEP = 10_000_000  # ns
KINDS = (
    MessageKind.VISION_2014,
    MessageKind.VISION_TRACKER_2020,
    MessageKind.VISION_2010,
    MessageKind.REFBOX_2013,
)
# /clock is a best-effort topic; a subscriber that keeps all messages is not overrun by a burst.
KEEP_ALL_BEST_EFFORT = QoSProfile(
    history=QoSHistoryPolicy.KEEP_ALL, reliability=QoSReliabilityPolicy.BEST_EFFORT
)


class ReceivedDatagram(NamedTuple):
    """A datagram, its channel, and when it arrived [ns]."""

    channel: str
    data: bytes
    received_ns: int


@pytest.fixture
def channels(endpoints):
    """Give each channel a group and port of this test."""
    return {name: next(endpoints) for name in ('vision', 'tracker', 'referee')}


@pytest.fixture
def receiver(channels):
    """Receive all channels."""
    groups = {Channel(name): endpoint for name, endpoint in channels.items()}
    receiver = MulticastReceiver(groups, 'lo', DatagramQueues(0, lambda _: None), lambda: None)
    yield receiver
    receiver.close()


@pytest.fixture
def recording(tmp_path):
    """Write 0.8 s of datagrams; each contains its own receive time."""
    return write(tmp_path / 'match.log.gz', 80)


def write(path, count):
    """Write a recording with `count` datagrams 10 ms apart, of all kinds in turn."""
    with RecordingWriter(path) as writer:
        for index in range(count):
            stamp = START + index * STEP
            writer.write(Message(stamp, KINDS[index % len(KINDS)], str(stamp).encode()))
    return path


@pytest.fixture
def replay(graph, channels):
    """Start replays in this process; they stay at their end."""

    def start(log, **values):
        values = {'log': str(log), 'exit_at_end': False, **addresses(channels), **values}
        overrides = [Parameter(name, value=value) for name, value in values.items()]
        node = graph.add(SslReplay(parameter_overrides=overrides))
        assert node.autostart()
        return node

    return start


def addresses(channels):
    """Return the parameters of the addresses."""
    groups = {f'{name}_group': endpoint.group for name, endpoint in channels.items()}
    return groups | {f'{name}_port': endpoint.port for name, endpoint in channels.items()}


def arguments(**values):
    """Format parameters for a command line."""
    return [word for name, value in values.items() for word in ('-p', f'{name}:={value}')]


def take(receiver):
    """Return the datagrams received since the last call."""
    return [
        ReceivedDatagram(each.channel.value, each.data, each.received_ns)
        for each in receiver.take()
    ]


def gather(graph, receiver, count):
    """Wait for `count` datagrams."""
    taken = []

    def enough():
        taken.extend(take(receiver))
        return len(taken) >= count

    graph.wait_until(enough)
    return taken


def stamp_of(clock):
    """Return the time of a /clock message [ns]."""
    return clock.clock.sec * 1_000_000_000 + clock.clock.nanosec


def ended(reports):
    """Return whether diagnostics report the end of the recording."""
    last = str(START + 79 * STEP)
    return any(pair.value == last for each in reports for pair in each.status[0].values)


def test_every_datagram_goes_to_its_channel_and_legacy_to_none(graph, receiver, replay, recording):
    """Vision, tracker and referee packets arrive in order and unchanged; legacy packets do not."""
    reports = graph.listen(DiagnosticArray, '/diagnostics')
    replay(recording)
    taken = gather(graph, receiver, 60)
    graph.wait_until(lambda: ended(reports))
    taken += take(receiver)
    expected = [
        (CHANNELS[message.kind], message.data)
        for message in RecordingReader(recording)
        if message.kind != MessageKind.VISION_2010
    ]
    assert sorted((each.channel, each.data) for each in taken) == sorted(expected)
    values = {pair.key: pair.value for pair in reports[-1].status[0].values}
    assert values['VISION_2010 skipped'] == '20'
    assert values['vision'].startswith('20 sent, 0 failed')


@pytest.mark.parametrize('speed', [1.0, 10.0])
def test_timing_is_that_of_the_recording(graph, receiver, replay, tmp_path, speed):
    """At any speed the intervals are those of the recording, divided by the speed."""
    replay(write(tmp_path / 'match.log', round(80 * speed)), speed=speed)
    taken = gather(graph, receiver, round(60 * speed))
    recorded = [(int(each.data) - START) / speed for each in taken]
    received = [each.received_ns - taken[0].received_ns for each in taken]
    errors = [abs(a - b) / 1e9 for a, b in zip(recorded, received, strict=True)]
    assert statistics.median(errors) < 0.02
    assert errors[-1] < 0.2


def test_clock_has_the_time_of_each_datagram(graph, replay, recording):
    """/clock has the recording's receive times, never goes back, and ends with the last one."""
    clocks = graph.listen(Clock, '/clock', KEEP_ALL_BEST_EFFORT)
    replay(recording, listeners=1)
    graph.wait_until(lambda: clocks and stamp_of(clocks[-1]) == START + 79 * STEP)
    stamps = [stamp_of(clock) for clock in clocks]
    assert stamps == sorted(stamps)
    sent = {START + index * STEP for index in range(80) if KINDS[index % 4] in CHANNELS}
    # A slow subscriber of a best-effort topic misses some messages of a burst.
    assert len(sent & set(stamps)) > len(sent) / 4


def test_pause_stops_datagrams_and_time(graph, receiver, replay, recording):
    """While paused nothing is sent and /clock repeats its time; then it continues from there."""
    clocks = graph.listen(Clock, '/clock', CLOCK)
    replay(recording, listeners=1)
    taken = gather(graph, receiver, 10)
    answer = graph.call(SetBool, '/ssl_replay/pause', SetBool.Request(data=True))
    assert answer.success
    count = len(clocks)
    graph.wait_until(lambda: len(clocks) >= count + 2)
    taken += take(receiver)
    graph.wait_until(lambda: len(clocks) >= count + 5)
    assert len({stamp_of(clock) for clock in clocks[count + 1 :]}) == 1
    assert take(receiver) == []
    graph.call(SetBool, '/ssl_replay/pause', SetBool.Request(data=False))
    taken += gather(graph, receiver, 60 - len(taken))
    assert len({each.data for each in taken}) == 60


def test_step_sends_20_ms_of_a_paused_recording(graph, receiver, replay, recording):
    """A step of a paused recording sends what is due in 20 ms; a running one is not stepped."""
    clocks = graph.listen(Clock, '/clock', KEEP_ALL_BEST_EFFORT)
    node = replay(recording, listeners=2)
    assert not graph.call(Trigger, '/ssl_replay/step', Trigger.Request()).success
    graph.call(SetBool, '/ssl_replay/pause', SetBool.Request(data=True))
    stepped = [graph.call(Trigger, '/ssl_replay/step', Trigger.Request()) for _ in range(10)]
    assert all(answer.success for answer in stepped)
    assert stepped[-1].message == f'stepped to {(START + 199_999_999) / 1e9:.3f} s'
    taken = gather(graph, receiver, 15)
    expected = [START + index * STEP for index in range(20) if KINDS[index % 4] in CHANNELS]
    assert sorted(int(each.data) for each in taken) == expected
    graph.wait_until(lambda: clocks and stamp_of(clocks[-1]) == START + 199_999_999)
    assert node._report().warnings[-1] == 'paused'


def test_steps_end_at_the_end_and_reset_begins_again(graph, receiver, replay, recording):
    """Steps past the end stay there, also with exit_at_end; ~/reset goes to the first datagram."""
    clocks = graph.listen(Clock, '/clock', CLOCK)
    replay(recording, listeners=2, exit_at_end=True)
    graph.call(SetBool, '/ssl_replay/pause', SetBool.Request(data=True))
    answers = [graph.call(Trigger, '/ssl_replay/step', Trigger.Request()) for _ in range(41)]
    assert [answer.success for answer in answers] == [True] * 40 + [False]
    assert answers[-1].message == 'the recording has ended; ~/reset goes to its beginning'
    assert len(gather(graph, receiver, 60)) == 60
    resumed = graph.call(SetBool, '/ssl_replay/pause', SetBool.Request(data=False))
    assert (resumed.success, resumed.message) == (False, answers[-1].message)
    graph.wait_until(lambda: clocks and stamp_of(clocks[-1]) >= START + 79 * STEP)
    reset = graph.call(Trigger, '/ssl_replay/reset', Trigger.Request())
    assert reset.success
    assert reset.message.startswith('time went back from ')
    graph.wait_until(lambda: stamp_of(clocks[-1]) == START)
    assert take(receiver) == []
    assert graph.call(Trigger, '/ssl_replay/step', Trigger.Request()).success
    assert [int(each.data) for each in gather(graph, receiver, 2)] == [START, START + STEP]


def test_reset_of_an_ended_recording_plays_it_again(graph, receiver, replay, recording):
    """A recording that has ended and was not paused plays from its beginning."""
    node = replay(recording, speed=10.0)
    gather(graph, receiver, 60)
    graph.wait_until(lambda: node._ended)
    assert graph.call(Trigger, '/ssl_replay/reset', Trigger.Request()).success
    assert int(gather(graph, receiver, 60)[0].data) == START


def test_reset_names_what_is_wrong_with_the_recording(graph, receiver, replay, recording):
    """A recording that has gone is an answer with its name, and time stays where it is."""
    node = replay(recording)
    gather(graph, receiver, 10)
    recording.unlink()
    reset = graph.call(Trigger, '/ssl_replay/reset', Trigger.Request())
    assert not reset.success
    assert f'log: {recording}' in reset.message
    assert node._clock_ns > START


def test_loop_jumps_the_clock_back(graph, receiver, replay, recording):
    """After the last datagram the first one is sent again, with its time on /clock."""
    clocks = graph.listen(Clock, '/clock', CLOCK)
    node = replay(recording, loop=True, speed=4.0)
    taken = gather(graph, receiver, 100)
    assert {count for _, count in Counter(each.data for each in taken).items()} <= {1, 2, 3}
    assert max(Counter(each.data for each in taken).values()) >= 2
    stamps = [stamp_of(clock) for clock in clocks]
    jumps = [after - before for before, after in pairwise(stamps) if after < before]
    assert jumps
    assert all(jump < -0.5e9 for jump in jumps)
    assert node._report().values['loops'] >= 1


def test_speed_can_change_and_nothing_else(graph, receiver, replay, recording):
    """The speed can be set at run time; 0, and any other parameter, is rejected."""
    node = replay(recording, speed=0.01)
    gather(graph, receiver, 1)
    for name, value in (('speed', 0.0), ('vision_port', 12345), ('loop', True)):
        assert not node.set_parameters([Parameter(name, value=value)])[0].successful
    assert node.set_parameters([Parameter('speed', value=100.0)])[0].successful
    gather(graph, receiver, 59)
    assert node.config.speed == 100.0


def test_waits_for_subscribers(graph, receiver, replay, recording):
    """Nothing is sent until /clock has as many subscribers as configured, and the log says so."""
    reports = graph.listen(DiagnosticArray, '/diagnostics')
    clocks = graph.listen(Clock, '/clock', CLOCK)
    replay(recording, listeners=2)
    graph.wait_until(lambda: reports and clocks)
    assert reports[-1].status[0].message == 'waiting for 2 subscribers of /clock'
    assert {stamp_of(clock) for clock in clocks} == {START}
    assert take(receiver) == []
    graph.listen(Clock, '/clock', CLOCK)
    gather(graph, receiver, 60)


def test_truncated_recording_is_a_warning(graph, replay, recording):
    """A truncated tail is reported in /diagnostics, and the loop continues."""
    recording.write_bytes(recording.read_bytes()[:-20])
    reports = graph.listen(DiagnosticArray, '/diagnostics')
    node = replay(recording, loop=True, speed=10.0)
    graph.wait_until(lambda: any(r.status[0].level == DiagnosticStatus.WARN for r in reports))
    assert reports[-1].status[0].message == 'the recording is truncated'
    loops = node._loops
    graph.wait_until(lambda: node._loops > loops)


def test_deactivated_replay_pauses(graph, receiver, replay, recording):
    """Deactivation pauses the recording, activation continues it, and cleanup closes it."""
    node = replay(recording)
    taken = gather(graph, receiver, 10)
    node.trigger_deactivate()
    reports = graph.listen(DiagnosticArray, '/diagnostics')
    graph.wait_until(lambda: reports)
    taken += take(receiver)
    graph.wait_until(lambda: len(reports) >= 2)
    assert reports[-1].status[0].message == 'not active'
    assert take(receiver) == []
    node.trigger_activate()
    taken += gather(graph, receiver, 60 - len(taken))
    assert len({each.data for each in taken}) == 60
    node.trigger_deactivate()
    node.trigger_cleanup()
    assert node._report().message == 'not configured'


def test_process_ends_well_with_the_recording(running, channels, recording):
    """At the end of the recording the process exits with 0 and without a traceback."""
    values = addresses(channels)
    with running('ssl_replay', *arguments(log=recording, speed=4.0, **values)) as process:
        _, errors = process.communicate()
    assert process.returncode == 0, errors
    assert 'end of ' in errors
    assert 'Traceback' not in errors


@pytest.mark.parametrize(
    ('content', 'message'),
    [
        (None, 'No such file'),
        (b'no recording', 'SSL_LOG_FILE'),
        (b'SSL_LOG_FILE\0\0\0\1', 'contains no vision, tracker or referee datagrams'),
    ],
)
def test_invalid_recording_does_not_start(running, tmp_path, content, message):
    """A missing, invalid or empty file is a FATAL error with its name; the exit code is 1."""
    path = tmp_path / 'bad.log'
    if content is not None:
        path.write_bytes(content)
    with running('ssl_replay', *arguments(log=path)) as process:
        _, errors = process.communicate()
    assert process.returncode == 1
    assert 'FATAL' in errors
    assert f'log: {path}' in errors
    assert message in errors


def test_without_a_recording_it_does_not_start(running):
    """Without a recording the node logs a FATAL error and exits with 1."""
    with running('ssl_replay') as process:
        _, errors = process.communicate()
    assert process.returncode == 1
    assert "log: '' is not the path" in errors


def test_recorded_match_arrives_complete(graph, receiver, replay, shared_data):
    """All current datagrams of a recorded match are received, and no legacy ones."""
    path = shared_data('ssl/match_2022_part1.log.gz')
    expected = Counter(
        (CHANNELS[message.kind], message.data)
        for message in RecordingReader(path)
        if message.kind in CHANNELS
    )
    replay(path, speed=2.0)
    taken = gather(graph, receiver, sum(expected.values()))
    assert Counter((each.channel, each.data) for each in taken) == expected
