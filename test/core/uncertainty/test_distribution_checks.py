# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Samples have the documented distributions, and the checks detect small deviations."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest

from benchmarks.uncertainty import goodness_of_fit as fit
from benchmarks.uncertainty import (
    motion_density_checks,
    motion_sampling_checks,
    observation_density_checks,
    observation_sampling_checks,
)
from benchmarks.uncertainty.distribution_checks import CHECKS, LEVEL, SAMPLES, SEEDS, measure
from world_model_core.localization.particle_motion_noise import VelocityNoise
from world_model_core.uncertainty.motion_model import Motion
from world_model_core.uncertainty.motion_parameters import LECTURE as MOTION
from world_model_core.uncertainty.observation_model import Observation
from world_model_core.uncertainty.observation_parameters import ErrorOrder, ObservationParameters

FEW = 3000
# Checks with a thousand steps.
SLOW = {'motion: pebbles on the way', 'motion: any length of step'}
# The limit of the benchmark, for all its p-values and a few more.
LIMIT = LEVEL / (200 * SEEDS)
# Relative errors of a wrong distribution, and of one that the densities do not model.
PART, MORE = 0.05, 0.1


@pytest.mark.parametrize('name', CHECKS)
def test_samples_have_the_documented_distribution(name):
    """No test of the true distribution may have a p-value below one in ten thousand."""
    values = np.atleast_1d(CHECKS[name](FEW if name in SLOW else SAMPLES, 1))
    assert values.min() > 1e-4 / len(values)


def bend(field, part=PART):
    """Return the parameters of a source with one field increased by a part."""
    return lambda source: replace(source, **{field: (1.0 + part) * getattr(source, field)})


def off(parameters, source, wrong):
    """Return the error of one source, if it exists."""
    own = getattr(parameters, source)
    return replace(parameters, **{source: wrong(own)}) if own else parameters


MOVING = [
    ('pebbles on the way', 'pebbles.rate'),
    ('pebble place and turn', 'pebbles.heading_std'),
    ('pebbles of turns', 'pebbles.turning_radius'),
    *(('velocity bias', f'velocity_bias.{name}') for name in ('nu_mean', 'nu_std')),
    *(('velocity bias', f'velocity_bias.{name}') for name in ('omega_mean', 'omega_std')),
    *(('times free and stuck', f'stuck.{name}') for name in ('mean_free', 'mean_stuck')),
    ('stuck at 30 s', 'stuck.mean_free'),
    *(('stuck with other means', f'stuck.{name}') for name in ('mean_free', 'mean_stuck')),
    ('kidnapped in steps', 'kidnap.mean_interval'),
    *(('kidnapping', f'kidnap.{name}') for name in ('mean_interval', 'x_low', 'x_high', 'y_low')),
    *(('kidnapping', f'kidnap.{name}') for name in ('y_high', 'theta_low', 'theta_high')),
]


@pytest.mark.parametrize(('name', 'parameter'), MOVING)
def test_motion_that_is_5_percent_off_is_detected(monkeypatch, name, parameter):
    """The benchmark must detect a motion parameter that is larger by this part, with any seed."""
    source, field = parameter.split('.')
    wrong = bend(field)
    monkeypatch.setattr(motion_sampling_checks, 'STEPS', ())
    monkeypatch.setattr(
        motion_sampling_checks, 'Motion', lambda own: Motion(off(own, source, wrong))
    )
    assert np.min(motion_sampling_checks.CHECKS[name](SAMPLES, 0)) < LIMIT


