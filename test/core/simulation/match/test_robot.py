# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated robots keep their limits, reach their targets and avoid each other."""

from __future__ import annotations

import cmath
import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from world_model_core.angles import wrap_angle
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.simulation.match.robot import (
    ACCELERATION,
    CLOSING_GAIN,
    GAP,
    NEIGHBORHOOD,
    TURN_ACCELERATION,
    TURN_RATE,
    Robot,
    avoidance_velocity,
    clip,
    keep_apart,
    keep_inside,
    shorten,
)

DT = 0.005
ANGLES = st.floats(-math.pi, math.pi)
PLACES = st.builds(complex, st.floats(-4.0, 4.0), st.floats(-3.0, 3.0))
NEAR_PLACES = st.builds(complex, st.floats(-2.0, 2.0), st.floats(-2.0, 2.0))
VELOCITIES = st.builds(cmath.rect, st.floats(0.0, 2.0), ANGLES)


def robot(place=0j, velocity=0j, heading=0.0):
    """Make a robot."""
    return Robot(RobotId(Team.BLUE, 1), place, heading, velocity)


@settings(max_examples=15)
@given(NEAR_PLACES, NEAR_PLACES, ANGLES, ANGLES, st.floats(1.0, 2.2))
def test_a_robot_reaches_its_target_within_its_limits(start, target, heading, facing, top):
    """It must accelerate to its top speed, stop at the target, and turn the shorter way."""
    one = robot(start, heading=heading)
    turned, highest = 0.0, 0.0
    for _ in range(2000):
        before, rate = one.velocity, one.turn_rate
        one.steer(target, facing, top, DT)
        assert abs(one.velocity - before) <= ACCELERATION * DT + 1e-9
        assert abs(one.velocity) <= top + 1e-9
        assert abs(one.turn_rate - rate) <= TURN_ACCELERATION * DT + 1e-9
        assert abs(one.turn_rate) <= TURN_RATE + 1e-9
        highest = max(highest, abs(one.velocity))
        turned += one.turn_rate * DT
        one.move(DT)
    assert abs(one.place - target) < 1e-3
    assert abs(wrap_angle(one.heading - facing)) < 1e-3
    if abs(abs(wrap_angle(facing - heading)) - math.pi) > 0.3:
        assert turned == pytest.approx(wrap_angle(facing - heading), abs=0.01)
    if abs(target - start) > 2.0:
        assert highest > 0.9 * min(top, math.sqrt(ACCELERATION * abs(target - start)))


def test_a_robot_brakes_where_it_can_still_stop():
    """It must drive as fast as allows a stop at the target: the way there takes no longer."""
    one, steps = robot(), 0
    while abs(one.place - 3.0) > 0.01:
        one.steer(3.0 + 0j, 0.0, 2.0, DT)
        one.move(DT)
        steps += 1
    fastest = 3.0 / 2.0 + 2.0 / ACCELERATION  # trapezoid of speed
    assert fastest - 0.15 < steps * DT < fastest + 0.15


@given(PLACES, VELOCITIES, ANGLES, st.floats(-5.0, 5.0), st.floats(0.0, 0.1))
def test_a_robot_moves_uniformly(place, velocity, heading, turn_rate, dt):
    """Position and heading after a time must be those of constant velocities."""
    one = Robot(RobotId(Team.BLUE, 1), place, heading, velocity, turn_rate)
    place_ahead, heading_ahead = one.ahead(dt)
    assert place_ahead - place == pytest.approx(velocity * dt, abs=1e-9)
    assert wrap_angle(heading_ahead - heading) == pytest.approx(turn_rate * dt, abs=1e-9)
    assert -math.pi < heading_ahead <= math.pi
    one.move(dt)
    assert (one.place, one.heading) == (place_ahead, heading_ahead)


