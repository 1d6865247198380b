# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A scene's time: it runs, stands, is stepped and begun anew, and everybody is told."""

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


class Tower:
    """A clock, and who looks at it."""

    def __init__(self, graph, speed, rate, **options):
        self.graph = graph
        self.stamps, self.resets, self.failure = [], [], None
        self.node = graph.add(rclpy.create_node('tower'))
        self.clock = SimulatedClock(
            self.node, self._hear, self.resets.append, speed, rate, **options
        )
        self._heard = graph.listen(Clock, '/clock', CLOCK)
        graph.wait_until(lambda: graph.probe.count_publishers('/clock'))

    def _hear(self, stamp_ns):
        self.stamps.append(stamp_ns)
        return self.failure

    def start(self):
        """Run from the start."""
        self.clock.load(Timeline(5.0, 0.02))
        self.clock.run()
        self.graph.wait_until(lambda: len(self.heard) > 5)
        return self

    @property
    def heard(self):
        """All times that were published [ns]."""
        return [from_time(message.clock) for message in self._heard]

    def pause(self, stop=True):
        """Ask for a pause, or its end."""
        return self.graph.call(SetBool, 'tower/pause', SetBool.Request(data=stop))

    def ask(self, name):
        """Ask for a step or a reset."""
        return self.graph.call(Trigger, f'tower/{name}', Trigger.Request())

    def tells_steadily(self):
        """Tell whether the last three times that were published are the same."""
        return len(set(self.heard[-3:])) == 1 and len(self.heard) >= 3


@pytest.fixture
def tower(graph):
    """Make a clock."""
    return lambda speed=1.0, rate=100.0, **options: Tower(graph, speed, rate, **options)


def test_time_waits_for_who_wants_to_follow_it(tower, graph):
    """It stands until so many listen, and then begins by what was told to nobody before."""
    made = tower(listeners=2)
    made.clock.load(Timeline(5.0, 0.02))
    made.clock.run()
    graph.wait_until(lambda: len(made.heard) > 8)
    assert set(made.heard) == {START_NS}
    assert made.clock.waits
    told = len(made.stamps)
    graph.listen(Clock, '/clock', CLOCK)
    graph.wait_until(lambda: not made.clock.waits)
    graph.wait_until(lambda: len(made.stamps) > told + 5)
    assert made.stamps[told] == START_NS
    assert made.stamps[told + 1] == START_NS + DT_NS


def test_time_goes_in_steps_from_its_start(tower):
    """Every time is a step, none is left out, and it never goes back."""
    place = tower().start()
    assert place.stamps[0] == START_NS
    assert set(range(START_NS, max(place.stamps) + 1, DT_NS)) == set(place.stamps)
    assert place.heard == sorted(place.heard)
    assert {(stamp - START_NS) % DT_NS for stamp in place.heard} == {0}


def test_a_fast_clock_is_told_at_its_rate(tower):
    """At 100 times real time and 50 Hz each hundredth step is told, and no other."""
    place = tower(speed=100.0, rate=50.0)
    place.start()
    assert {(stamp - START_NS) % (100 * DT_NS) for stamp in place.heard} == {0}


def test_an_idle_clock_is_silent(tower):
    """Who is not active publishes nothing, and what stands still because of it stays there."""
    place = tower().start()
    place.clock.halt()
    before, count = place.clock.now_ns, len(place.stamps)
    answer = place.ask('step')
    assert (answer.success, place.clock.now_ns, len(place.stamps)) == (False, before, count)
    place.clock.run()
    place.graph.wait_until(lambda: place.clock.now_ns > before)
    assert sorted(place.stamps) == place.stamps


def test_a_paused_clock_is_told_still(tower):
    """Who joins while it stands must learn the time; afterwards it goes on from there."""
    place = tower().start()
    answer = place.pause()
    assert answer.success
    assert answer.message == f'paused at {place.clock.now_ns / 1e9:.3f} s'
    place.graph.wait_until(place.tells_steadily)
    stood = place.heard[-1]
    assert stood == place.clock.now_ns
    assert place.pause(stop=False).message == 'runs'
    place.graph.wait_until(lambda: place.heard[-1] > stood)
    assert set(range(START_NS, max(place.stamps) + 1, DT_NS)) == set(place.stamps)


def test_a_paused_clock_can_be_stepped(tower):
    """Each step is one dt, and told at once; a running clock cannot be stepped."""
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
    place.graph.wait_until(lambda: place.heard[-1] == before + 2 * DT_NS)


