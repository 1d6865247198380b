# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Motion of robots, in steps of any length and in groups of any size."""

from __future__ import annotations

import math
import re
from dataclasses import asdict, fields, replace

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from world_model_core.errors import ConfigurationError
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.input_checks import InputError
from world_model_core.uncertainty.kidnapping import KidnapParameters
from world_model_core.uncertainty.motion_model import Motion
from world_model_core.uncertainty.motion_parameters import (
    LECTURE,
    LNPR,
    MotionParameters,
    read_motion,
)
from world_model_core.uncertainty.pebble_noise import PebbleParameters
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.stuck_robots import StuckParameters
from world_model_core.uncertainty.unicycle import move
from world_model_core.uncertainty.velocity_bias import VelocityBiasParameters

COMMAND = (0.2, math.pi / 18)
# Enough events in a step to take every path of the code.
BUSY = MotionParameters(
    pebbles=PebbleParameters(rate=20.0, turning_radius=0.2),
    velocity_bias=VelocityBiasParameters(nu_std=0.2, omega_std=0.2),
    stuck=StuckParameters(mean_free=0.7, mean_stuck=0.4),
    kidnap=KidnapParameters(mean_interval=1.5),
)
# Of BUSY, but kidnapped less often, seed 7, after 50 steps of 0.1 s.
RECORDED = [
    (-3.0712425766323577, -4.787903275032022, -2.7239251649158844),
    (0.3300333777942063, 0.1108698515473244, 0.7033435888746734),
    (-0.2920354209405201, 2.2769188724701284, 0.7721020307055904),
]
SOURCES = [item.name for item in fields(MotionParameters)]


def drive(parameters, count, dt, steps, *, seed=1, command=COMMAND):
    """Simulate robots from the origin and return the last state and all truths."""
    motion, draws = Motion(parameters), Draws(seed)
    state = motion.begin(np.zeros((count, 3)), draws)
    commands, truths = np.tile(command, (count, 1)), []
    for _ in range(steps):
        state, truth = motion.step(state, commands, dt, draws)
        truths.append(truth)
    return state, truths


def test_without_sources_robots_follow_arcs():
    """With all sources off p(x' | x, u) is f(x, u), without a label."""
    state, truths = drive(MotionParameters(), 3, 0.5, 4)
    whole = move(np.zeros((3, 3)), np.tile(COMMAND, (3, 1)), 2.0)
    assert state.poses == pytest.approx(whole, abs=1e-12)
    assert not any(truth.causes.any() for truth in truths)


@pytest.mark.parametrize('preset', [LECTURE, LNPR, BUSY])
def test_more_robots_leave_the_first_ones_as_they_were(preset):
    """A robot must move identically, bit by bit, whatever the number of robots."""
    few, few_truths = drive(preset, 5, 0.4, 10)
    many, many_truths = drive(preset, 33_000, 0.4, 10)
    for item in ('poses', 'factors', 'stuck'):
        assert np.array_equal(getattr(few, item), getattr(many, item)[:5])
    for one, other in zip(few_truths, many_truths, strict=True):
        for item in fields(one):
            first = getattr(other, item.name)[:5]
            assert np.array_equal(getattr(one, item.name), first, equal_nan=True)


@pytest.mark.parametrize('preset', [LECTURE, LNPR, BUSY])
def test_robots_do_the_same_in_blocks_of_any_size(preset, monkeypatch):
    """Processing in blocks must affect the same robots as processing at once."""
    whole, truths = drive(preset, 50, 0.4, 10)
    monkeypatch.setattr('world_model_core.uncertainty.motion_model.BLOCK', 8)
    cut, cut_truths = drive(preset, 50, 0.4, 10)
    assert whole.poses == pytest.approx(cut.poses, abs=1e-9)
    assert np.array_equal(whole.stuck, cut.stuck)
    for one, other in zip(truths, cut_truths, strict=True):
        assert np.array_equal(one.causes, other.causes)
        assert np.array_equal(one.pebbles, other.pebbles)


@pytest.mark.parametrize('off', SOURCES)
def test_a_source_that_is_off_leaves_the_others_as_they_were(off):
    """Factors, standstills and kidnappings must not depend on which other sources are on."""
    state, truths = drive(BUSY, 200, 0.4, 10)
    other, other_truths = drive(replace(BUSY, **{off: None}), 200, 0.4, 10)
    if off != 'velocity_bias':
        assert np.array_equal(state.factors, other.factors)
    if off != 'stuck':
        assert np.array_equal(state.stuck, other.stuck)
    for one, another in zip(truths, other_truths, strict=True):
        if off != 'stuck':
            assert np.array_equal(one.time_stuck, another.time_stuck)
        if off != 'kidnap':
            assert np.array_equal(one.kidnapped, another.kidnapped, equal_nan=True)


