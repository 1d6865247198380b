# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which robots can intercept the ball, where, and with how much slack."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.estimate import BallState
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.match.play.interception import find_slacks
from world_model_core.match.play.travel_time import TOUCH, TravelLimits, travel_times
from world_model_core.match.robots.robot_table import Robots
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

coordinates = st.floats(-6.0, 6.0)
speeds = st.floats(-4.0, 4.0)
triples = st.tuples(coordinates, coordinates, st.floats(-3.0, 3.0))
motions = st.tuples(speeds, speeds, speeds)
launches = st.tuples(speeds, speeds, st.floats(0.0, 5.0))


def robots_at(*poses, velocities=None, stamp_ns=SECOND):
    """Make blue robots."""
    count = len(poses)
    return Robots(
        stamp_ns,
        tuple(RobotId(Team.BLUE, number) for number in range(count)),
        np.array(poses, dtype=float).reshape(count, 3),
        np.zeros((count, 3)) if velocities is None else np.array(velocities).reshape(count, 3),
        np.zeros((count, 3, 2, 2)),
        np.ones(count),
    )


def predicted(velocity, position=(0.0, 0.0, 0.0), stamp_ns=SECOND):
    """Predict a ball."""
    ball = BallState(stamp_ns, np.array(position), np.array(velocity), np.eye(6))
    return BallPredictor(BallParameters()).predict(ball)


@given(launches, st.lists(st.tuples(triples, motions), max_size=4))
def test_all_robots_at_once_equal_one_by_one(velocity, robots):
    """Each slack is the ball's time minus the travel time of that robot to that position alone."""
    poses, moving = [pose for pose, _ in robots], [motion for _, motion in robots]
    crowd = robots_at(*poses, velocities=moving)
    slacks = find_slacks(predicted(velocity), crowd, SECOND)
    assert slacks.slacks.shape == (len(robots), len(slacks.times))
    for pose, motion, row in zip(poses, moving, slacks.slacks, strict=True):
        for time, place, slack in zip(slacks.times, slacks.places, row, strict=True):
            alone = [np.array([values[:2]]) for values in (pose, motion, place)]
            travel = travel_times(*alone, reach=TOUCH)[0, 0]
            assert slack == pytest.approx(time - travel, abs=1e-9)


@given(launches)
def test_only_a_low_ball_can_be_intercepted(velocity):
    """The positions are those of the trajectory, every 0.1 s to 3 s, where it is interceptable."""
    prediction = predicted(velocity)
    slacks = find_slacks(prediction, robots_at(), SECOND)
    grid = 0.1 * np.arange(31)
    stretches = prediction.trajectory.interceptable()
    low = [any(start <= time <= end for start, end in stretches) for time in grid]
    # A time within rounding of an interval's end may count or not.
    ends = np.array(stretches).ravel()
    clear = np.abs(grid[:, None] - ends).min(axis=1) > 1e-9
    np.testing.assert_array_equal(np.isin(grid, slacks.times)[clear], np.array(low)[clear])
    np.testing.assert_array_equal(slacks.places, prediction.trajectory.at(slacks.times)[0][:, :2])


def test_a_robot_next_to_the_path_intercepts_the_ball_as_early_as_possible():
    """A ball at 2 m/s passes robots that must drive 1 m, 0.1 m and too far."""
    robots = robots_at((2.0, 1.0, 0.0), (1.0, 0.1, 0.0), (-6.0, 6.0, 0.0))
    slacks = find_slacks(predicted((2.0, 0.0, 0.0)), robots, SECOND)
    first = slacks.first()
    assert [robot.number for robot in first] == [0, 1]
    for robot, meeting in first.items():
        row = slacks.slacks[robot.number]
        index = int(np.flatnonzero(slacks.times == meeting.time)[0])
        assert meeting.robot == robot
        assert meeting.slack == row[index] >= 0.0
        assert (row[:index] < 0.0).all()
        np.testing.assert_array_equal(meeting.place, slacks.places[index])
    assert first[robots.ids[1]].time < first[robots.ids[0]].time


def test_a_robot_that_touches_the_ball_has_intercepted_it():
    """A robot that touches the ball intercepts it now without slack, at any speed."""
    robots = robots_at((0.11, 0.0, 0.0), (0.2, 0.0, 0.0), velocities=[(2.0, 0.0, 0.0)] * 2)
    first = find_slacks(predicted((2.0, 0.0, 0.0)), robots, SECOND).first()
    assert (first[robots.ids[0]].time, first[robots.ids[0]].slack) == (0.0, 0.0)
    assert first[robots.ids[1]].time > 0.0


def test_the_best_meeting_has_the_most_time_to_spare():
    """Every robot has one, with the largest slack of its row, even if negative."""
    robots = robots_at((2.0, 1.0, 0.0), (-6.0, 6.0, 0.0))
    slacks = find_slacks(predicted((2.0, 0.0, 0.0)), robots, SECOND)
    best = slacks.best()
    assert [meeting.slack for meeting in best.values()] == slacks.slacks.max(axis=1).tolist()
    assert best[robots.ids[1]].slack < 0.0


def test_stronger_robots_have_more_time():
    """Limits are used."""
    robots, prediction = robots_at((2.0, 1.0, 0.0)), predicted((2.0, 0.0, 0.0))
    usual = find_slacks(prediction, robots, SECOND).slacks
    assert (find_slacks(prediction, robots, SECOND, TravelLimits(5.0, 8.0)).slacks > usual).all()


def test_ball_and_robots_are_extrapolated_to_the_requested_time():
    """At a later time, ball and robots have moved on, as if they had been detected then."""
    later_ns = SECOND + SECOND // 10
    robots = robots_at((2.0, 1.0, 0.0), velocities=[(0.0, -1.0, 0.0)])
    late = find_slacks(predicted((2.0, 0.0, 0.0)), robots, later_ns)
    (x, y, z), velocity = predicted((2.0, 0.0, 0.0)).at(later_ns)
    robots = robots_at((2.0, 0.9, 0.0), velocities=[(0.0, -1.0, 0.0)], stamp_ns=later_ns)
    fresh = find_slacks(predicted(velocity, (x, y, z), later_ns), robots, later_ns)
    np.testing.assert_allclose(late.places, fresh.places, atol=1e-9)
    np.testing.assert_allclose(late.slacks, fresh.slacks, atol=1e-9)


def test_a_ball_out_of_reach_is_not_intercepted():
    """High up for the whole horizon there is no position, and without robots no row."""
    high = find_slacks(predicted((1.0, 0.0, 9.0), (0.0, 0.0, 1.0)), robots_at((0, 0, 0)), SECOND,
                       horizon=0.5)  # fmt: skip
    assert (len(high.times), high.first(), high.best()) == (0, {}, {})
    without_robots = find_slacks(predicted((1.0, 0.0, 0.0)), robots_at(), SECOND)
    assert (without_robots.first(), without_robots.best()) == ({}, {})


@pytest.mark.parametrize(
    ('horizon', 'step', 'count'), [(3.0, 0.1, 31), (1.0, 0.25, 5), (0.3, 0.2, 2)]
)
def test_interception_is_checked_in_steps_up_to_the_horizon(horizon, step, count):
    """The steps start now and include the horizon if it is a multiple of the step."""
    slacks = find_slacks(
        predicted((1.0, 0.0, 0.0)), robots_at(), SECOND, horizon=horizon, step=step
    )
    np.testing.assert_allclose(slacks.times, step * np.arange(count))
