# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The laws of motion, with fewer samples than the benchmark that judges them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks import motion_laws
from world_model_core.uncertainty.pebbles import PebbleParameters
from world_model_core.uncertainty.stuck import StuckParameters

SAMPLES = 3000


@pytest.mark.parametrize('name', motion_laws.LAWS)
def test_robots_move_by_the_laws_that_are_written_down(name):
    """No test of the law may be surprised beyond one in ten thousand."""
    values = np.atleast_1d(motion_laws.LAWS[name](SAMPLES, 1))
    assert values.min() > 1e-4 / len(values)


@pytest.mark.parametrize(
    ('name', 'source', 'wrong'),
    [
        ('pebbles on the way', 'PebbleParameters', lambda: PebbleParameters(rate=5.3)),
        ('stuck at 30 s', 'StuckParameters', lambda: StuckParameters(mean_free=50.0)),
    ],
)
def test_laws_that_are_a_little_off_are_found_out(monkeypatch, name, source, wrong):
    """The tests must be sharp: a rate a few percent off must surprise them."""
    monkeypatch.setattr(motion_laws, source, wrong)
    values = np.atleast_1d(motion_laws.LAWS[name](SAMPLES, 1))
    assert values.min() < 1e-4


def test_the_lecture_s_figures_are_met():
    """Robots must be stuck at 30 s with 0.316, and 5 pebbles must lie on a metre."""
    assert pytest.approx(0.316, abs=5e-4) == 0.5 * (1.0 - math.exp(-1.0))
    stuck = motion_laws.MotionParameters(stuck=StuckParameters())
    state, _, _ = motion_laws._drive(stuck, SAMPLES, 2, dt=30.0)
    assert state.stuck.mean() == pytest.approx(0.316, abs=4.0 * math.sqrt(0.22 / SAMPLES))
    stones = motion_laws.MotionParameters(pebbles=PebbleParameters())
    _, _, met = motion_laws._drive(stones, SAMPLES, 2, dt=10.0, command=(0.1, 0.5))
    assert met.mean() == pytest.approx(5.0, abs=4.0 * math.sqrt(5.0 / SAMPLES))
