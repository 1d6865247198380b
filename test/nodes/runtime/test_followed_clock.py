# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Steps follow a clock that somebody else tells: as far as they can, and not beyond."""

from __future__ import annotations

import time

import pytest
import rclpy
from std_srvs.srv import Trigger

from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND
from world_model_nodes.runtime.followed_clock import FollowedClock
from world_model_nodes.runtime.step_budget import StepBudget

DT_NS = SECOND // 10
START_NS = 100 * SECOND


class Follower:
    """A follower of a clock that a test sets; five steps are as many as it can take at once."""

    def __init__(self, graph, dt=0.1, rate=50.0):
        self.graph, self.now_ns = graph, 0
        self.stamps, self.tellings, self.resets, self.leaps = [], [], [], []
        self.passed = []
        self.budget = StepBudget(0.05)
        self.node = graph.add(rclpy.create_node('follower'))
        self.clock = FollowedClock(
            self.node,
            dt,
            rate,
            on_time=self._hear,
            on_reset=self.resets.append,
            on_way=self.passed.append,
            on_leap=self.leaps.append,
            budget=self.budget,
        )
        self.clock._clock_ns = lambda: self.now_ns
        self.clock.run()

    def _hear(self, stamp_ns):
        self.stamps.append(stamp_ns)
        self.tellings.append(time.monotonic())

    def begin(self):
        """Let time begin, and measure a step."""
        self.now_ns = START_NS
        self.graph.wait_until(lambda: self.stamps == [START_NS])
        self.budget.measure(1, 0.01)
        return self

    def go_to(self, now_ns):
        """Set the clock, and wait until the follower is there."""
        self.now_ns = now_ns
        self.graph.wait_until(lambda: 0 <= now_ns - self.clock.now_ns < DT_NS)


@pytest.fixture
def follower(graph):
    """Make a follower."""
    return lambda **given: Follower(graph, **given)


def test_without_a_time_nothing_moves(follower):
    """It is an error of the environment, and there is nothing to reset."""
    made = follower()
    assert made.clock.report().errors == ('use_sim_time is set, but /clock has not been heard',)
    assert not made.graph.call(Trigger, 'follower/reset', Trigger.Request()).success
    assert made.stamps == []
    made.begin()
    assert made.clock.report().errors == ()


def test_a_clock_that_hurries_is_caught_up_with(follower):
    """What is due and too much for once is done in several goes, even if the clock then stands."""
    made = follower().begin()
    made.go_to(START_NS + 12 * DT_NS + 3)
    visited = sorted(made.stamps[1:] + made.passed)
    assert visited == [START_NS + steps * DT_NS for steps in (5, 10, 12)]
    assert made.stamps[-1] == visited[-1]
    made.go_to(START_NS + 62 * DT_NS)
    assert sorted(made.stamps[1:] + made.passed)[3:] == [
        START_NS + steps * DT_NS for steps in range(17, 63, 5)
    ]
    assert made.leaps == []
    assert made.clock.report().warnings == ()


def test_a_leap_of_the_clock_is_left_out(follower, capfd):
    """A day cannot be stepped through: it is reported once, and logged, and time goes on."""
    made = follower().begin()
    day_ns = START_NS + 86_400 * SECOND
    made.go_to(day_ns)
    assert made.stamps == [START_NS, day_ns]
    assert made.leaps == [day_ns - 5 * DT_NS]
    assert made.clock.report().warnings == ('behind the clock by 86399.500 s, left out',)
    assert 'behind the clock by 86399.500 s' in capfd.readouterr().err
    assert made.clock.report().warnings == ()
    made.go_to(day_ns + DT_NS)
    assert len(made.leaps) == 1


def test_a_clock_that_is_set_back_begins_anew(follower):
    """Steps are then counted from where it went to."""
    made = follower().begin()
    made.go_to(START_NS + 2 * DT_NS)
    made.go_to(START_NS - 7)
    assert made.resets == [START_NS, START_NS - 7]
    made.go_to(START_NS + DT_NS)
    assert made.stamps[-1] == START_NS - 7 + DT_NS


def test_it_tells_no_more_often_than_asked(follower):
    """20 times a second at most, of a clock that goes on all the time."""
    made = follower(dt=0.001, rate=20.0).begin()

    def go_on():
        made.now_ns += SECOND // 1000
        return len(made.stamps) > 5

    made.graph.wait_until(go_on)
    gaps = [
        after - before for before, after in zip(made.tellings, made.tellings[1:], strict=False)
    ]
    assert min(gaps) > 0.04
