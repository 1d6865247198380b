# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Launches solved from sights: straight or chip, and how surely."""

from __future__ import annotations

import numpy as np
import pytest

from world_model_core.ball.launch import Calibration, LaunchFit, Origin
from world_model_core.ball.parameters import BallParameters
from world_model_core.ball.sight import Sight

CAMERA = (-2.0, 0.0, 5.0)


def _sight(time, place, camera=CAMERA, z=None):
    """See a ball at a time [s] exactly where its ray meets the carpet."""
    x, y, height = place
    if camera is not None and z is None:
        factor = camera[2] / (camera[2] - height)
        x, y = camera[0] + (x - camera[0]) * factor, camera[1] + (y - camera[1]) * factor
    return Sight(round(time * 1e9), 0, x, y, z, 0.0014**2, camera)


def _chip(times, camera=CAMERA, velocity=(3.0, 1.0, 2.5)):
    """See a chip from the origin of the field at time 0."""
    vx, vy, vz = velocity
    for time in times:
        place = (vx * time, vy * time, vz * time - 4.905 * time * time)
        yield _sight(time, place, camera)


def test_too_few_sights_give_nothing():
    """Two sights tell neither when nor where a ball was kicked."""
    fit = LaunchFit(BallParameters(), -10_000_000, 0, None)
    for sight in _chip((0.0, 0.015)):
        fit.add(sight)
        assert fit.solve() is None


def test_a_chip_is_solved_to_the_digit_from_exact_sights():
    """Velocity, place and touchdown of a chip that is seen without noise come out as they were."""
    fit = LaunchFit(
        BallParameters(), -1_000_000, 1_000_000, Origin(0.0, 0.0, 1e-6), Calibration(1e-3, 1e-3)
    )
    for sight in _chip(np.arange(0.0, 0.45, 0.01)):
        fit.add(sight)
    launch = fit.solve()
    assert launch.chip_probability > 0.999
    assert launch.fits
    np.testing.assert_allclose(launch.velocity, (3.0, 1.0, 2.5), atol=0.01)
    landed = launch.touchdown()
    np.testing.assert_allclose(landed.position, (3.0 * 5.0 / 9.81, 5.0 / 9.81), atol=0.005)
    assert landed.stamp_ns == pytest.approx(5.0 / 9.81 * 1e9, abs=2e6)
