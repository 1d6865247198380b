# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The lecture's figures of motion."""

from __future__ import annotations

import math

import pytest

from benchmarks.uncertainty import motion_sampling_checks
from world_model_core.uncertainty.pebble_noise import PebbleParameters
from world_model_core.uncertainty.stuck_robots import StuckParameters

SAMPLES = 3000


def test_the_lecture_s_figures_are_met():
    """A fraction of 0.316 must be stuck at 30 s, and robots must meet 5 pebbles per meter."""
    stuck = motion_sampling_checks.MotionParameters(stuck=StuckParameters())
    state, _, _ = motion_sampling_checks.drive(stuck, SAMPLES, 2, dt=30.0)
    assert state.stuck.mean() == pytest.approx(0.316, abs=4.0 * math.sqrt(0.22 / SAMPLES))
    stones = motion_sampling_checks.MotionParameters(pebbles=PebbleParameters())
    _, _, met = motion_sampling_checks.drive(stones, SAMPLES, 2, dt=10.0, command=(0.1, 0.5))
    assert met.mean() == pytest.approx(5.0, abs=4.0 * math.sqrt(5.0 / SAMPLES))
