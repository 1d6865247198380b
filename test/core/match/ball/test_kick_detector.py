# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Detection of the time and position of kicks from a filtered ball."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.ball.ground_filter import PlanarGaussian
from world_model_core.match.ball.kick_detector import KickDetector
from world_model_core.match.ball.walls import Wall
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

FRAME_NS = SECOND // 70


def kicks_in(velocities, speed_variance=0.01, walls=(), *, touched=True):
    """Run the detector over a ball with a given velocity (vx, vy) in each frame."""
    detector, found = KickDetector(), []
    x = y = 0.0
    for index, (vx, vy) in enumerate(velocities):
        x, y = x + vx / 70.0, y + vy / 70.0
        ground = PlanarGaussian(x, y, vx, vy, 0, 0, 1e-5, 0, 0, speed_variance, 0, 0)
        detected = detector.update(SECOND + index * FRAME_NS, ground, touched=touched, walls=walls)
        found += [detected] if detected else []
    return found


def test_a_kick_is_found_once_and_traced_back():
    """A ball at rest that is suddenly fast must give one kick with its time and position."""
    (detected,) = kicks_in([(0, 0)] * 20 + [(0, 5)] * 20)
    assert detected.earliest_ns <= SECOND + 19 * FRAME_NS <= detected.latest_ns
    assert detected.latest_ns - detected.earliest_ns < 6 * FRAME_NS
    assert (detected.origin.x, detected.origin.y) == pytest.approx((0.0, 0.0), abs=0.02)
    assert detected.speed == 0.0


def test_a_rolling_ball_has_no_kick():
    """A ball that slows down, or whose speed changes within the noise, was not kicked."""
    rng = np.random.default_rng(3)
    assert kicks_in([(3 - 0.02 * n + rng.normal(0, 0.1), 0) for n in range(100)]) == []


def test_an_uncertain_speed_is_not_a_kick():
    """A speed with an equally large standard deviation must not be detected as a kick."""
    assert kicks_in([(0, 0)] * 10 + [(5, 0)] * 10, speed_variance=4.0) == []


def test_two_kicks_are_two():
    """A second kick of a moving ball must be found as well."""
    assert len(kicks_in([(0, 0)] * 10 + [(2, 0)] * 30 + [(-5, 0)] * 30)) == 2


# The ball of `INTO_WALL` turns here, slowly as the filter follows it.
WALL = Wall((0.5, -1.0), (0.5, 1.0), 0.02, 0.155)
INTO_WALL = [(3, 0)] * 10 + [(1, 0), (0, 0), (-1, 0), (-2, 0), (-2, 0)]


def test_a_bounce_off_a_wall_is_flat_and_no_gain_of_speed():
    """A robot nearby must not make a chip of a bounce, nor a kick of a slower ball."""
    (detected,) = kicks_in(INTO_WALL, walls=[WALL])
    assert not detected.may_fly
    assert detected.speed == pytest.approx(3.0)


def test_a_ball_that_a_robot_turns_before_a_wall_may_fly():
    """Only at the wall itself is a change of direction a bounce."""
    further = Wall((0.8, -1.0), (0.8, 1.0), 0.02, 0.155)
    (detected,) = kicks_in(INTO_WALL, walls=[further])
    assert detected.may_fly
    assert detected.speed < 0.5


@pytest.mark.parametrize(('touched', 'before'), [(False, 3.0), (True, 0.0)])
def test_only_a_robot_can_stop_a_ball_and_kick_it_again(touched, before):
    """Without a robot nearby, a ball that the filter stops for a moment was as fast as before."""
    stopped = [(3, 0)] * 10 + [(0, 0)] * 5 + [(-2, 0)] * 5
    (detected,) = kicks_in(stopped, touched=touched)
    assert detected.speed == pytest.approx(before)


@pytest.mark.parametrize('before', [(0, 0), (0, 1), (-1, 0)])
def test_a_kick_at_a_wall_may_fly(before):
    """A ball that lies at a wall, or does not roll into it, must have been kicked."""
    wall = Wall((0.05, -1.0), (0.05, 1.0), 0.02, 0.155)
    (detected,) = kicks_in([before] * 10 + [(-4, 0)] * 5, walls=[wall])
    assert detected.may_fly


@given(speed=st.floats(1.0, 6.0), kept=st.floats(0.3, 0.8), angle=st.floats(-1.0, 1.0))
def test_every_bounce_off_a_wall_is_flat(speed, kept, angle):
    """A detected change of motion at a wall must be flat at any speed and angle."""
    vx, vy = speed * np.cos(angle), speed * np.sin(angle)
    frames = int(0.4 * 70 / vx)
    x = vx * frames / 70
    wall = Wall((x + 0.04, -9.0), (x + 0.04, 9.0), 0.02, 0.155)
    turning = [(share * vx, vy) for share in (0.5, 0.0, -0.5 * kept)]
    found = kicks_in([(vx, vy)] * frames + turning + [(-kept * vx, vy)] * 5, walls=[wall])
    assert not any(detected.may_fly for detected in found)