@given(st.floats(0.2, 0.79), ANGLES, VELOCITIES, VELOCITIES)
def test_robots_that_approach_each_other_slow_down(distance, side, first, second):
    """They must close at the allowed speed at most, turn right, and share the change equally."""
    gap = cmath.rect(distance, side)
    one, other = robot(0j, first), robot(gap, second)
    towards = gap / distance
    closing = ((first - second) * towards.conjugate()).real
    allowed = CLOSING_GAIN * (distance - GAP)
    keep_apart((one, other))
    assert one.velocity + other.velocity == pytest.approx(first + second, abs=1e-9)
    if closing <= allowed:
        assert one.velocity == first
        return
    after = (one.velocity - other.velocity) * towards.conjugate()
    assert after.real == pytest.approx(allowed, abs=1e-6)
    # Both turn to their right, by half of what they slow down.
    before = (first - second) * towards.conjugate()
    assert after.imag - before.imag == pytest.approx(-0.5 * (closing - allowed), abs=1e-6)


@given(st.floats(0.5, 2.2), st.floats(-0.02, 0.02))
@settings(max_examples=10)
def test_robots_driven_at_each_other_do_not_touch(speed, aside):
    """Two robots of 0.09 m must not touch, and slow ones come within a few centimeters."""
    one, other = robot(-1.0 + 0j), robot(complex(1.0, aside))
    nearest = 2.0
    for _ in range(600):
        one.velocity, other.velocity = complex(speed), complex(-speed)
        keep_apart((one, other))
        for each in (one, other):
            each.move(DT)
        nearest = min(nearest, abs(one.place - other.place))
    assert nearest > 0.18
    assert speed > 1.0 or nearest < 0.3  # faster ones turn aside earlier


@given(VELOCITIES, VELOCITIES, ANGLES)
def test_distant_robots_do_not_avoid_each_other(first, second, side):
    """Beyond the neighborhood velocities must stay."""
    one, other = robot(0j, first), robot(cmath.rect(NEIGHBORHOOD + 0.01, side), second)
    keep_apart((one, other))
    assert (one.velocity, other.velocity) == (first, second)


@given(st.floats(0.1, 1.0), ANGLES, VELOCITIES, st.floats(0.1, 0.5))
def test_an_obstacle_is_only_avoided_on_the_way_to_it(distance, side, closing, radius):
    """The change must point away from the obstacle, and be none while the robot leaves it."""
    gap = cmath.rect(distance, side)
    change = avoidance_velocity(gap, closing, radius) * (gap / distance).conjugate()
    approach = (closing * (gap / distance).conjugate()).real - CLOSING_GAIN * (distance - radius)
    assert change.real == pytest.approx(-max(approach, 0.0), abs=1e-9)
    assert change.imag == pytest.approx(0.5 * change.real, abs=1e-9)


@settings(max_examples=20)
@given(PLACES, VELOCITIES)
def test_a_robot_does_not_leave_its_rectangle(place, velocity):
    """It must stay in the rectangle however it is driven, and be free in the middle."""
    corner = complex(4.0, 3.0)
    one = robot(place, velocity)
    for _ in range(400):
        one.velocity = velocity
        keep_inside(one, corner)
        one.move(DT)
        assert abs(one.place.real) <= corner.real + 1e-9
        assert abs(one.place.imag) <= corner.imag + 1e-9
    middle = robot(0j, velocity)
    keep_inside(middle, corner)
    assert middle.velocity == velocity


@given(PLACES, st.floats(0.01, 5.0))
def test_vectors_are_shortened_to_a_length(vector, limit):
    """A longer vector keeps its direction; a shorter one is not changed."""
    short = shorten(vector, limit)
    assert abs(short) == pytest.approx(min(abs(vector), limit))
    assume(abs(vector) > 1e-9)
    assert (short / vector).imag == pytest.approx(0.0, abs=1e-9)
    assert (short / vector).real > 0.0


@given(st.floats(-9.0, 9.0), st.floats(0.0, 5.0))
def test_numbers_are_limited_on_both_sides(value, limit):
    """The nearest number of the range must be returned."""
    assert clip(value, limit) == sorted((-limit, value, limit))[1]
