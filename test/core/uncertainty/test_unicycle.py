# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Exact arcs and their derivatives."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import spherical_jn

from world_model_core.angles import wrap_angles
from world_model_core.uncertainty.unicycle import (
    chord_ratio,
    chord_ratio_slope,
    commands_between,
    move,
    move_jacobians,
)

places = st.tuples(st.floats(-9, 9), st.floats(-9, 9), st.floats(-9, 9))
speeds = st.tuples(st.floats(-3, 3), st.floats(-3, 3))
# The turn rates at which formulas with a quotient by omega fail.
slow = st.tuples(st.floats(-3, 3), st.floats(-1e-5, 1e-5))
times = st.floats(1e-3, 5.0)


@given(places, speeds | slow, times, times)
def test_two_steps_are_one(pose, velocity, first, second):
    """An arc cut anywhere is the same arc."""
    pose, velocity = np.array([pose]), np.array([velocity])
    whole = move(pose, velocity, first + second)
    assert move(move(pose, velocity, first), velocity, second) == pytest.approx(whole, abs=1e-12)


@given(places, st.tuples(st.floats(-5, 5), st.floats(-3, 3)), st.floats(0.01, 1.0))
def test_the_command_of_an_arc_is_found(pose, velocity, dt):
    """For any arc of less than half a turn, the velocities must be recovered."""
    before, velocities = np.array([pose]), np.array([velocity])
    after = move(before, velocities, dt)
    after[:, 2] = wrap_angles(after[:, 2])
    assert np.allclose(commands_between(before, after, dt), velocities, atol=1e-9)


@given(places, speeds, times)
def test_arcs_are_those_of_the_lecture(pose, velocity, dt):
    """Where omega is not small, x' = x + nu / omega (sin(theta + omega dt) - sin(theta))."""
    (x, y, theta), (nu, omega) = pose, velocity
    omega += math.copysign(0.01, omega)
    end = theta + omega * dt
    expected = (
        x + nu / omega * (math.sin(end) - math.sin(theta)),
        y - nu / omega * (math.cos(end) - math.cos(theta)),
        end,
    )
    moved = move(np.array([pose]), np.array([(nu, omega)]), dt)
    assert moved[0] == pytest.approx(expected, abs=1e-10)


def test_straight_lines_and_turns_on_the_spot_are_exact():
    """Without omega the robot goes straight, without nu it stays, and headings are not wrapped."""
    poses = np.array([(1.0, 2.0, math.pi / 2), (1.0, 2.0, 3.0)])
    moved = move(poses, np.array([(0.5, 0.0), (0.0, 4.0)]), 2.0)
    assert moved == pytest.approx(np.array([(1.0, 3.0, math.pi / 2), (1.0, 2.0, 11.0)]))


def test_each_robot_may_have_its_own_time_step():
    """With a time for each robot, each must move as it would alone."""
    poses, velocities = np.zeros((3, 3)), np.array([(1.0, 0.3), (0.5, -2.0), (-1.0, 0.0)])
    durations = np.array([0.0, 1.0, 2.5])
    moved = move(poses, velocities, durations)
    for row, pose, velocity, dt in zip(moved, poses, velocities, durations, strict=True):
        assert np.array_equal(row, move(pose[None], velocity[None], float(dt))[0])


@given(places, speeds | slow | st.just((1.0, 0.0)), times)
def test_jacobians_are_the_derivatives(pose, velocity, dt):
    """Jacobians must agree with differences of f, also near a straight line."""
    pose, velocity = np.array([pose]), np.array([velocity])
    by_pose, by_velocity = move_jacobians(pose, velocity, dt)
    step = 1e-6
    for column in range(3):
        offset = step * np.eye(3)[column]
        change = move(pose + offset, velocity, dt) - move(pose - offset, velocity, dt)
        assert by_pose[0, :, column] == pytest.approx(change[0] / (2 * step), abs=1e-6)
    for column in range(2):
        offset = step * np.eye(2)[column]
        change = move(pose, velocity + offset, dt) - move(pose, velocity - offset, dt)
        assert by_velocity[0, :, column] == pytest.approx(change[0] / (2 * step), abs=1e-6)


@given(st.floats(-30.0, 30.0) | st.floats(-0.2, 0.2))
def test_chords_are_a_bessel_function(half):
    """sin(h) / h must be the spherical Bessel function of order 0, from its series or not."""
    assert chord_ratio(np.array([half]))[0] == pytest.approx(spherical_jn(0, half), abs=4e-16)


@given(st.floats(1e-3, 3.0))
def test_the_slope_of_the_chord_is_a_bessel_function(half):
    """The derivative of sin(h) / h must be minus the spherical Bessel function of order 1."""
    slopes = chord_ratio_slope(np.array((half, -half)))
    assert slopes == pytest.approx(np.array((-1.0, 1.0)) * spherical_jn(1, half), rel=1e-11)


@given(st.floats(-1e-3, 1e-3))
def test_the_slope_of_the_chord_keeps_its_digits_near_zero(half):
    """Near a straight line it must be -h / 3, and not a quotient of two rounding errors."""
    slope = float(chord_ratio_slope(np.array(half)))
    assert slope == pytest.approx(-half / 3, rel=2e-7, abs=1e-300)