def test_runs_are_repeatable_to_a_nanometer():
    """States after 50 steps must be those recorded, within 1e-9, whatever the platform."""
    state, _ = drive(replace(BUSY, kidnap=KidnapParameters(mean_interval=9.0)), 3, 0.1, 50, seed=7)
    assert state.poses == pytest.approx(np.array(RECORDED), abs=1e-9)


def test_another_seed_is_another_run():
    """All random draws must change with the seed."""
    one, other = (drive(BUSY, 50, 0.4, 3, seed=seed)[0] for seed in (1, 2))
    assert not (one.poses == other.poses).any()
    assert not (one.factors == other.factors).any()


def test_a_step_leaves_the_state_that_it_was_given():
    """A state must not change, so that a filter can branch off it."""
    motion, draws = Motion(BUSY), Draws(3)
    state = motion.begin(np.zeros((50, 3)), draws)
    commands = np.tile(COMMAND, (50, 1))
    first, _ = motion.step(state, commands, 1.0, draws)
    assert not state.poses.any()
    assert not state.stuck.any()
    again, _ = motion.step(state, commands, 1.0, draws)
    assert np.array_equal(first.poses, again.poses)


@pytest.mark.parametrize('off', [None, 'kidnap'])
def test_the_distribution_does_not_depend_on_the_length_of_a_step(off):
    """After 10 s poses must have the same distribution in steps of 0.01, 0.1, 1 and 10 s."""
    parameters = BUSY if off is None else replace(BUSY, **{off: None})
    ends = [
        drive(parameters, 2000, dt, round(10.0 / dt), seed=number)[0]
        for number, dt in enumerate((0.01, 0.1, 1.0, 10.0))
    ]
    for number, one in enumerate(ends):
        for other in ends[:number]:
            for column in range(3):
                test = stats.ks_2samp(one.poses[:, column], other.poses[:, column])
                assert test.pvalue > 1e-4
            assert abs(one.stuck.mean() - other.stuck.mean()) < 4.5 * math.sqrt(0.5 / 2000)


def test_the_truth_has_every_movement():
    """Without pebbles a kidnapped robot moves on for as long as it is free."""
    parameters = replace(BUSY, pebbles=None)
    motion, draws = Motion(parameters), Draws(4)
    state = motion.begin(np.zeros((400, 3)), draws)
    after, truth = motion.step(state, np.tile(COMMAND, (400, 1)), 2.0, draws)
    stay = np.isnan(truth.kidnapped)
    assert 0 < stay.sum() < 400
    expected = move(state.poses, truth.velocities, 2.0 - truth.time_stuck)
    assert after.poses[stay] == pytest.approx(expected[stay], abs=1e-12)
    assert ((truth.causes & ErrorCause.KIDNAP) != 0).tolist() == (~stay).tolist()
    assert ((truth.causes & ErrorCause.STUCK) != 0).tolist() == (truth.time_stuck > 0.0).tolist()
    assert ((truth.causes & ErrorCause.VELOCITY_BIAS) != 0).all()


def test_steps_with_pebbles_are_labelled():
    """The label contains pebble exactly where a pebble was met."""
    _, (truth,) = drive(MotionParameters(pebbles=PebbleParameters()), 500, 0.5, 1)
    assert 0 < (truth.pebbles > 0).sum() < 500
    assert ((truth.causes & ErrorCause.PEBBLE) != 0).tolist() == (truth.pebbles > 0).tolist()


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.floats(0.01, 20.0), st.floats(-2, 2), st.floats(-2, 2))
def test_no_robot_goes_farther_than_its_wheels_take_it(seed, dt, nu, omega):
    """Pebbles and stuck times may bend and shorten the path, but never lengthen it."""
    parameters = replace(BUSY, kidnap=None)
    state, (truth,) = drive(parameters, 30, dt, 1, seed=seed, command=(nu, omega))
    distance = np.hypot(state.poses[:, 0], state.poses[:, 1])
    limit = np.abs(truth.velocities[:, 0]) * (dt - truth.time_stuck)
    assert (distance <= limit * (1 + 1e-12) + 1e-12).all()
    assert (truth.time_stuck >= 0.0).all()
    assert (truth.time_stuck <= dt * (1 + 1e-12)).all()


@pytest.mark.parametrize('dt', [0.0, -0.1, math.nan, math.inf, 1e9])
def test_steps_of_zero_or_infinite_length_are_rejected(dt):
    """A step must be longer than 0 and limited; the message names the limit."""
    with pytest.raises(InputError, match=r'dt is .* s; it must be above 0 and at most'):
        drive(LECTURE, 2, dt, 1)


@pytest.mark.parametrize('source', ['pebbles', 'stuck'])
def test_steps_with_too_many_events_are_refused(source):
    """Steps with too many events must be rejected, with a remedy."""
    rare = MotionParameters(
        pebbles=PebbleParameters(rate=1e4) if source == 'pebbles' else None,
        stuck=StuckParameters(mean_free=1e-3) if source == 'stuck' else None,
    )
    with pytest.raises(InputError, match='at most 10000: use a shorter dt'):
        drive(rare, 2, 100.0, 1)


