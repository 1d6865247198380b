# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Travel times of robots: by hand, compared with a simulated robot, and their continuity."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.errors import ConfigurationError
from world_model_core.match.play.travel_time import TravelLimits, travel_times

places = st.tuples(st.floats(-6.0, 6.0), st.floats(-6.0, 6.0))
velocities = st.tuples(st.floats(-5.0, 5.0), st.floats(-5.0, 5.0))
limits = st.builds(TravelLimits, st.floats(0.5, 10.0), st.floats(0.5, 8.0))


def travel_time(position, velocity, place, chosen):
    """Return the travel time of one robot to one position."""
    (time,) = travel_times(*(np.array([row]) for row in (position, velocity, place)), chosen)[0]
    return time


def driven(distance, speed, chosen, dt=1e-4):
    """Return the time of a simulated robot that always accelerates as much as it may."""
    position, time = 0.0, 0.0
    while abs(distance - position) > 1e-3 or abs(speed) > 5e-2:
        left = distance - position
        wanted = math.copysign(math.sqrt(2.0 * chosen.acceleration * abs(left)), left)
        wanted = max(-chosen.speed, min(wanted, chosen.speed))
        change = max(-chosen.acceleration * dt, min(wanted - speed, chosen.acceleration * dt))
        speed += change
        position += speed * dt
        time += dt
    return time


@pytest.mark.parametrize(
    ('distance', 'speed', 'expected'),
    [
        (4.0, 0.0, 2.0 * math.sqrt(4.0 / 2.5)),  # never at top speed
        (20.0, 0.0, 20.0 / 5.0 + 5.0 / 2.5),  # with top speed in between
        (1.25, 2.5, 1.0),  # braking from the start
        (20.0, 5.0, 15.0 / 5.0 + 2.0),  # at top speed from the start
        (0.0, 0.0, 0.0),
    ],
)
def test_travel_times_by_hand(distance, speed, expected):
    """With 2.5 m/s^2 and 5 m/s the trapezoid has these lengths."""
    found = travel_time((0.0, 1.0), (speed, 0.0), (distance, 1.0), TravelLimits())
    assert found == pytest.approx(expected)


@pytest.mark.parametrize('distance', [0.05, 0.5, 2.0, 12.0])
@pytest.mark.parametrize('speed', [-3.0, -0.5, 0.0, 1.0, 4.0])
def test_a_robot_that_is_driven_takes_that_long(distance, speed):
    """Acceleration, cruising, braking, turning around and returning all count."""
    found = travel_time((0.0, 0.0), (speed, 0.0), (distance, 0.0), TravelLimits())
    assert found == pytest.approx(driven(distance, speed, TravelLimits()), abs=0.05)


@given(places, velocities, places, limits)
def test_no_robot_is_faster_than_at_top_speed(position, velocity, place, chosen):
    """The travel time is at least the distance divided by the top speed, and not negative."""
    distance = math.dist(position, place)
    assert travel_time(position, velocity, place, chosen) >= distance / chosen.speed - 1e-9


@given(places, st.floats(0.0, math.tau), st.floats(-5.0, 5.0), st.floats(-4.0, 4.0), limits)
def test_a_place_a_little_further_takes_a_little_longer_or_less(
    position, bearing, speed, distance, chosen
):
    """Along the path of a robot, also through itself, the travel time has no jump."""
    way = np.array((math.cos(bearing), math.sin(bearing)))
    ahead = distance + np.array((-1e-7, 0.0, 1e-7))
    rows = (np.array([position]), np.array([speed * way]), position + ahead[:, None] * way)
    times = travel_times(*rows, chosen)[0]
    # From rest it grows with the square root of the distance, steeply where a robot could stop.
    assert np.abs(np.diff(times)).max() <= 4.0 * math.sqrt(1e-7 / chosen.acceleration) + 1e-6


@given(places, velocities, places, limits, st.floats(0.01, 1.0))
def test_reach_shortens_the_travel_time(position, velocity, place, chosen, reach):
    """Within reach it takes no time, otherwise as long as to the nearest position in reach."""
    (time,) = travel_times(
        *(np.array([row]) for row in (position, velocity, place)), chosen, reach
    )[0]
    distance = math.dist(position, place)
    if distance < reach:
        assert time == 0.0
    elif distance > reach + 1e-3:
        nearest = np.add(place, np.subtract(position, place) * (reach / distance))
        assert time == pytest.approx(travel_time(position, velocity, nearest, chosen), abs=1e-3)


@given(places, places, st.floats(1.0, 3.0))
def test_stronger_robots_are_not_slower_from_rest(position, place, factor):
    """More acceleration or speed never makes the travel from rest longer."""
    usual = TravelLimits()
    quick = TravelLimits(factor * usual.acceleration, factor * usual.speed)
    stronger = travel_time(position, (0.0, 0.0), place, quick)
    assert stronger <= travel_time(position, (0.0, 0.0), place, usual) + 1e-9


def test_no_robots_and_no_places_are_no_times():
    """Empty arrays give empty arrays."""
    none, one = np.zeros((0, 2)), np.zeros((1, 2))
    assert travel_times(none, none, one).shape == (0, 1)
    assert travel_times(one, one, none).shape == (1, 0)


@pytest.mark.parametrize('name', ['acceleration', 'speed'])
@pytest.mark.parametrize('value', [0.0, -1.0, math.inf, math.nan])
def test_limits_without_motion_are_rejected(name, value):
    """The error names the limit and its value."""
    with pytest.raises(ConfigurationError, match=rf'^{name}: {value} is not positive'):
        TravelLimits(**{name: value})
