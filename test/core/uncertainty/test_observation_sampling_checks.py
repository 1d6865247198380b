# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Combined error sources of observations, and drift with the statistics of recordings."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.uncertainty.goodness_of_fit import share
from benchmarks.uncertainty.observation_sampling_checks import BEARING, QUIET, RANGE, observe
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.observation_parameters import ErrorOrder
from world_model_core.uncertainty.occlusion import LastingOcclusion, Occlusion
from world_model_core.uncertainty.sensor_drift import SensorDrift
from world_model_core.uncertainty.sensor_drift_fit import SlowNoise, expect_spread, measure_spread
from world_model_core.uncertainty.sensor_noise import RangeBearingNoise


def test_without_sources_readings_are_exact():
    """With all sources off, readings are h(x), without labels."""
    (observation,) = observe(QUIET, 3, 1)
    assert observation.ranges == pytest.approx(RANGE, abs=1e-12)
    assert observation.bearings == pytest.approx(BEARING, abs=1e-12)
    assert not observation.labels.any()


def test_a_drifting_sensor_spreads_as_recordings_are_fitted_with():
    """Block means, spread within blocks and correlation are those that `fit_drift` assumes."""
    fitted, interval, block, count = SlowNoise(0.003, 0.004, 60.0), 3.0, 50, 400
    parameters = replace(
        QUIET,
        noise=RangeBearingNoise(0.0, fitted.white_std, 0.0),
        drift=SensorDrift(range_std=fitted.drift_std, range_time=fitted.time_constant),
    )
    ranges = np.array([each.ranges for each in observe(parameters, 1000, 2, [interval] * count)])
    drawn = np.array([measure_spread(each, block) for each in ranges.T])
    expected = expect_spread(fitted, interval, block, count)
    assert np.sqrt(np.mean(drawn**2, axis=0))[:2] == pytest.approx(expected[:2], rel=0.02)
    # The mean of a quotient differs slightly from the quotient of means.
    assert drawn[:, 2].mean() == pytest.approx(expected[2], rel=0.04)


@pytest.mark.parametrize('order', list(ErrorOrder))
def test_occlusion_changes_a_hidden_landmark_once(order):
    """Occlusion by reading must not change a landmark with a lasting occlusion."""
    lasting = LastingOcclusion(share=0.5)
    alone = observe(replace(QUIET, lasting_occlusion=lasting, order=order), 1000, 3)[0]
    both = replace(QUIET, lasting_occlusion=lasting, occlusion=Occlusion(0.8), order=order)
    (observation,) = observe(both, 1000, 3)
    hidden = (alone.labels & int(ErrorCause.LASTING_OCCLUSION)) != 0
    assert np.array_equal(observation.ranges[hidden], alone.ranges[hidden])
    once = (observation.labels & int(ErrorCause.OCCLUSION)) != 0
    assert share(once[~hidden], 0.8) > 1e-3
    assert not once[hidden].any()


def test_a_range_beyond_the_view_is_not_changed():
    """Occlusion must not change a range that is beyond the end of the view."""
    drifted = replace(
        QUIET, drift=SensorDrift(range_std=5.0), occlusion=Occlusion(1.0), order=ErrorOrder.LECTURE
    )
    (observation,) = observe(drifted, 5000, 4)
    before = RANGE + observation.memories['drift'][0]
    beyond = before > 6.0
    assert beyond.sum() > 500
    assert np.array_equal(observation.ranges[beyond], before[beyond])
    assert (observation.ranges[~beyond] < 6.0).all()
    assert math.isclose(
        float(np.mean((observation.labels & int(ErrorCause.OCCLUSION)) == 0)), beyond.mean()
    )
