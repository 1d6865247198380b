# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A player steps a simulated world, paces its readings, and can be paused, stepped and reset."""

from __future__ import annotations

import pytest
import rclpy
from std_srvs.srv import SetBool, Trigger

from world_model_nodes.runtime.pacing import Pacer
from world_model_nodes.runtime.simulation import SimulationPlayer

MILLISECOND = 1_000_000
EPOCH_NS = 5_000_000_000
STEP_NS = 20 * MILLISECOND


class CountingWorld:
    """A world whose readings are the number and the middle time of the step."""

    def __init__(self):
        self.resets = 0
        self.reset()
        self.resets = 0

    def reset(self):
        """Start again."""
        self.steps, self.resets = 0, self.resets + 1

    def step(self, dt):
        """Measure twice."""
        assert round(dt * 1e9) == STEP_NS
        self.steps += 1
        end_ns = self.steps * STEP_NS
        return [(end_ns - STEP_NS // 2, 'middle'), (end_ns, self.steps)]


class PlayerStage:
    """A node with a player, and the items that it delivered."""

    def __init__(self, graph, clock):
        self.graph, self.clock, self.delivered = graph, clock, []
        self.world = CountingWorld()
        self.player = SimulationPlayer(
            graph.add(rclpy.create_node('stage')),
            lambda readings: readings,
            lambda stamp_ns, item: self.delivered.append((stamp_ns, item)),
        )

    def start(self):
        """Play the world."""
        self.player.start(self.world, EPOCH_NS, STEP_NS / 1e9)
        return self

    def advance_to(self, count):
        """Advance the time until `count` items were delivered."""

        def check():
            self.clock[0] += MILLISECOND
            return len(self.delivered) >= count

        self.graph.wait_until(check)

    def pause(self, stop=True):
        """Call ~/pause."""
        return self.graph.call(SetBool, 'stage/pause', SetBool.Request(data=stop))

    def call(self, name):
        """Call ~/step or ~/reset."""
        return self.graph.call(Trigger, f'stage/{name}', Trigger.Request())


@pytest.fixture
def stage(graph, monkeypatch):
    """Make a player with a steady clock that the test sets."""
    now_ns = [0]
    monkeypatch.setattr(Pacer, '_now', lambda _: now_ns[0])
    return PlayerStage(graph, now_ns)


def expected(count):
    """Return the first items of a run."""
    half = STEP_NS // 2
    return [
        (EPOCH_NS + half * (index + 1), 'middle' if index % 2 == 0 else (index + 1) // 2)
        for index in range(count)
    ]


def test_readings_are_delivered_at_their_own_times(stage):
    """Each item of a step comes once, in order, with the time of the start added."""
    stage.start().advance_to(9)
    assert stage.delivered == expected(len(stage.delivered))
    assert stage.player.runs
    assert stage.player.warnings == ()


def test_a_player_that_was_not_started_refuses_steps_and_resets(stage):
    """The reason is in the response and in the diagnostics."""
    assert stage.player.warnings == ('not active',)
    for name in ('step', 'reset'):
        answer = stage.call(name)
        assert not answer.success
        assert 'active' in answer.message


def test_a_paused_player_delivers_one_step_per_call(stage):
    """A running player refuses to step; a paused one delivers exactly the items of a step."""
    stage.start().advance_to(4)
    assert not stage.call('step').success
    assert stage.pause().message.startswith('paused at 5.0')
    assert stage.player.warnings == ('paused',)
    before = len(stage.delivered)
    for count in (1, 2, 3):
        answer = stage.call('step')
        assert answer.success
        assert answer.message.startswith('stepped to 5.')
        assert len(stage.delivered) == before + 2 * count
    stage.clock[0] += 10 * STEP_NS
    assert stage.pause(stop=False).message == 'runs'
    stage.advance_to(before + 10)
    assert stage.delivered == expected(len(stage.delivered))


@pytest.mark.parametrize('paused', [False, True])
def test_a_reset_repeats_the_run(stage, paused):
    """The world starts again, paused or not, and the response has both times."""
    stage.start().advance_to(4)
    if paused:
        stage.pause()
    stage.delivered.clear()
    answer = stage.call('reset')
    assert answer.success
    assert answer.message.startswith('time went back from 5.0')
    assert stage.world.resets == 1
    if paused:
        assert stage.delivered == []
        stage.pause(stop=False)
    stage.advance_to(4)
    assert stage.delivered == expected(len(stage.delivered))


def test_a_stopped_player_is_silent(stage):
    """After `stop` nothing is delivered, and another world can be played."""
    stage.start().advance_to(4)
    stage.player.stop()
    stage.delivered.clear()
    stage.clock[0] += 10 * STEP_NS
    assert not stage.player.runs
    assert stage.player.warnings == ('not active',)
    stage.world = CountingWorld()
    stage.start().advance_to(2)
    assert stage.delivered == expected(len(stage.delivered))