@pytest.mark.parametrize('paused', [False, True])
def test_a_reset_goes_back_to_the_start(tower, paused, capfd):
    """It is told that time went back, from where and to where; running or not, it stays so."""
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
    place.graph.wait_until(lambda: START_NS in place.heard[6:])
    assert place.clock.paused == paused
    if paused:
        assert place.clock.now_ns == START_NS
    else:
        place.graph.wait_until(lambda: place.heard[-1] > START_NS)


def test_another_scene_has_another_time(tower, capfd):
    """Loaded while it runs, time goes on from the start of the new one; ahead is no warning."""
    place = tower().start()
    place.clock.load(Timeline(100.0, 0.5))
    assert place.stamps[-1] == 100_000_000_000
    place.graph.wait_until(lambda: 100_000_000_000 in place.heard)
    assert 'went back' not in capfd.readouterr().err


def test_the_speed_can_be_changed(tower):
    """From a crawl, in which the next step is far away, it hurries at once."""
    place = tower(speed=0.01)
    place.clock.load(Timeline(5.0, 0.02))
    place.clock.run()
    place.graph.wait_until(lambda: place.stamps)
    place.clock.change_speed(1000.0)
    place.graph.wait_until(lambda: place.clock.now_ns > START_NS + 100 * DT_NS)
    place.clock.change_speed(0.01)
    before = place.clock.now_ns
    place.graph.wait_until(place.tells_steadily)
    assert place.clock.now_ns - before <= DT_NS


def test_nothing_is_told_twice(tower):
    """Whatever is asked of a clock, an instant comes once, and the next one a step later."""
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
def test_who_asks_for_a_speed_does_not_stop_time(tower, speeds):
    """However often it is asked for, the same one or another, the step that has begun goes on."""
    place = tower(speed=speeds[0])
    place.clock.load(Timeline(5.0, 0.02))
    place.clock.run()
    asked = itertools.cycle(speeds)

    def ask_and_look():
        place.clock.change_speed(next(asked))
        return len(place.stamps) > 4

    place.graph.wait_until(ask_and_look)


def test_no_more_steps_are_taken_at_once_than_fit(tower):
    """Of the thousand from one telling to the next five hundred, and then the others."""
    budget, passed = StepBudget(0.05), []
    place = tower(speed=1000.0, rate=50.0, budget=budget, on_way=passed.append)
    budget.measure(1, 0.0001)
    place.start()
    visited = sorted({*place.stamps, *passed})
    assert visited[:5] == [START_NS + 500 * number * DT_NS for number in range(5)]


def test_who_is_too_slow_for_the_speed_tells_the_time_in_between(tower, monkeypatch):
    """At its rate, though the step that would be told at that speed is far away."""
    seconds = itertools.count()
    monkeypatch.setattr(
        'world_model_nodes.runtime.simulated_clock.monotonic', lambda: next(seconds)
    )
    budget = StepBudget(0.05)
    place = tower(speed=1000.0, rate=50.0, budget=budget)
    budget.measure(1, 0.01)
    place.start()
    assert place.stamps[:4] == [START_NS + 5 * number * DT_NS for number in range(4)]


def test_a_step_that_moves_nothing_is_no_success(tower):
    """The answer says why."""
    place = tower().start()
    place.pause()
    place.failure = 'too many pebbles'
    answer = place.ask('step')
    assert (answer.success, answer.message) == (False, 'too many pebbles')
    place.failure = None
    assert place.ask('step').success


def test_two_tellers_of_time_are_a_warning(tower):
    """Each would contradict the other; alone there is nothing to say."""
    place = tower().start()
    assert place.clock.report().warnings == ()
    place.graph.probe.create_publisher(Clock, '/clock', CLOCK)
    told = place.graph.wait_until(lambda: place.clock.report().warnings)
    assert told == ('/clock has 2 publishers; it must have one',)


def test_a_closed_clock_leaves_nothing(tower):
    """Its topic and its services are gone, and another one can take their place."""
    place = tower().start()
    place.clock.halt()
    place.clock.close()
    place.graph.wait_until(lambda: not place.graph.probe.count_publishers('/clock'))
    names = {name for name, _ in place.graph.probe.get_service_names_and_types()}
    assert not {'/tower/pause', '/tower/step', '/tower/reset'} & names