@pytest.mark.parametrize(
    ('poses', 'commands', 'message'),
    [
        (np.zeros((2, 3)), [(0.1, math.nan)] * 2, r'commands\[0\] are .* must be finite'),
        (np.zeros((2, 3)), [(0.1, 0.0), (math.inf, 0.0)], r'commands\[1\] are .* must be finite'),
        (np.zeros((2, 3)), [(0.1, 0.0)], r'commands have shape \(1, 2\); it must be \(2, 2\)'),
        (np.zeros((2, 2)), [(0.1, 0.0)] * 2, r'poses have shape \(2, 2\); it must be \(n, 3\)'),
        ([(0.0, math.nan, 0.0)] * 2, [(0.1, 0.0)] * 2, r'poses\[0\] are .* must be finite'),
    ],
)
def test_invalid_poses_and_commands_are_rejected(poses, commands, message):
    """The error must name rows that are not finite, and a wrong number of rows."""
    motion, draws = Motion(LECTURE), Draws(0)
    with pytest.raises(InputError, match=message):
        motion.step(motion.begin(poses, draws), commands, 0.1, draws)


@given(st.sets(st.sampled_from(SOURCES)))
def test_parameters_survive_yaml(sources):
    """Parameters must survive a round trip through YAML, including sources that are off."""
    parameters = replace(BUSY, **dict.fromkeys(sources))
    text = yaml.safe_dump(asdict(parameters))
    assert read_motion(yaml.safe_load(text)) == parameters


@pytest.mark.parametrize(
    ('document', 'message'),
    [
        ({'stones': {}}, 'stones is unknown; it can be pebbles | velocity_bias | stuck | kidnap'),
        ({'stuck': {'mean': 5.0}}, 'stuck.mean is unknown; it can be mean_free | mean_stuck'),
        ({'stuck': {'mean_free': -5.0}}, 'stuck.mean_free is -5.0; it must be from'),
    ],
)
def test_documents_of_something_else_are_refused(document, message):
    """The message must name the value and the choices."""
    with pytest.raises(ConfigurationError, match=re.escape(message)):
        read_motion(document)


def test_a_world_without_robots_can_be_stepped():
    """A world without robots can be stepped."""
    state, _ = drive(BUSY, 0, 0.1, 2)
    assert state.poses.shape == (0, 3)


@pytest.mark.parametrize(
    ('make', 'message'),
    [
        (lambda: PebbleParameters(rate=-1.0), 'PebbleParameters.rate is -1.0; .* from 0.0 to'),
        (lambda: PebbleParameters(heading_std=math.nan), 'PebbleParameters.heading_std is nan'),
        (lambda: StuckParameters(mean_free=0.0), 'StuckParameters.mean_free is 0.0; .* s'),
        (lambda: StuckParameters(mean_stuck=math.inf), 'StuckParameters.mean_stuck is inf'),
        (lambda: KidnapParameters(mean_interval=0.0), 'KidnapParameters.mean_interval is 0.0'),
        (lambda: KidnapParameters(x_high=math.inf), 'KidnapParameters.x_high is inf'),
        (lambda: KidnapParameters(y_low=5.0), 'y_low is 5.0; it must be below y_high, 5.0'),
        (lambda: VelocityBiasParameters(nu_std=-0.1), 'VelocityBiasParameters.nu_std is -0.1'),
        (lambda: PebbleParameters(rate='5'), "PebbleParameters.rate is '5'"),
    ],
)
def test_invalid_parameters_are_rejected(make, message):
    """The message must name the field, the value found and the limit."""
    with pytest.raises(ConfigurationError, match=message):
        make()


@pytest.mark.parametrize('dt', [0.1, 2.5, 10.0])
def test_pebbles_before_a_kidnapping_are_counted(dt):
    """In steps of any length, kidnapped and other robots meet 5 pebbles per meter."""
    parameters = MotionParameters(
        pebbles=PebbleParameters(), kidnap=KidnapParameters(mean_interval=5.0)
    )
    steps, robots = round(10.0 / dt), 5000
    _, truths = drive(parameters, robots, dt, steps)
    met = sum(truth.pebbles.astype(int) for truth in truths)
    # Poisson of mean 10: the variance is the mean.
    assert met.mean() == pytest.approx(10.0, abs=4.0 * math.sqrt(10.0 / robots))
    assert met.var() == pytest.approx(10.0, rel=4.0 * math.sqrt(2.0 / robots))
    labelled = np.logical_or.reduce([truth.causes & ErrorCause.PEBBLE > 0 for truth in truths])
    assert np.array_equal(labelled, met > 0)
