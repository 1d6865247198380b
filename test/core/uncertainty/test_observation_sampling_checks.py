# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What sources of errors of observation do together, and what drifts as recordings do."""

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
    """With everything off, readings are h(x), and nothing is labelled."""
    (seen,) = observe(QUIET, 3, 1)
    assert seen.ranges == pytest.approx(RANGE, abs=1e-12)
    assert seen.bearings == pytest.approx(BEARING, abs=1e-12)
    assert not seen.labels.any()


def test_a_drifting_sensor_spreads_as_recordings_are_fitted_with():
    """Block means, spread within blocks and correlation are those that `fit_drift` assumes."""
    law, interval, block, count = SlowNoise(0.003, 0.004, 60.0), 3.0, 50, 400
    parameters = replace(
        QUIET,
        noise=RangeBearingNoise(0.0, law.white_std, 0.0),
        drift=SensorDrift(range_std=law.drift_std, range_time=law.time_constant),
    )
    ranges = np.array([each.ranges for each in observe(parameters, 1000, 2, [interval] * count)])
    drawn = np.array([measure_spread(each, block) for each in ranges.T])
    expected = expect_spread(law, interval, block, count)
    assert np.sqrt(np.mean(drawn**2, axis=0))[:2] == pytest.approx(expected[:2], rel=0.02)
    # The mean of a quotient is not quite the quotient of means.
    assert drawn[:, 2].mean() == pytest.approx(expected[2], rel=0.04)


@pytest.mark.parametrize('order', list(ErrorOrder))
def test_hidden_twice_is_hidden_once(order):
    """Where something hides a landmark anyway, occlusion by reading changes nothing."""
    lasting = LastingOcclusion(share=0.5)
    alone = observe(replace(QUIET, lasting_occlusion=lasting, order=order), 1000, 3)[0]
    both = replace(QUIET, lasting_occlusion=lasting, occlusion=Occlusion(0.8), order=order)
    (seen,) = observe(both, 1000, 3)
    hidden = (alone.labels & int(ErrorCause.LASTING_OCCLUSION)) != 0
    assert np.array_equal(seen.ranges[hidden], alone.ranges[hidden])
    once = (seen.labels & int(ErrorCause.OCCLUSION)) != 0
    assert share(once[~hidden], 0.8) > 1e-3
    assert not once[hidden].any()


def test_a_range_beyond_the_view_is_not_pushed():
    """Between it and the end of the view there is nothing: occlusion leaves it as it is."""
    drifted = replace(
        QUIET, drift=SensorDrift(range_std=5.0), occlusion=Occlusion(1.0), order=ErrorOrder.LECTURE
    )
    (seen,) = observe(drifted, 5000, 4)
    before = RANGE + seen.memories['drift'][0]
    beyond = before > 6.0
    assert beyond.sum() > 500
    assert np.array_equal(seen.ranges[beyond], before[beyond])
    assert (seen.ranges[~beyond] < 6.0).all()
    assert math.isclose(
        float(np.mean((seen.labels & int(ErrorCause.OCCLUSION)) == 0)), beyond.mean()
    )