SENSING = [
    *(
        (f'range noise, {order} order', 'noise.range_fraction')
        for order in ("lecture's", "LNPR's")
    ),
    ('range noise at any distance', 'noise.range_std'),
    ('bearing noise', 'noise.bearing_std'),
    ('range bias', 'bias.range_fraction'),
    ('bearing bias', 'bias.bearing_std'),
    ('range drift at any time', 'drift.range_std'),
    ('bearing drift at any time', 'drift.bearing_std'),
    ('range drift in 2 s, at once', 'drift.range_time'),
    ('range drift in 2 s, in 10 steps', 'drift.range_time'),
    ('bearing drift in 2 s, at once', 'drift.bearing_time'),
    ('bearing drift in 2 s, in 10 steps', 'drift.bearing_time'),
    ('probability of clutter', 'clutter.probability'),
    *(('x of clutter', f'clutter.{name}') for name in ('x_low', 'x_high')),
    *(('y of clutter', f'clutter.{name}') for name in ('y_low', 'y_high')),
    *(('clutter in view', f'field_of_view.{name}') for name in ('near', 'far', 'half_angle')),
    ('probability of a missed detection', 'missed_detection.probability'),
    ('probability of an occlusion', 'occlusion.probability'),
    *(
        (f'occluded ranges, {order} order', 'field_of_view.far')
        for order in ("lecture's", "LNPR's")
    ),
    ('lasting occlusion at any time', 'lasting_occlusion.share'),
    ('still hidden after 3 s', 'lasting_occlusion.mean_duration'),
    ('fraction added while hidden', 'field_of_view.far'),
]


@pytest.mark.parametrize(('name', 'parameter'), SENSING)
def test_sensors_that_are_5_percent_off_are_detected(monkeypatch, name, parameter):
    """The benchmark must detect a sensor parameter that is larger by this part, with any seed."""
    source, field = parameter.split('.')
    wrong = bend(field)
    monkeypatch.setattr(
        observation_sampling_checks,
        'Observation',
        lambda own: Observation(off(own, source, wrong)),
    )
    assert np.min(observation_sampling_checks.CHECKS[name](SAMPLES, 0)) < LIMIT


@pytest.mark.parametrize(
    ('cases', 'parameters'), [(MOVING, MOTION), (SENSING, ObservationParameters())]
)
def test_no_parameter_of_a_source_is_left_out(cases, parameters):
    """Each parameter must be among those that the tests change."""
    sources = {item.name: getattr(parameters, item.name) for item in fields(parameters)}
    known = {
        f'{source}.{item.name}'
        for source, own in sources.items()
        if is_dataclass(own)
        for item in fields(own)
    }
    assert {parameter for _, parameter in cases} == known


MOVING_DENSITIES = [
    *(('headings', f'pebbles.{name}') for name in ('rate', 'heading_std')),
    *(('headings', f'velocity_bias.omega_{name}') for name in ('mean', 'std')),
    ('places without a pebble', 'pebbles.rate'),
    *(('places without a pebble', f'velocity_bias.nu_{name}') for name in ('mean', 'std')),
    *(('places without a pebble', f'velocity_bias.omega_{name}') for name in ('mean', 'std')),
    *(('moments of poses', f'pebbles.{name}') for name in ('rate', 'heading_std')),
    *(('moments of poses', f'velocity_bias.nu_{name}') for name in ('mean', 'std')),
    *(('moments of poses', f'velocity_bias.omega_{name}') for name in ('mean', 'std')),
]


@pytest.mark.parametrize(('name', 'parameter'), MOVING_DENSITIES)
def test_densities_of_other_motion_are_detected(monkeypatch, name, parameter):
    """The benchmark must detect motion that is 10 % off its density."""
    source, field = parameter.split('.')
    check, wrong = motion_density_checks.CHECKS[name], bend(field, MORE)
    # Cells are computed with the correct robots.
    check(FEW, 0)
    monkeypatch.setattr(
        motion_sampling_checks, 'Motion', lambda own: Motion(off(own, source, wrong))
    )
    assert np.min(check(SAMPLES, 0)) < LIMIT


@pytest.mark.parametrize('field', ['nn', 'no', 'on', 'oo'])
def test_noise_of_velocities_that_is_5_percent_off_is_detected(monkeypatch, field):
    """The benchmark must detect velocity noise that is larger by this part, with any seed."""
    wrong = bend(field)
    monkeypatch.setattr(
        motion_density_checks, 'VelocityNoise', lambda own: VelocityNoise(wrong(own))
    )
    assert np.min(motion_density_checks.velocity_noise(SAMPLES, 0)) < LIMIT


