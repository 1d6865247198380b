# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Estimation of the detection noise of each camera."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.cameras.bias import MOST_CAMERAS
from world_model_core.match.cameras.detection_noise import DetectionNoise, FrameTimes
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

STEPS = st.lists(st.integers(2_000_000, 30_000_000), min_size=3, max_size=3)


def times_of(*stamps):
    """Return the times of these frames."""
    times = FrameTimes()
    for stamp in stamps:
        times.add(stamp)
    return times


@given(STEPS, st.floats(-5.0, 5.0), st.floats(-9.0, 9.0), st.floats(-9.0, 9.0))
def test_only_noise_is_left(steps, place, speed, acceleration):
    """The effect of a constant acceleration must vanish, and noise keep its variance."""
    stamps = SECOND + np.cumsum([0, *steps])
    weights = np.array(times_of(*stamps.tolist()).weights())
    t = (stamps - stamps[0]) / SECOND
    assert weights @ (place + speed * t + acceleration * t**2) == pytest.approx(0.0, abs=1e-9)
    assert weights @ weights == pytest.approx(1.0)


@pytest.mark.parametrize(
    'stamps', [(1, 2, 3), (1, 2, 3, 3), (1, 3, 2, 4), (1, 2, 3, SECOND), (4, 3, 2, 1)]
)
def test_frames_that_do_not_follow_each_other_give_no_sample(stamps):
    """Too few, equal, unordered or interrupted frames must give no sample."""
    assert times_of(*stamps).weights() is None


@pytest.mark.parametrize('std', [0.0005, 0.0013, 0.003, 0.01])
def test_the_noise_of_a_camera_is_estimated(std):
    """After some seconds the estimate must be within a tenth, whatever the prior."""
    noise, rng = DetectionNoise(0.002, 0.0003), np.random.default_rng(4)
    for _ in range(200):
        noise.observe(3, (rng.normal(0.0, std, 20) ** 2).tolist())
    assert noise.variance(3) ** 0.5 == pytest.approx(std, rel=0.1)
    assert noise.variance(4) == 0.002**2


def test_a_simulator_without_noise_is_taken_at_the_floor():
    """A variance of zero would make a filter ignore all measurements."""
    noise = DetectionNoise(0.002, 0.0003)
    for _ in range(500):
        noise.observe(0, [0.0] * 10)
    assert noise.variance(0) == 0.0003**2


def test_hits_hardly_count():
    """One sample in fifty that is a thousand times too large must not count as noise."""
    noise, rng = DetectionNoise(0.002, 0.0003), np.random.default_rng(4)
    for _ in range(200):
        squares = rng.normal(0.0, 0.001, 50) ** 2
        squares[0] = 1.0
        noise.observe(0, squares.tolist())
    assert noise.variance(0) ** 0.5 == pytest.approx(0.001, rel=0.15)


def test_the_number_of_cameras_is_bounded():
    """Further camera ids must get the prior."""
    noise = DetectionNoise(0.002, 0.0003)
    for camera in range(2 * MOST_CAMERAS):
        noise.observe(camera, [1e-4])
    assert noise.variance(MOST_CAMERAS - 1) > 0.002**2
    assert noise.variance(MOST_CAMERAS) == 0.002**2
