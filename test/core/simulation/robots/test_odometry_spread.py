# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The covariance of odometry is consistent with its errors."""

from __future__ import annotations

import numpy as np
import pytest

from world_model_core.gaussian import mahalanobis_squared
from world_model_core.simulation.robots import robot_fleet
from world_model_core.simulation.robots.robot_fleet import RobotFleet
from world_model_core.uncertainty.lecture_simulations import COMMAND, IDEAL_MOTION, IDEAL_SENSOR
from world_model_core.uncertainty.motion_parameters import LNPR, MotionParameters
from world_model_core.uncertainty.pebble_noise import PebbleParameters
from world_model_core.uncertainty.velocity_bias import VelocityBiasParameters

COUNT = 4000


@pytest.fixture
def make(monkeypatch):
    """Return many robots whose odometry has a covariance."""
    monkeypatch.setattr(robot_fleet, 'MAX_WITH_COVARIANCE', COUNT)

    def make_fleet(motion, count=COUNT):
        return RobotFleet(motion, IDEAL_SENSOR, np.empty((0, 2)), COMMAND, count=count, seed=3)

    return make_fleet


def nees(fleet):
    """Return the mean normalized squared error of poses, 3 for correct covariances."""
    off = fleet.truth.poses - fleet.odometry
    return mahalanobis_squared(off, fleet.spread().poses()).mean()


MOTIONS = {
    'pebbles': MotionParameters(pebbles=PebbleParameters()),
    'lnpr': LNPR,
    'wrong mean': MotionParameters(
        pebbles=PebbleParameters(rate=0.5),
        velocity_bias=VelocityBiasParameters(nu_mean=1.2, omega_mean=0.9, nu_std=0.1),
    ),
}


@pytest.mark.parametrize('name', MOTIONS)
def test_errors_are_as_large_as_is_said(make, name):
    """For many robots, on arcs to either side, at the end of the path and before."""
    fleet = make(MOTIONS[name])
    for nu, omega in ((0.2, 0.17), (0.4, -0.3), (-0.2, 0.0)):
        for robot in range(COUNT):
            fleet.command(robot, nu, omega)
        for _ in range(6):
            fleet.step(0.5)
        assert nees(fleet) == pytest.approx(3.0, abs=0.35)


def test_the_velocity_is_off_by_its_bias(make):
    """The covariance of the twist is that of true velocities about commands."""
    fleet = make(MOTIONS['wrong mean'])
    off = fleet.velocities - fleet.commands
    told = fleet.spread().velocities(fleet.commands)[0]
    assert np.diag(off.T @ off / COUNT) == pytest.approx(np.diag(told), rel=0.1)


def test_it_does_not_matter_when_it_is_asked(make):
    """The result must not depend on how often the covariance is computed."""
    asked, left = make(LNPR, 3), make(LNPR, 3)
    for _ in range(400):
        asked.step(0.3)
        asked.spread()
        asked.command(0, *asked.commands[0])
        left.step(0.3)
    assert np.array_equal(asked.spread().poses(), left.spread().poses())


def test_it_is_honest_for_minutes(make):
    """Robots that circle for a minute must be consistent with covariances of each step."""
    fleet = make(LNPR)
    for _ in range(120):
        fleet.step(0.5)
        fleet.spread()
    assert nees(fleet) == pytest.approx(3.0, abs=0.7)


def test_without_errors_odometry_is_sure(make):
    """The covariance is zero without motion errors, and at the start of a run."""
    fleet = make(IDEAL_MOTION, 3)
    fleet.step(1.0)
    assert fleet.spread().poses() == pytest.approx(np.zeros((3, 3, 3)), abs=1e-20)
    other = make(LNPR, 3)
    other.step(1.0)
    assert other.spread().poses().any()
    other.reset()
    assert not other.spread().poses().any()