SENSING_DENSITIES = [
    *(('seen, by a known sensor', f'noise.{name}') for name in ('range_fraction', 'bearing_std')),
    *(
        ('seen, by a known sensor', f'{name}.probability')
        for name in ('missed_detection', 'occlusion')
    ),
    ('seen, by a known sensor', 'field_of_view.far'),
    *(
        ('seen, by an unknown sensor', f'bias.{name}')
        for name in ('range_fraction', 'bearing_std')
    ),
    *(('landmark and clutter', f'clutter.{name}') for name in ('probability', 'x_high')),
    *(('joint readings', f'noise.{name}') for name in ('range_fraction', 'bearing_std')),
    *(('joint readings', f'bias.{name}') for name in ('range_fraction', 'bearing_std')),
]
CASES = [
    *(
        (f"{name}, {order.name.lower()}'s order", of)
        for name, of in SENSING_DENSITIES
        for order in ErrorOrder
    ),
    *(('clutter alone', f'field_of_view.{name}') for name in ('far', 'half_angle')),
]


@pytest.mark.parametrize(('name', 'parameter'), CASES)
def test_densities_of_other_sensors_are_detected(monkeypatch, name, parameter):
    """The benchmark must detect a sensor that is 10 % off its density."""
    source, field = parameter.split('.')
    check, wrong = observation_density_checks.CHECKS[name], bend(field, MORE)
    monkeypatch.setattr(
        observation_density_checks, 'Observation', lambda own: Observation(off(own, source, wrong))
    )
    assert np.min(check(SAMPLES, 0)) < LIMIT


def test_one_result_is_given_for_all_checks():
    """One small p-value of any check fails all; the failed check is named."""
    judged = measure(10, 5, {'right': lambda *_: [0.5, 0.5], 'wrong': lambda *_: 1e-4})
    assert judged['p-values'] == 15
    assert judged['least p-value allowed'] == pytest.approx(0.01 / 15)
    assert judged['failed checks'] == ['wrong']


def test_an_undefined_p_value_is_a_failure():
    """A p-value of NaN fails a check, and cells without samples are rejected."""
    assert measure(10, 1, {'odd': lambda *_: math.nan})['failed checks'] == ['odd']
    with pytest.raises(ValueError, match='20 samples are too few for 10 cells'):
        fit.cells(np.full(10, 2), np.full(10, 0.1), 20)


@pytest.mark.parametrize('seed', range(3))
def test_true_distributions_are_accepted(seed):
    """Each test must accept samples of numpy's own generators."""
    random = np.random.default_rng(seed)
    values = [
        *fit.normal(random.normal(3.0, 2.0, FEW), 3.0, 2.0),
        fit.uniform(random.uniform(-1.0, 2.0, FEW), -1.0, 2.0),
        fit.average(random.exponential(2.0, FEW), 2.0),
        fit.share(random.random(FEW) < 0.3, 0.3),
        fit.independent(random.random(FEW), random.random(FEW)),
        fit.alike(random.normal(size=FEW), random.normal(size=FEW)),
        fit.poisson(random.poisson(7.0, FEW), 7.0),
    ]
    assert min(values) > 1e-3


def test_wrong_distributions_are_rejected():
    """Each test must reject samples of another distribution."""
    random = np.random.default_rng(0)
    many = 40_000
    assert fit.normal(random.normal(0.05, 1.0, many))[1] < LIMIT
    assert fit.normal(random.normal(0.0, 1.05, many))[2] < LIMIT
    assert fit.normal(random.laplace(0.0, 0.5**0.5, many))[0] < LIMIT
    assert fit.uniform(random.random(many) ** 1.1) < LIMIT
    assert fit.truncated_exponential(3.0 * random.random(many), 2.0, 3.0) < LIMIT
    assert fit.average(random.exponential(1.05, many), 1.0) < LIMIT
    assert fit.share(random.random(many) < 0.525, 0.5) < LIMIT
    one = random.normal(size=many)
    assert fit.independent(one, 0.05 * one + random.normal(size=many)) < LIMIT
    assert fit.alike(one, 1.1 * random.normal(size=many)) < LIMIT
    assert fit.poisson(random.poisson(7.35, many), 7.0) < LIMIT
