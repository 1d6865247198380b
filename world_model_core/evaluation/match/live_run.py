# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Errors of the published ball and robots of a live match against its true states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

from world_model_core.angles import wrap_angles
from world_model_core.errors import WorldModelError
from world_model_core.evaluation.match.error_summary import ErrorSummary, summarize_errors
from world_model_core.gaussian import mahalanobis_squared
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.detection_chains import Stamps
    from world_model_core.match.ball.estimate import BallState
    from world_model_core.match.robots.robot_table import Robots

    Indices: TypeAlias = NDArray[np.intp]
    State = TypeVar('State', BallState, Robots)

# Largest time between a published and a true state [ns]: more than a frame of one camera.
NEAREST_NS = 20_000_000
NEVER = np.iinfo(np.int64).max


class TruthMissingError(WorldModelError):
    """No true state was received."""


@dataclass(frozen=True, slots=True)
class LiveBallErrors:
    """
    Errors of the published ball, seen from above.

    Parameters
    ----------
    coverage : float
        Fraction of the true states with a published state at most 20 ms away.
    position, velocity : ErrorSummary
        [m], [m/s].
    position_nees, velocity_nees : float or None
        Mean NEES for each of the two degrees of freedom: 1 for a consistent covariance. None
        without a published covariance.

    """

    coverage: float
    position: ErrorSummary
    velocity: ErrorSummary
    position_nees: float | None
    velocity_nees: float | None


@dataclass(frozen=True, slots=True)
class LiveRobotErrors:
    """
    Errors of the published robots.

    Parameters
    ----------
    coverage : float
        Fraction of the true robots with a published state at most 20 ms away.
    false : int
        Published robots that do not exist.
    position, heading : ErrorSummary
        [m], [rad].

    """

    coverage: float
    false: int
    position: ErrorSummary
    heading: ErrorSummary


@dataclass(frozen=True, slots=True)
class LiveEvaluation:
    """
    Result of a LiveRun; `dataclasses.asdict` converts it to live_evaluation.schema.json.

    `duration` is that of the true states [s]; `robots` is None if no true robots were received.
    """

    duration: float
    ball: LiveBallErrors
    robots: LiveRobotErrors | None


class LiveRun:
    """
    Published and true states of a match while it runs, in one clock and one frame.

    Attributes
    ----------
    balls, true_balls : list of BallState
    robots, true_robots : list of Robots
        In the order of their arrival.

    """

    def __init__(self) -> None:
        self.balls: list[BallState] = []
        self.true_balls: list[BallState] = []
        self.robots: list[Robots] = []
        self.true_robots: list[Robots] = []

    def evaluate(self) -> LiveEvaluation:
        """
        Compare all states, from the first published one on.

        Raises
        ------
        TruthMissingError
            If there is no true ball.

        """
        stamps = [state.stamp_ns for state in self.true_balls]
        if not stamps:
            raise TruthMissingError(
                'no message was received on truth/ball; is ssl_simulator running?'
            )
        return LiveEvaluation(
            duration=(max(stamps) - min(stamps)) / NANOSECONDS_PER_SECOND,
            ball=_ball_errors(self.balls, self.true_balls),
            robots=_robot_errors(self.robots, self.true_robots) if self.true_robots else None,
        )


def _ball_errors(published: Sequence[BallState], true: Sequence[BallState]) -> LiveBallErrors:
    ours, truth = _in_order(published), _in_order(true)
    at, nearest = _nearest(_stamps(ours), _stamps(truth))
    ahead = (_stamps(ours)[at] - _stamps(truth)[nearest]) / NANOSECONDS_PER_SECOND
    velocities = _stacked([state.velocity for state in truth])[nearest]
    positions = (
        _stacked([state.position for state in truth])[nearest] + ahead[:, None] * velocities
    )
    position = _stacked([state.position for state in ours])[at] - positions
    velocity = _stacked([state.velocity for state in ours])[at] - velocities
    covariances = np.array([state.covariance for state in ours]).reshape(-1, 6, 6)[at]
    return LiveBallErrors(
        coverage=_coverage(_stamps(truth), _stamps(ours)),
        position=summarize_errors(np.hypot(*position.T[:2])),
        velocity=summarize_errors(np.hypot(*velocity.T[:2])),
        position_nees=_nees(position[:, :2], covariances[:, :2, :2]),
        velocity_nees=_nees(velocity[:, :2], covariances[:, 3:5, 3:5]),
    )


