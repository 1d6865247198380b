# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Balls bounce off obstacles, and robots catch them with their front."""

from __future__ import annotations

import cmath
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.simulation.match.collisions import catches, find_contact
from world_model_core.simulation.match.robot import Robot

ANGLES = st.floats(-math.pi, math.pi)
SPEEDS = st.floats(0.1, 6.0)
PART = st.floats(0.0, 1.0)


def robot(heading=0.0, velocity=0j):
    """Put a robot at the center of the field."""
    return Robot(RobotId(Team.BLUE, 1), 0j, heading, velocity)


@given(ANGLES, st.builds(cmath.rect, SPEEDS, ANGLES), st.builds(cmath.rect, SPEEDS, ANGLES), PART)
def test_bounce_turns_round_what_comes_nearer_and_keeps_the_rest(side, velocity, drive, part):
    """Relative to the robot, the normal velocity is reversed and reduced, no other changed."""
    place = cmath.rect(0.11, side)
    contact = find_contact(place, 0.0, velocity, [robot(velocity=drive)])
    relative = (velocity - drive) * cmath.rect(1.0, -side)
    if relative.real >= 0.0:
        assert contact is None
        return
    after = (contact.reflect(velocity, part) - drive) * cmath.rect(1.0, -side)
    assert after.real == pytest.approx(-part * relative.real, abs=1e-9)
    assert after.imag == pytest.approx(relative.imag, abs=1e-9)


@pytest.mark.parametrize(
    ('angle', 'speed', 'waits', 'caught'),
    [
        (0.0, 0.9, False, True),
        (0.4, 0.9, False, True),
        (0.5, 0.9, False, False),
        (math.pi, 1.0, True, False),
        (0.0, 5.0, False, False),
        (0.0, 5.0, True, True),
    ],
)
def test_robots_catch_with_their_front_what_is_slow_or_waited_for(angle, speed, waits, caught):
    """A ball at the side bounces off, as does a fast one that is not meant for the robot."""
    velocity = cmath.rect(-speed, angle)
    contact = find_contact(cmath.rect(0.11, angle), 0.0, velocity, [robot()])
    assert catches(contact, velocity, waits=waits) is caught


def test_balls_fly_over_robots_and_goals():
    """A ball above a robot does not touch it, and one above a goal touches no wall."""
    assert find_contact(0.1 + 0j, 0.2, -1 + 0j, [robot()]) is None
    assert find_contact(4.5 + 0.5j, 0.2, 1 + 0j, []) is None


@pytest.mark.parametrize('x', [-1, 1])
@pytest.mark.parametrize('y', [-1, 1])
def test_post_reflects_the_ball(x, y):
    """A ball that rolls straight at the front of a goal's wall returns to the field."""
    place, velocity = complex(x * 4.48, y * 0.51), complex(x * 3.0, 0.0)
    contact = find_contact(place, 0.0, velocity, [])
    after = contact.reflect(velocity, 0.5)
    assert after == pytest.approx(complex(-x * 1.5, 0.0))


@pytest.mark.parametrize(('y', 'throws'), [(0.485, -1), (0.535, 1)])
def test_side_of_a_goal_stops_from_both_sides(y, throws):
    """Inside and outside of the goal the ball bounces off its side wall."""
    velocity = complex(0.0, -throws * 2.0)
    contact = find_contact(complex(4.6, y), 0.0, velocity, [])
    after = contact.reflect(velocity, 0.5)
    assert after == pytest.approx(complex(0.0, throws * 1.0))


def test_wall_leaves_the_goal_mouth_open():
    """A ball between the posts enters the goal freely."""
    assert all(
        find_contact(complex(4.5, y / 100), 0.0, 3 + 0j, []) is None for y in range(-47, 48)
    )
