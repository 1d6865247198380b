# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A simulated clock runs, pauses, steps and resets, and publishes its time."""

from __future__ import annotations

import itertools

import pytest
import rclpy
from rosgraph_msgs.msg import Clock
from std_srvs.srv import SetBool, Trigger

from world_model_core.simulation.simulated_time import Timeline
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.runtime.qos import CLOCK
from world_model_nodes.runtime.simulated_clock import SimulatedClock
from world_model_nodes.runtime.step_budget import StepBudget

DT_NS = 20_000_000
START_NS = 5_000_000_000


class ClockTower:
    """A simulated clock, and its subscriber."""

    def __init__(self, graph, speed, rate, **options):
        self.graph = graph
        self.stamps, self.resets, self.failure = [], [], None
        self.node = graph.add(rclpy.create_node('tower'))
        self.clock = SimulatedClock(
            self.node, self._receive, self.resets.append, speed, rate, **options
        )
        self._messages = graph.listen(Clock, '/clock', CLOCK)
        graph.wait_until(lambda: graph.probe.count_publishers('/clock'))

    def _receive(self, stamp_ns):
        self.stamps.append(stamp_ns)
        return self.failure

    def start(self):
        """Run the clock from the start."""
        self.clock.load(Timeline(5.0, 0.02))
        self.clock.run()
        self.graph.wait_until(lambda: len(self.published) > 5)
        return self

    @property
    def published(self):
        """Return all published times [ns]."""
        return [from_time(message.clock) for message in self._messages]

    def pause(self, stop=True):
        """Pause or resume."""
        return self.graph.call(SetBool, 'tower/pause', SetBool.Request(data=stop))

    def ask(self, name):
        """Request a step or a reset."""
        return self.graph.call(Trigger, f'tower/{name}', Trigger.Request())

    def publishes_the_same(self):
        """Return whether the last three published times are equal."""
        return len(set(self.published[-3:])) == 1 and len(self.published) >= 3


@pytest.fixture
def tower(graph):
    """Return a function that makes a clock."""
    return lambda speed=1.0, rate=100.0, **options: ClockTower(graph, speed, rate, **options)


def test_the_clock_waits_for_its_subscribers(tower, graph):
    """Time starts when /clock has as many subscribers as configured, with the start time."""
    made = tower(listeners=2)
    made.clock.load(Timeline(5.0, 0.02))
    made.clock.run()
    graph.wait_until(lambda: len(made.published) > 8)
    assert set(made.published) == {START_NS}
    assert made.clock.waits
    count = len(made.stamps)
    graph.listen(Clock, '/clock', CLOCK)
    graph.wait_until(lambda: not made.clock.waits)
    graph.wait_until(lambda: len(made.stamps) > count + 5)
    assert made.stamps[count] == START_NS
    assert made.stamps[count + 1] == START_NS + DT_NS


def test_time_goes_in_steps_from_its_start(tower):
    """Every step is published, and time never goes back."""
    place = tower().start()
    assert place.stamps[0] == START_NS
    assert set(range(START_NS, max(place.stamps) + 1, DT_NS)) == set(place.stamps)
    assert place.published == sorted(place.published)
    assert {(stamp - START_NS) % DT_NS for stamp in place.published} == {0}


def test_a_fast_clock_publishes_at_its_rate(tower):
    """At 100 times real time and 50 Hz every hundredth step is published, and no other."""
    place = tower(speed=100.0, rate=50.0)
    place.start()
    assert {(stamp - START_NS) % (100 * DT_NS) for stamp in place.published} == {0}


def test_an_idle_clock_is_silent(tower):
    """An inactive clock publishes nothing and cannot be stepped; it continues from its time."""
    place = tower().start()
    place.clock.halt()
    before, count = place.clock.now_ns, len(place.stamps)
    answer = place.ask('step')
    assert (answer.success, place.clock.now_ns, len(place.stamps)) == (False, before, count)
    place.clock.run()
    place.graph.wait_until(lambda: place.clock.now_ns > before)
    assert sorted(place.stamps) == place.stamps


