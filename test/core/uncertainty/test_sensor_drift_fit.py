# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""White noise and drift, estimated from recordings and from samples."""

from __future__ import annotations

import gzip
import math

import numpy as np
import pytest

from world_model_core.uncertainty.input_checks import InputError
from world_model_core.uncertainty.sensor_drift_fit import (
    SlowNoise,
    expect_spread,
    fit_drift,
    measure_spread,
    variance_of_mean,
)

# Of LNPR's recordings [s].
INTERVAL = 3.04


def read(path):
    """Read the ranges [m] of a laser to a wall."""
    with gzip.open(path, 'rt') as lines:
        return np.array([int(line.split()[3]) for line in lines]) / 1000.0


@pytest.fixture(scope='module', params=[200, 600])
def recording(request, shared_data):
    """Read the recording at a distance in millimeters."""
    return read(shared_data(f'lnpr/sensor_data_{request.param}.txt.gz'))


def simulate(model, count, sensors, seed):
    """Simulate readings of sensors, shape (sensors, count), by an independent recursion."""
    random = np.random.default_rng(seed)
    kept = math.exp(-INTERVAL / model.time_constant)
    bias = random.normal(size=sensors)
    readings = np.empty((count, sensors))
    for row in readings:
        bias = kept * bias + math.sqrt(1.0 - kept**2) * random.normal(size=sensors)
        row[:] = model.drift_std * bias
    return readings.T + model.white_std * random.normal(size=(sensors, count))


@pytest.mark.parametrize('distance', [200, 280, 300, 400, 500, 600, 700, 1000])
def test_recordings_are_reproduced(distance, shared_data):
    """The model, and simulated records of the same length, have the recording's statistics."""
    recording = read(shared_data(f'lnpr/sensor_data_{distance}.txt.gz'))
    model = fit_drift(recording, INTERVAL)
    measured = np.array(measure_spread(recording))
    assert np.array(expect_spread(model, INTERVAL)) == pytest.approx(measured, rel=0.08)
    short = np.array(expect_spread(model, INTERVAL, count=len(recording)))
    assert short == pytest.approx(measured, rel=0.08)


def test_simulated_records_spread_as_the_recording(recording):
    """Simulated records of the same length have its spread of block means and its correlation."""
    model = fit_drift(recording, INTERVAL)
    wanted = np.array(measure_spread(recording))
    drawn = [measure_spread(each) for each in simulate(model, len(recording), 40, 0)]
    assert np.mean(drawn, axis=0) == pytest.approx(wanted, rel=0.1)


def test_white_noise_alone_cannot_explain_the_recordings(recording):
    """White noise alone explains at most a twentieth of the spread of block means."""
    alone = expect_spread(SlowNoise(float(recording.std()), 0.0, 1.0), INTERVAL)
    measured = measure_spread(recording)
    assert alone.block_means == pytest.approx(recording.std() / math.sqrt(1000.0), rel=1e-3)
    assert alone.block_means < 0.05 * measured.block_means
    assert alone.lag_one == pytest.approx(0.0, abs=1e-9)
    assert measured.lag_one > 0.5


@pytest.mark.parametrize(
    'model', [SlowNoise(3.0, 4.0, 9000.0), SlowNoise(1.0, 8.0, 3000.0), SlowNoise(2.0, 2.0, 300.0)]
)
def test_known_parameters_are_recovered(model):
    """From a long record white noise, drift and time constant are recovered."""
    found = fit_drift(simulate(model, 100_000, 1, 3)[0], INTERVAL)
    assert found.white_std == pytest.approx(model.white_std, rel=0.05)
    assert found.drift_std == pytest.approx(model.drift_std, rel=0.25)
    assert found.time_constant == pytest.approx(model.time_constant, rel=0.6)


def test_expected_spread_is_that_of_simulated_records():
    """The closed forms agree with the mean squares over many records."""
    model, count = SlowNoise(1.0, 2.0, 300.0), 2000
    drawn = np.array([measure_spread(each, 100) for each in simulate(model, count, 2000, 1)])
    expected = expect_spread(model, INTERVAL, 100, count)
    assert np.sqrt(np.mean(drawn**2, axis=0))[:2] == pytest.approx(expected[:2], rel=0.02)
    assert drawn[:, 2].mean() == pytest.approx(expected[2], rel=0.02)


@pytest.mark.parametrize('left', [1.0, 0.5, 1e-3, 1e-6])
def test_the_variance_of_a_mean_drift_is_the_double_sum(left):
    """The closed form is the double sum of correlations."""
    lags = np.arange(1, 50)
    summed = (50 + 2.0 * np.sum((50 - lags) * (1.0 - left) ** lags)) / 50**2
    assert variance_of_mean(50, left) == pytest.approx(summed, rel=1e-6)


def test_noise_alone_is_not_taken_for_drift():
    """For white readings the drift is negligible."""
    found = fit_drift(np.random.default_rng(5).normal(size=100_000), INTERVAL)
    assert found.white_std == pytest.approx(1.0, rel=0.02)
    assert found.drift_std < 0.1


@pytest.mark.parametrize(
    ('readings', 'interval', 'block', 'said'),
    [
        (np.arange(3999.0), 1.0, 1000, r'shape \(3999,\).* at least 4 blocks of 1000'),
        (np.ones(4000), 1.0, 1000, 'readings are all 1.0'),
        (np.r_[np.arange(3999.0), np.nan], 1.0, 1000, r'readings\[3999\] is not finite'),
        (np.arange(4000.0), 0.0, 1000, 'interval is 0.0 s; it must be above 0'),
        (np.arange(4000.0), math.nan, 1000, 'interval is nan s'),
        (np.arange(4000.0), 1.0, 1, 'block is 1 readings; it must be a whole number'),
        (np.arange(4000.0), 1.0, 7.5, 'block is 7.5 readings'),
        (np.ones((4, 1000)), 1.0, 10, r'shape \(4, 1000\)'),
    ],
)
def test_series_without_information_are_rejected(readings, interval, block, said):
    """The error names the cause and the limit."""
    with pytest.raises(InputError, match=said):
        fit_drift(readings, interval, block)


@pytest.mark.parametrize('unit', [1e-200, 1e-6, 1e9, 1e150])
def test_units_make_no_difference(unit):
    """The fit must not depend on the unit."""
    record = simulate(SlowNoise(1.0, 1.0, 300.0), 20_000, 1, 4)[0]
    plain, scaled = fit_drift(record, INTERVAL), fit_drift(unit * record, INTERVAL)
    assert scaled.white_std / unit == pytest.approx(plain.white_std, rel=1e-3)
    assert scaled.drift_std / unit == pytest.approx(plain.drift_std, rel=1e-3)
    assert scaled.time_constant == pytest.approx(plain.time_constant, rel=1e-3)


@pytest.mark.parametrize(
    'readings',
    [
        np.linspace(0.0, 100.0, 20_000) + np.random.default_rng(1).normal(size=20_000),
        np.tile((-1.0, 1.0), 10_000),
        np.repeat(np.random.default_rng(2).normal(size=20), 1000),
    ],
    ids=['a trend', 'alternating', 'constant within blocks'],
)
def test_readings_without_a_fit_are_rejected(readings):
    """Readings that the model cannot explain must be rejected."""
    with pytest.raises(InputError, match='are not white noise and a drift'):
        fit_drift(readings, INTERVAL)


def test_a_step_is_refused():
    """A record of two constants must be rejected."""
    with pytest.raises(InputError, match='a step'):
        fit_drift(np.repeat((0.0, 1.0), 40_000), INTERVAL)
