# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Listeners are called at the instants of simulated time that they wish for."""

from __future__ import annotations

import pytest

from world_model_core.virtual_world.values import Entity, Part, World
from world_model_nodes.virtual_world.engine_import import import_engine
from world_model_nodes.virtual_world.step_listeners import StepListeners

MS = 1_000_000  # [ns]


@pytest.fixture
def engine():
    """Return an engine with steps of 10 ms."""
    pytest.importorskip('mujoco', reason='the physics of the virtual world needs MuJoCo')
    return import_engine()(World('empty', (Entity('it', parts=(Part('it'),)),)))


def test_all_are_called_at_each_due_instant_in_order(engine, step_recorder):
    """From the present one on; a wish between two steps is met by the later one."""
    log = []
    listeners = StepListeners(
        (step_recorder(0, 35, log=log, name='a'), step_recorder(40, log=log, name='b'))
    )
    report = listeners.step(engine, 5, 1050 * MS)
    assert report.time_ns == engine.time_ns == 50 * MS
    assert log == [('a', 0, 1000), ('b', 0, 1000), ('a', 40, 1040), ('b', 40, 1040)]


def test_without_steps_those_are_called_who_are_due_now(engine, step_recorder):
    """Nobody else is called, and time stands still."""
    recorder = step_recorder(0, 10)
    listeners = StepListeners((recorder,))
    assert listeners.step(engine, 0, 7 * MS) is None
    assert listeners.step(engine, 0, 7 * MS) is None
    assert recorder.log == [('', 0, 7)]


def test_without_wishes_all_steps_are_taken_at_once(engine, step_recorder, monkeypatch):
    """The engine is called once, whatever listeners there are."""
    taken = []
    step = type(engine).step
    monkeypatch.setattr(type(engine), 'step', lambda *given: taken.append(1) or step(*given))
    recorder = step_recorder()
    for listeners in (StepListeners(), StepListeners((recorder,))):
        listeners.step(engine, 100, 0)
    assert len(taken) == 2
    assert engine.time_ns == 2000 * MS
    assert not recorder.log


def test_the_last_is_closed_first(engine, step_recorder):
    """Reports are joined; reset and replacement reach all."""
    log = []
    listeners = StepListeners((step_recorder(log=log, name='a'), step_recorder(log=log, name='b')))
    listeners.replace(engine)
    listeners.replace(None)
    listeners.reset()
    assert set(listeners.report().values) == {'calls of a', 'calls of b'}
    listeners.close()
    assert log == [
        ('a', ('it',)), ('b', ('it',)), ('a', None), ('b', None), ('a', 'reset'), ('b', 'reset'),
        ('b', 'close'), ('a', 'close'),
    ]  # fmt: skip
