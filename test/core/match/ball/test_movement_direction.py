# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Whether and in which direction a ball moves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from world_model_core.match.ball.estimate import BallState
from world_model_core.match.ball.movement_direction import (
    is_moving,
    is_moving_away_from,
    is_moving_towards,
)

angles = st.floats(-math.pi, math.pi)


def ball(vx, vy=0.0, vz=0.0):
    """Make a ball at (1, 2) m."""
    return BallState(0, np.array((1.0, 2.0, 0.0)), np.array((vx, vy, vz)), np.eye(6))


@pytest.mark.parametrize(('speed', 'expected'), [(0.0, False), (0.09, False), (0.11, True)])
def test_a_ball_moves_above_a_tenth_of_a_meter_per_second(speed, expected):
    """Only the horizontal speed counts, with the seed's threshold or another."""
    assert is_moving(ball(0.6 * speed, 0.8 * speed, 1.0)) is expected
    assert is_moving(ball(speed), speed=0.05) is (speed > 0.05)


@given(angles, angles, st.floats(0.2, 5.0), st.floats(0.1, 8.0))
def test_towards_and_away_are_cones_of_sixty_degrees(course, bearing, distance, speed):
    """Within 60 degrees of the direction to the point it moves towards it, opposite away."""
    moving = ball(1.001 * speed * math.cos(course), 1.001 * speed * math.sin(course))
    distance *= 1.001
    point = (1.0 + distance * math.cos(bearing), 2.0 + distance * math.sin(bearing))
    off = abs(math.remainder(course - bearing, math.tau))
    assume(min(abs(off - math.radians(limit)) for limit in (60.0, 120.0)) > 1e-6)
    assert is_moving_towards(moving, point) is (off < math.radians(60.0))
    assert is_moving_away_from(moving, point) is (off > math.radians(120.0))


@pytest.mark.parametrize('point', [(1.0, 2.0), (1.19, 2.0), (0.81, 2.0)])
def test_a_ball_at_the_point_moves_neither_towards_nor_away(point):
    """Nearer than 0.2 m to the point it moves neither towards nor away from it."""
    assert not is_moving_towards(ball(1.0), point)
    assert not is_moving_away_from(ball(1.0), point)


@pytest.mark.parametrize('point', [(5.0, 2.0), (-5.0, 2.0)])
def test_a_resting_ball_moves_neither_towards_nor_away(point):
    """The direction of a velocity below the noise must not count."""
    assert not is_moving_towards(ball(0.05), point)
    assert not is_moving_away_from(ball(0.05), point)
