# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Published states of a live match against its true states."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.angles import wrap_angles
from world_model_core.documents import parse
from world_model_core.evaluation.match.live_run import LiveRun, TruthMissingError
from world_model_core.match.ball.estimate import BallState
from world_model_core.match.robots.robot_table import Robots
from world_model_core.match.ssl.robot_id import RobotId, Team

MS = 10**6
VELOCITY = np.array((3.0, -1.0, 0.0))
IDS = tuple(RobotId(Team.BLUE, number) for number in range(3))


def ball(stamp_ns, off=(0.0, 0.0, 0.0), covariance=None):
    """Return a ball on its way at constant velocity, with an offset [m]."""
    position = stamp_ns / 1e9 * VELOCITY + off
    return BallState(
        stamp_ns, position, VELOCITY, 1e-4 * np.eye(6) if covariance is None else covariance
    )


def robots(stamp_ns, ids=IDS, off=(0.0, 0.0, 0.0)):
    """Return robots that drive and turn, with an offset [m, m, rad]."""
    time = stamp_ns / 1e9
    poses = np.array([(time, float(each.number), np.pi - 0.5 + time) for each in ids]) + off
    poses[:, 2] = wrap_angles(poses[:, 2])
    velocities = np.tile((1.0, 0.0, 1.0), (len(ids), 1))
    zeros = np.zeros((len(ids), 3, 2, 2))
    return Robots(stamp_ns, ids, poses, velocities, zeros, np.ones(len(ids)))


def live(balls, of_robots=(), true_robots=None):
    """Return a run of 1 s whose truth is published every 7 ms."""
    run = LiveRun()
    run.true_balls = [ball(n * 7 * MS) for n in range(143)]
    run.true_robots = [robots(n * 7 * MS) for n in range(143)] if true_robots is None else []
    run.balls, run.robots = list(balls), list(of_robots)
    return run


@given(st.randoms(), st.integers(-3, 3), st.floats(-0.1, 0.1), st.floats(0.0, 3.0))
def test_errors_are_those_at_the_time_of_the_published_state(random, late, off, turned):
    """Between exposures the truth moves on; the order of arrival does not matter."""
    stamps = [n * 7 * MS + late * MS for n in range(1, 142)]
    run = live(
        [ball(stamp_ns, (0.0, off, 5.0)) for stamp_ns in stamps],
        [robots(stamp_ns, off=(off, 0.0, turned)) for stamp_ns in stamps],
    )
    for states in (run.balls, run.true_balls, run.robots, run.true_robots):
        random.shuffle(states)
    found = run.evaluate()
    assert found.duration == pytest.approx(0.994)
    assert found.ball.coverage == found.robots.coverage == 1.0
    assert found.ball.position.n == len(stamps)
    assert found.ball.position.median == pytest.approx(abs(off), abs=1e-9)
    assert found.ball.velocity.p95 == pytest.approx(0.0, abs=1e-9)
    assert found.ball.position_nees == pytest.approx(off**2 / 1e-4 / 2.0, abs=1e-6)
    assert found.robots.position.median == pytest.approx(abs(off), abs=1e-9)
    assert found.robots.heading.p95 == pytest.approx(turned, abs=1e-9)
    assert found.robots.false == 0


def test_a_consistent_covariance_has_a_nees_of_1():
    """Positions and velocities are judged by their own covariances."""
    random, covariance = np.random.default_rng(3), np.diag((4e-6, 9e-6, 1e-9, 0.04, 0.01, 1e-9))
    states = []
    for number in range(1, 142):
        error = random.normal(size=6) * np.sqrt(np.diag(covariance))
        state = ball(number * 7 * MS, error[:3], covariance)
        states.append(replace(state, velocity=state.velocity + error[3:]))
    found = live(states).evaluate().ball
    assert found.position_nees == pytest.approx(1.0, abs=0.25)
    assert found.velocity_nees == pytest.approx(1.0, abs=0.25)


def test_times_without_a_published_state_are_not_covered():
    """The states count from the first published one on; old ones are not taken for new ones."""
    late = [ball(n * 7 * MS) for n in range(100, 143)]
    assert live(late).evaluate().ball.coverage == 1.0
    gap = [ball(n * 7 * MS) for n in (*range(50), *range(100, 143))]
    assert live(gap).evaluate().ball.coverage == pytest.approx(1.0 - 46 / 143, abs=0.01)
    nothing = live([]).evaluate()
    assert (nothing.ball.coverage, nothing.ball.position.n) == (0.0, 0)
    assert nothing.ball.position_nees is None
    assert (nothing.robots.coverage, nothing.robots.position.median) == (0.0, None)


def test_missing_and_false_robots_are_counted():
    """Each robot of each exposure counts for the coverage, an unknown one as false."""
    seen = (*IDS[:2], RobotId(Team.YELLOW, 7))
    found = live([], [robots(n * 7 * MS, seen) for n in range(143)]).evaluate().robots
    assert found.coverage == pytest.approx(2 / 3)
    assert found.false == 143
    assert found.position.n == 2 * 143
    assert found.position.p95 == pytest.approx(0.0, abs=1e-9)


def test_a_ball_without_covariance_has_no_nees():
    """Zeros stand for an unknown covariance."""
    found = live([ball(70 * MS, covariance=np.zeros((6, 6)))]).evaluate().ball
    assert found.position_nees is found.velocity_nees is None
    assert found.position.n == 1


def test_a_run_without_truth_is_an_error():
    """Nothing can be said without truth, and of robots nothing without theirs."""
    with pytest.raises(TruthMissingError, match='truth/ball'):
        LiveRun().evaluate()
    assert live([ball(0)], true_robots=()).evaluate().robots is None


@pytest.mark.parametrize('true_robots', [None, ()])
def test_an_evaluation_follows_its_schema(true_robots):
    """The document is valid, with and without robots."""
    run = live([ball(n * 7 * MS) for n in range(9)], [robots(0)], true_robots)
    parse(json.dumps(asdict(run.evaluate())), 'live_evaluation')
