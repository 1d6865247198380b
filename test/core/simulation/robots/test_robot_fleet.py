# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated robots follow their commands, apart from errors, whose causes they report."""

from __future__ import annotations

import numpy as np
import pytest

from world_model_core.angles import wrap_angles
from world_model_core.simulation.robots.robot_fleet import RobotFleet
from world_model_core.uncertainty import motion_parameters, observation_parameters
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.input_checks import InputError
from world_model_core.uncertainty.kidnapping import KidnapParameters
from world_model_core.uncertainty.lecture_simulations import (
    COMMAND,
    IDEAL_MOTION,
    IDEAL_SENSOR,
    LANDMARKS,
)
from world_model_core.uncertainty.motion_parameters import MotionParameters
from world_model_core.uncertainty.stuck_robots import StuckParameters


def fleet_of(motion=IDEAL_MOTION, sensor=IDEAL_SENSOR, count=5, seed=1):
    """Return robots that drive the lecture's circles."""
    return RobotFleet(motion, sensor, LANDMARKS, COMMAND, count=count, seed=seed)


def run(fleet, steps, dt=0.1):
    """Simulate steps."""
    for _ in range(steps):
        fleet.step(dt)
    return fleet


def test_without_errors_odometry_and_readings_are_right():
    """Without errors odometry is the truth, and readings are exact."""
    fleet = run(fleet_of(), 36)
    assert fleet.truth.poses == pytest.approx(fleet.odometry)
    x, y, theta = fleet.truth.poses[0]
    for place, (distance, bearing) in zip(LANDMARKS, fleet.last_step.readings[0], strict=True):
        if not np.isnan(distance):
            assert distance == pytest.approx(np.hypot(place[0] - x, place[1] - y))
            angle = np.arctan2(place[1] - y, place[0] - x) - theta
            assert wrap_angles(bearing - angle) == pytest.approx(0.0, abs=1e-9)
    assert np.isfinite(fleet.last_step.readings).any()


def test_landmarks_are_located_where_they_are_read():
    """Without errors a reading is the place of its landmark in the robot's frame."""
    fleet = run(fleet_of(), 57)
    distances, bearings = fleet.last_step.readings[0].T
    read = np.column_stack((distances * np.cos(bearings), distances * np.sin(bearings)))
    seen = ~np.isnan(distances)
    assert seen.any()
    assert fleet.locate_landmarks(0)[seen] == pytest.approx(read[seen])


def test_circles_close():
    """At 0.2 m/s and 10 degrees per second all robots are back after 36 s."""
    fleet = run(fleet_of(), 360)
    assert fleet.time == pytest.approx(36.0)
    assert fleet.truth.poses[:, :2] == pytest.approx(np.zeros((5, 2)), abs=1e-9)


def test_odometry_drifts():
    """Odometry integrates commands, whatever the motion errors."""
    fleet = run(fleet_of(motion_parameters.LNPR, observation_parameters.LNPR), 300)
    assert fleet.odometry == pytest.approx(run(fleet_of(), 300).odometry)
    apart = np.linalg.norm(fleet.truth.poses[:, :2] - fleet.odometry[:, :2], axis=1)
    assert (apart > 0.01).all()


def test_a_new_beginning_is_the_same_run():
    """A reset repeats all draws and clears the commands."""
    fleet = fleet_of(motion_parameters.LECTURE, observation_parameters.LECTURE)
    fleet.reset()
    first = run(fleet, 50).truth.poses
    readings = fleet.last_step.readings
    fleet.command(2, 1.0, 0.0)
    fleet.reset()
    assert fleet.last_step is None
    assert fleet.time == 0.0
    again = run(fleet, 50)
    assert np.array_equal(again.truth.poses, first)
    assert np.array_equal(again.last_step.readings, readings, equal_nan=True)


def test_a_command_is_for_one_robot():
    """The other robots keep their commands."""
    fleet = fleet_of()
    fleet.command(2, 1.0, 0.0)
    run(fleet, 10)
    assert fleet.truth.poses[2] == pytest.approx((1.0, 0.0, 0.0))
    others = np.delete(fleet.truth.poses, 2, axis=0)
    assert others == pytest.approx(np.delete(run(fleet_of(), 10).truth.poses, 2, axis=0))


@pytest.mark.parametrize('command', [(np.nan, 0.0), (0.0, np.inf), (101.0, 0.0)])
def test_a_command_must_be_sensible(command):
    """An invalid command is rejected, and the previous one stays."""
    fleet = fleet_of()
    with pytest.raises(InputError, match='100'):
        fleet.command(0, *command)
    assert fleet.commands[0] == pytest.approx(COMMAND)


def test_who_is_stuck_has_no_velocity():
    """True velocities equal the commands while a robot is free, and zero while it is stuck."""
    stuck = StuckParameters(mean_free=2.0, mean_stuck=2.0)
    fleet = run(fleet_of(MotionParameters(stuck=stuck), count=100), 50)
    held = fleet.truth.stuck
    assert 20 < held.sum() < 80
    assert not fleet.velocities[held].any()
    assert fleet.velocities[~held] == pytest.approx(np.tile(COMMAND, (int((~held).sum()), 1)))


def test_kidnappings_are_remembered():
    """The time of the last kidnapping is kept; NaN without one."""
    fleet = fleet_of(MotionParameters(kidnap=KidnapParameters(mean_interval=5.0)), count=200)
    last = np.full(200, np.nan)
    for step in range(50):
        taken = (fleet.step(0.1).motion.causes & int(ErrorCause.KIDNAP)) != 0
        last[taken] = step * 0.1
    assert np.array_equal(np.isnan(last), np.isnan(fleet.kidnapped_at))
    late = (fleet.kidnapped_at - last)[~np.isnan(last)]
    assert (late > -1e-9).all()
    assert (late < 0.1 + 1e-9).all()
    assert 0.5 < np.isfinite(last).mean() < 0.75