def test_a_paused_clock_publishes_its_time(tower):
    """A paused clock repeats its time for late subscribers, and continues from there."""
    place = tower().start()
    answer = place.pause()
    assert answer.success
    assert answer.message == f'paused at {place.clock.now_ns / 1e9:.3f} s'
    place.graph.wait_until(place.publishes_the_same)
    stood = place.published[-1]
    assert stood == place.clock.now_ns
    assert place.pause(stop=False).message == 'runs'
    place.graph.wait_until(lambda: place.published[-1] > stood)
    assert set(range(START_NS, max(place.stamps) + 1, DT_NS)) == set(place.stamps)


def test_a_paused_clock_can_be_stepped(tower):
    """Each step is one dt, and published at once; a running clock cannot be stepped."""
    place = tower().start()
    refused = place.ask('step')
    assert not refused.success
    assert 'paused' in refused.message
    place.pause()
    before = place.clock.now_ns
    for count in (1, 2):
        answer = place.ask('step')
        assert answer.success
        assert place.clock.now_ns == before + count * DT_NS
        assert place.stamps[-1] == place.clock.now_ns
    place.graph.wait_until(lambda: place.published[-1] == before + 2 * DT_NS)


@pytest.mark.parametrize('paused', [False, True])
def test_a_reset_goes_back_to_the_start(tower, paused, capfd):
    """Running or paused, a reset reports both times, and the clock stays running or paused."""
    place = tower().start()
    if paused:
        place.pause()
    before = place.clock.now_ns
    answer = place.ask('reset')
    assert answer.success
    assert answer.message.startswith('time went back from 5.')
    assert answer.message.endswith(' to 5.000 s')
    assert f'[tower]: {answer.message}' in capfd.readouterr().err
    assert place.resets == [START_NS]
    back = place.stamps.index(START_NS, 1)
    assert place.stamps[back - 1] >= before
    place.graph.wait_until(lambda: START_NS in place.published[6:])
    assert place.clock.paused == paused
    if paused:
        assert place.clock.now_ns == START_NS
    else:
        place.graph.wait_until(lambda: place.published[-1] > START_NS)


def test_another_scene_has_another_time(tower, capfd):
    """Loaded while the clock runs, a new timeline starts at its own start, without a warning."""
    place = tower().start()
    place.clock.load(Timeline(100.0, 0.5))
    assert place.stamps[-1] == 100_000_000_000
    place.graph.wait_until(lambda: 100_000_000_000 in place.published)
    assert 'went back' not in capfd.readouterr().err


def test_the_speed_can_be_changed(tower):
    """A very slow clock becomes fast at once, although its next step is far away."""
    place = tower(speed=0.01)
    place.clock.load(Timeline(5.0, 0.02))
    place.clock.run()
    place.graph.wait_until(lambda: place.stamps)
    place.clock.change_speed(1000.0)
    place.graph.wait_until(lambda: place.clock.now_ns > START_NS + 100 * DT_NS)
    place.clock.change_speed(0.01)
    before = place.clock.now_ns
    place.graph.wait_until(place.publishes_the_same)
    assert place.clock.now_ns - before <= DT_NS


def test_no_time_is_published_twice(tower):
    """After any request each time is published once, and the next one is a step later."""
    place = tower(speed=5.0).start()
    place.clock.change_speed(4.0)
    place.graph.wait_until(lambda: len(place.stamps) > 20)
    place.pause()
    place.ask('step')
    place.clock.change_speed(2.0)
    place.ask('step')
    place.pause(stop=False)
    count = len(place.stamps)
    place.graph.wait_until(lambda: len(place.stamps) > count + 5)
    assert len(set(place.stamps)) == len(place.stamps)
    assert place.stamps == sorted(place.stamps)
    place.ask('reset')
    begun = place.stamps.index(START_NS, 1)
    place.graph.wait_until(lambda: len(place.stamps) > begun + 5)
    assert place.stamps.count(START_NS) == 2
    assert place.stamps[begun + 1 :] == sorted(set(place.stamps[begun + 1 :]))


