# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The ages of a node's inputs, and the warnings of stale ones."""

from __future__ import annotations

import pytest
import rclpy
from rclpy.clock import ClockType
from rclpy.parameter import Parameter
from rclpy.time import Time

from world_model_nodes.runtime.input_ages import InputAges

SECOND = 10**9


class Consumer:
    """The inputs of a node whose ROS time and real time are set by the test."""

    def __init__(self, graph, monkeypatch):
        simulated = [Parameter('use_sim_time', value=True)]
        self._node = graph.add(rclpy.create_node('consumer', parameter_overrides=simulated))
        self._real_ns = 0
        monkeypatch.setattr(
            'world_model_nodes.runtime.input_ages.monotonic_ns', lambda: self._real_ns
        )
        self.ages = InputAges(self._node, ('ball', 'robots'), ('game',), limit=2.0)

    def go_to(self, ros, real):
        """Set both times [s]."""
        stamp = Time(nanoseconds=round(ros * SECOND), clock_type=ClockType.ROS_TIME)
        self._node.get_clock().set_ros_time_override(stamp)
        self._real_ns = round(real * SECOND)

    def report(self):
        """Return warnings and values."""
        made = self.ages.report()
        return made.warnings, dict(made.values)


@pytest.fixture
def consumer(graph, monkeypatch):
    """Make a consumer that used a ball and the game at 100 s of ROS time and 0 s of real time."""
    made = Consumer(graph, monkeypatch)
    made.go_to(100.0, 0.0)
    made.ages.use('ball')
    made.ages.use('game')
    return made


def test_ages_are_reported_in_ros_time(consumer):
    """A stream has an age from its first use on, a state has none."""
    consumer.go_to(101.5, 9.0)
    expected = {'ball.age [s]': '1.500', 'robots.age [s]': 'not received yet', 'game': 'received'}
    assert consumer.report() == ((), expected)


def test_a_stale_stream_is_named(consumer):
    """The warning has topic, age and limit; the next use ends it; a state is never stale."""
    consumer.go_to(102.5, 2.5)
    warnings, _ = consumer.report()
    assert warnings == ('ball: no message used for 2.500 s; the limit is 2 s',)
    consumer.ages.use('ball')
    assert consumer.report()[0] == ()


def test_a_paused_simulation_makes_no_warning(consumer):
    """While /clock stands, nothing ages."""
    consumer.go_to(100.0, 60.0)
    assert consumer.report()[0] == ()


def test_a_fast_simulation_makes_no_warning(consumer):
    """A message per 50 ms of real time is on time, even if these are minutes of simulated time."""
    consumer.go_to(300.0, 0.05)
    assert consumer.report()[0] == ()


def test_ages_start_over_when_time_goes_back(consumer):
    """After the restart of a replay an input is as old as the replay, not negative."""
    consumer.go_to(10.0, 1.0)
    assert consumer.report()[1]['ball.age [s]'] == '0.000'
    consumer.go_to(13.0, 4.0)
    assert consumer.report()[0] == ('ball: no message used for 3.000 s; the limit is 2 s',)


def test_an_ended_stream_is_not_stale(consumer):
    """A stream whose end was announced does not become stale until it starts again."""
    consumer.ages.end('ball')
    consumer.go_to(110.0, 10.0)
    warnings, values = consumer.report()
    assert (warnings, values['ball.age [s]']) == ((), 'ended')
    consumer.ages.use('ball')
    assert consumer.report()[1]['ball.age [s]'] == '0.000'


def test_an_input_that_is_only_refused_is_named(consumer):
    """Messages arrive, but none is used: a warning with number and cause, until one is used."""
    for _ in range(3):
        consumer.ages.refuse('robots', 'unknown frame: camera')
    expected = ('robots: 3 messages refused and none used: unknown frame: camera',)
    assert consumer.report() == (expected, consumer.report()[1])
    consumer.ages.use('robots')
    assert consumer.report()[0] == ()


def test_single_refused_messages_are_only_counted(consumer):
    """A stream that was used warns when nothing is used for the limit."""
    consumer.go_to(101.0, 1.0)
    consumer.ages.refuse('ball', 'malformed')
    assert consumer.report()[0] == ()
    consumer.go_to(104.0, 4.0)
    consumer.ages.refuse('ball', 'malformed')
    assert consumer.report()[0] == ('ball: 2 messages refused and none used: malformed',)
    consumer.go_to(300.0, 200.0)
    assert consumer.report()[0] == ('ball: no message used for 200.000 s; the limit is 2 s',)


def test_a_refused_state_is_a_warning(consumer):
    """A state is sent once: if its newest message was refused, the one in use is old."""
    consumer.ages.refuse('game', 'not JSON')
    consumer.go_to(1000.0, 900.0)
    warnings, _ = consumer.report()
    assert 'game: 1 messages refused and none used: not JSON' in warnings


def test_each_source_of_a_topic_is_judged_by_itself(consumer):
    """A camera whose frames are all refused is named, although those of another one are used."""
    for _ in range(2):
        consumer.ages.use('ball', 'front')
        consumer.ages.refuse('ball', 'unknown frame: rear', 'rear')
    expected = ('ball: 2 messages refused and none used: unknown frame: rear',)
    assert consumer.report()[0] == expected
    consumer.ages.use('ball', 'rear')
    assert consumer.report()[0] == ()


def test_the_number_of_sources_is_bounded(consumer):
    """Messages that name ever other sources do not fill the memory or the report."""
    for number in range(1000):
        consumer.ages.refuse('ball', 'unknown frame', f'camera {number}')
        consumer.ages.use('robots', f'camera {number}')
    consumer.ages.refuse('elsewhere', 'unknown frame')
    assert len(consumer.report()[0]) == 50
