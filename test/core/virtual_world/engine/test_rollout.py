# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Many runs from one snapshot are those of an engine, to the bit."""

import numpy as np
import pytest

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from engine_worlds import arm, run, thing, world

from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.engine.rollout import Run, Runner, TimedCommand, push
from world_model_core.virtual_world.values import Sphere, Wheels

STEPS = 200


def started():
    """Return an engine with a limited joint, a held base, a grasp and free things."""
    things = [thing(f'ball{i}', Sphere(0.1), (0.15 * i, 0.1 * i, 0.5)) for i in range(4)]
    base = thing('base', position=(-1, 0, 0.1), dynamics=False, wheels=Wheels(0.1, 0.4))
    cup = thing('cup', Sphere(0.05), (-1.0, 0.0, 0.3))
    engine = Engine(world(*things, base, cup, arm(lower=-0.5, upper=0.5)), seed=3)
    engine.grasp('base', '', 'cup')
    run(engine, 0.1)
    return engine


def test_runs_are_equal_to_the_bit_to_those_of_an_engine():
    """With pushes, and with commands before their steps; one run does not change another."""
    engine = started()
    snapshot = engine.snapshot()
    drive = TimedCommand(50, 'drive', ('base', 0.3), {'angular': 0.2})
    swing = TimedCommand(0, 'set_joint_target', ('arm', 'shoulder'), {'torque': 20.0})
    runs = [Run(0), Run(1, push=0.5), Run(1, push=0.5, commands=(drive, swing)), Run(2, push=0.5)]
    runner = Runner(snapshot)
    results = [runner.run(each, STEPS) for each in (*runs, runs[1])]
    for each, result in zip(runs, results, strict=False):
        engine.restore(snapshot)
        engine.seed = each.seed
        push(engine, each.seed, each.push)
        for step in range(STEPS):
            if each.commands and step == 0:
                engine.set_joint_target('arm', 'shoulder', torque=20.0)
            if each.commands and step == 50:
                engine.drive('base', 0.3, angular=0.2)
            engine.step(0.01)
            assert engine.physics.state().tobytes() == result.states[step].tobytes()
        assert result.end == engine.truth
        assert result.error == ''
    assert np.array_equal(results[1].states, results[4].states)
    assert not np.array_equal(results[1].states, results[3].states)
    assert not np.array_equal(results[0].states, results[1].states)


def test_fewer_states_are_those_of_their_steps():
    """Every 50th of 120 steps: two states, and the end."""
    runner = Runner(started().snapshot())
    all_states = runner.run(Run(5, push=0.1), 120).states
    result = runner.run(Run(5, push=0.1), 120, every=50)
    assert np.array_equal(result.states, all_states[[49, 99]])
    assert result.end.time_ns == 1_300_000_000


@pytest.mark.parametrize(
    ('command', 'error'),
    [
        (TimedCommand(7, 'grasp', ('base', '', 'nothing')), 'nothing'),
        (TimedCommand(7, 'spawn', ([],)), "'spawn'; it must be one of"),
        (TimedCommand(7, '__class__'), '__class__'),
    ],
)
def test_a_command_that_is_refused_ends_its_run(command, error):
    """The result says why, and has the states until then."""
    result = Runner(started().snapshot()).run(Run(0, commands=(command,)), 20)
    assert error in result.error
    assert len(result.states) == 7


def test_a_push_depends_on_the_names_alone():
    """Other entities do not change it, and what is held or fixed gets none."""
    engine, other = started(), started()
    other.delete(['ball0'])
    push(engine, 9, 0.2)
    push(other, 9, 0.2)
    for name in ('ball1', 'ball3'):
        assert engine.state_of(name).linear_velocity == other.state_of(name).linear_velocity
    assert engine.state_of('base').linear_velocity == (0.0, 0.0, 0.0)
