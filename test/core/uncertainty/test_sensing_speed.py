# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The benchmark of sensors runs, and its loops do the same work as the package."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.uncertainty import robots_sensing_speed as speed
from benchmarks.uncertainty.robots_comparison import (
    DT,
    LANDMARKS,
    TARGET_MEMORY,
    Package,
    Sizes,
    measure_memory,
    scatter,
)
from world_model_core.uncertainty.observation_model import Observation
from world_model_core.uncertainty.random_draws import Draws

ROBOTS = 4000


@pytest.mark.parametrize('camera', [speed.PlainCamera, speed.TightCamera])
@pytest.mark.parametrize('preset', list(speed.PRESETS))
def test_loops_do_the_same_work(camera, preset):
    """Loops and package must give as many readings, labels and deviations."""
    sensor, random = speed.PRESETS[preset][1], np.random.default_rng(0)
    poses, draws = scatter(ROBOTS), Draws(3)
    loop = np.array([camera(sensor, random).observe(*pose) for pose in poses.tolist()])
    observation = Observation(sensor)
    state = observation.begin(ROBOTS, LANDMARKS, draws)
    seen = observation.observe(state, poses, LANDMARKS, DT, draws)
    error = 4.0 * np.sqrt(0.5 / loop[..., 2].size)
    for label in np.union1d(loop[..., 2], seen.labels):
        assert np.mean(loop[..., 2] == label) == pytest.approx(
            np.mean(seen.labels == label), abs=error
        )
    for column in (0, 1):
        one, other = loop[..., column], seen.readings[..., column]
        spread = np.nanstd(other)
        assert np.nanmean(one) == pytest.approx(np.nanmean(other), abs=0.1 * spread)
        assert np.nanstd(one) == pytest.approx(spread, rel=0.1)


def test_it_measures_with_and_without_motion():
    """Both presets are compared with both loops."""
    measured = speed.measure(1, Sizes(4000, 50, 400))
    for work in ('observation', 'motion and observation'):
        assert set(measured[work]) == set(speed.PRESETS)
        for numbers in measured[work].values():
            assert numbers['package [robot-steps/s]'] > 0


@pytest.mark.parametrize('moves', [False, True])
@pytest.mark.parametrize('preset', list(speed.PRESETS))
def test_memory_is_below_the_target(preset, moves):
    """A step needs less memory than the target, and less per robot the more robots there are."""
    motion, sensor = speed.PRESETS[preset]
    few, many = (
        measure_memory(Package(motion if moves else None, sensor, count))
        for count in (20_000, 100_000)
    )
    assert 0.0 < many <= TARGET_MEMORY
    assert many < few