def _robot_errors(published: Sequence[Robots], true: Sequence[Robots]) -> LiveRobotErrors:
    ours, truth = _in_order(published), _in_order(true)
    differences, false = [np.zeros((0, 3))], 0
    for at, nearest in zip(*_nearest(_stamps(ours), _stamps(truth)), strict=True):
        difference = _difference(ours[at], truth[nearest])
        false += len(ours[at]) - len(difference)
        differences.append(difference)
    errors = np.concatenate(differences)
    return LiveRobotErrors(
        coverage=_robot_coverage(ours, truth),
        false=false,
        position=summarize_errors(np.hypot(*errors.T[:2])),
        heading=summarize_errors(np.abs(wrap_angles(errors[:, 2]))),
    )


def _difference(ours: Robots, truth: Robots) -> Array:
    """Return the errors of the poses of the published robots that exist, shape (n, 3)."""
    rows = {name: row for row, name in enumerate(truth.ids)}
    own = [row for row, name in enumerate(ours.ids) if name in rows]
    same = [rows[ours.ids[row]] for row in own]
    ahead = (ours.stamp_ns - truth.stamp_ns) / NANOSECONDS_PER_SECOND
    difference: Array = ours.poses[own] - truth.poses[same] - ahead * truth.velocities[same]
    return difference


def _robot_coverage(ours: Sequence[Robots], truth: Sequence[Robots]) -> float:
    expected = [each for each in truth if ours and each.stamp_ns >= ours[0].stamp_ns]
    found = sum(
        len({*expected[at].ids} & {*ours[nearest].ids})
        for at, nearest in zip(*_nearest(_stamps(expected), _stamps(ours)), strict=True)
    )
    return found / max(sum(map(len, expected)), 1)


def _coverage(truth: Stamps, ours: Stamps) -> float:
    """Return the fraction of the true states, from our first on, with one of ours near."""
    expected = truth[truth >= ours.min(initial=NEVER)]
    return len(_nearest(expected, ours)[0]) / max(len(expected), 1)


def _nearest(stamps: Stamps, others: Stamps) -> tuple[Indices, Indices]:
    """Return indices of the times with another one near, and of the nearest other one each."""
    if not len(others):
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    after = np.searchsorted(others, stamps).clip(max=len(others) - 1)
    before = (after - 1).clip(min=0)
    earlier = np.abs(stamps - others[before]) < np.abs(others[after] - stamps)
    nearest = np.where(earlier, before, after)
    (near,) = np.nonzero(np.abs(others[nearest] - stamps) <= NEAREST_NS)
    return near, nearest[near]


def _nees(errors: Array, covariances: Array) -> float | None:
    """Return the mean NEES for each degree of freedom, of errors with a covariance."""
    known = np.linalg.det(covariances) > 0.0
    if not known.any():
        return None
    return float(np.mean(mahalanobis_squared(errors[known], covariances[known]))) / 2.0


def _in_order(states: Sequence[State]) -> list[State]:
    return sorted(states, key=lambda state: state.stamp_ns)


def _stamps(states: Sequence[BallState] | Sequence[Robots]) -> Stamps:
    return np.array([state.stamp_ns for state in states], dtype=np.int64)


def _stacked(vectors: Sequence[Array]) -> Array:
    """Stack vectors, shape (n, 3), also if there are none."""
    return np.array(vectors, dtype=float).reshape(-1, 3)