@pytest.mark.parametrize('speeds', [(0.2, 0.2), (0.2, 0.21)])
def test_setting_the_speed_does_not_stop_time(tower, speeds):
    """However often the speed is set, the step under way is completed."""
    place = tower(speed=speeds[0])
    place.clock.load(Timeline(5.0, 0.02))
    place.clock.run()
    asked = itertools.cycle(speeds)

    def set_speed():
        place.clock.change_speed(next(asked))
        return len(place.stamps) > 4

    place.graph.wait_until(set_speed)


def test_steps_at_once_are_limited_by_the_budget(tower):
    """A thousand steps between two publications are taken in two batches."""
    budget, passed = StepBudget(0.05), []
    place = tower(speed=1000.0, rate=50.0, budget=budget, on_substep=passed.append)
    budget.measure(1, 0.0001)
    place.start()
    visited = sorted({*place.stamps, *passed})
    assert visited[:5] == [START_NS + 500 * number * DT_NS for number in range(5)]


def test_a_clock_that_is_too_slow_for_its_speed_publishes_times_in_between(tower, monkeypatch):
    """Times are published at the rate, although the step due at that speed is far away."""
    seconds = itertools.count()
    monkeypatch.setattr(
        'world_model_nodes.runtime.simulated_clock.monotonic', lambda: next(seconds)
    )
    budget = StepBudget(0.05)
    place = tower(speed=1000.0, rate=50.0, budget=budget)
    budget.measure(1, 0.01)
    place.start()
    assert place.stamps[:4] == [START_NS + 5 * number * DT_NS for number in range(4)]


def test_a_failed_step_is_reported(tower):
    """The response has the reason."""
    place = tower().start()
    place.pause()
    place.failure = 'too many pebbles'
    answer = place.ask('step')
    assert (answer.success, answer.message) == (False, 'too many pebbles')
    place.failure = None
    assert place.ask('step').success


def test_two_publishers_of_the_clock_are_a_warning(tower):
    """A second publisher of /clock is reported; a single one is not."""
    place = tower().start()
    assert place.clock.report().warnings == ()
    place.graph.probe.create_publisher(Clock, '/clock', CLOCK)
    warnings = place.graph.wait_until(lambda: place.clock.report().warnings)
    assert warnings == ('/clock has 2 publishers; it must have 1',)


def test_a_closed_clock_can_be_replaced(tower):
    """Its topic and services are removed, and another clock can be made."""
    place = tower().start()
    place.clock.halt()
    place.clock.close()
    place.graph.wait_until(lambda: not place.graph.probe.count_publishers('/clock'))
    names = {name for name, _ in place.graph.probe.get_service_names_and_types()}
    assert not {'/tower/pause', '/tower/step', '/tower/reset'} & names


def test_several_steps_are_one_tick(graph):
    """A paused clock advances by steps; only the time after the last one is reported."""
    tower = ClockTower(graph, speed=1.0, rate=50.0).start()
    assert tower.clock.pause(paused=True).success
    before_ns = tower.clock.now_ns
    tower.stamps.clear()
    assert tower.clock.step(10).success
    assert tower.stamps == [before_ns + 10 * DT_NS]
    assert tower.clock.now_ns == before_ns + 10 * DT_NS


def test_a_restart_does_not_reset_the_world(graph):
    """The time is that of the start, and the callback of a reset is not called."""
    tower = ClockTower(graph, speed=1.0, rate=50.0).start()
    tower.clock.restart()
    assert tower.stamps[-1] == START_NS
    assert tower.resets == []
