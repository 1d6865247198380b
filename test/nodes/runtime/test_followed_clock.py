# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A followed clock steps with /clock, up to the step budget."""

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


class ClockFollower:
    """A followed clock on a time that the test sets, with a budget of five steps."""

    def __init__(self, graph, dt=0.1, rate=50.0):
        self.graph, self.now_ns = graph, 0
        self.stamps, self.published, self.resets, self.leaps = [], [], [], []
        self.passed = []
        self.budget = StepBudget(0.05)
        self.node = graph.add(rclpy.create_node('follower'))
        self.clock = FollowedClock(
            self.node,
            dt,
            rate,
            on_time=self._receive,
            on_reset=self.resets.append,
            on_substep=self.passed.append,
            on_skip=self.leaps.append,
            budget=self.budget,
        )
        self.clock._clock_ns = lambda: self.now_ns
        self.clock.run()

    def _receive(self, stamp_ns):
        self.stamps.append(stamp_ns)
        self.published.append(time.monotonic())

    def begin(self):
        """Start the time, and measure a step."""
        self.now_ns = START_NS
        self.graph.wait_until(lambda: self.stamps == [START_NS])
        self.budget.measure(1, 0.01)
        return self

    def go_to(self, now_ns):
        """Set the time, and wait until the clock has reached it."""
        self.now_ns = now_ns
        self.graph.wait_until(lambda: 0 <= now_ns - self.clock.now_ns < DT_NS)


@pytest.fixture
def follower(graph):
    """Return a function that makes a followed clock."""
    return lambda **given: ClockFollower(graph, **given)


def test_without_a_time_nothing_moves(follower):
    """Without /clock an error is reported, and a reset fails."""
    made = follower()
    said = 'use_sim_time is set, but no time has been received on /clock'
    assert made.clock.report().errors == (said,)
    assert not made.graph.call(Trigger, 'follower/reset', Trigger.Request()).success
    assert made.stamps == []
    made.begin()
    assert made.clock.report().errors == ()


def test_a_fast_clock_is_followed_in_several_batches(follower):
    """More steps than the budget are taken in several batches, also if /clock has stopped."""
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


def test_a_jump_of_the_clock_is_skipped(follower, capfd):
    """A jump of a day is reported once, logged and skipped, and the steps continue."""
    made = follower().begin()
    day_ns = START_NS + 86_400 * SECOND
    made.go_to(day_ns)
    # A step so soon after the first one that the rate forbids to publish it is a substep.
    assert made.stamps + made.passed == [START_NS, day_ns]
    assert made.leaps == [day_ns - 5 * DT_NS]
    assert made.clock.report().warnings == ('86399.500 s behind /clock, skipped',)
    assert '86399.500 s behind /clock' in capfd.readouterr().err
    assert made.clock.report().warnings == ()
    made.go_to(day_ns + DT_NS)
    assert len(made.leaps) == 1


def test_a_clock_that_is_set_back_starts_over(follower):
    """Steps are counted from the time to which the clock was set."""
    made = follower().begin()
    made.go_to(START_NS + 2 * DT_NS)
    made.go_to(START_NS - 7)
    assert made.resets == [START_NS, START_NS - 7]
    made.go_to(START_NS + DT_NS)
    assert made.stamps[-1] == START_NS - 7 + DT_NS


def test_the_publishing_rate_is_limited(follower):
    """At most 20 times per second are published while the clock advances."""
    made = follower(dt=0.001, rate=20.0).begin()

    def go_on():
        made.now_ns += SECOND // 1000
        return len(made.stamps) > 5

    made.graph.wait_until(go_on)
    gaps = [
        after - before for before, after in zip(made.published, made.published[1:], strict=False)
    ]
    assert min(gaps) > 0.04
