# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The launch of a ball, straight or chip, solved backwards from raw sights.

Two hypotheses, one of which flies, are fitted to every sight since the kick, and compared by
their evidence: how well they fit, and how much they had to be tuned for it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.gaussian import white_acceleration
from world_model_core.match.ball.estimate import BallState
from world_model_core.match.ball.kick_model_selection import Candidate, Contest
from world_model_core.match.ball.kick_models import Chip, Premise, Straight
from world_model_core.match.ball.measurement_table import SightTable
from world_model_core.match.ball.straight_kick import Carpet
from world_model_core.match.ball.trajectory import ACCELERATION_DENSITY
from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.kick_models import Course, Hypothesis, Solution
    from world_model_core.match.ball.measurement import Sight
    from world_model_core.match.ball.measurement_table import Sights
    from world_model_core.match.ball.parameters import BallParameters

# A ball that appears from nowhere may have been this far from where it is seen first [m].
NOWHERE_STD = 3.0
# The instant of a kick is never better known beforehand [s].
INSTANT_STD = 2e-4
# Fewer sights leave everything open.
FEWEST = 3
# One sight more is news to fewer than so many; never are more than the second number left out.
FEW_NEWS, MOST_NEWS = 6, 3
# Sights so long after the earliest instant of the kick may be of it [s].
EARLIEST, LATEST = -0.1, 10.0
# Logarithms of how many kicks are of each kind; few balls roll at once, and few are chips.
SLIDE_ODDS, ROLL_ODDS, CHIP_ODDS = 0.0, math.log(1.0 / 10.0), math.log(1.0 / 100.0)
# Squared residuals that are too many: of a sight in the mean, and of each of the last ones.
MISFIT, LAST_MISFIT, LAST = 50.0, 60.0, 3


class Origin(NamedTuple):
    """Where the ball was just before its launch: `x`, `y` [m], `variance` of each [m^2]."""

    x: float
    y: float
    variance: float


class Calibration(NamedTuple):
    """
    How well the cameras are calibrated, in standard deviations.

    Parameters
    ----------
    offset_std : float
        Of what a camera shows beside the ball's place on the carpet, in x and y, after what is
        known of it was taken away [m]. 20 mm each were measured in simulated recordings.
    camera_std : float
        Of where a camera hangs, in x and y [m].

    """

    offset_std: float
    camera_std: float


# Before any offset is learnt; safe, so that two cameras do not make a chip of a straight kick.
UNLEARNT = Calibration(offset_std=0.02, camera_std=0.02)


class Touchdown(NamedTuple):
    """
    Where a chip comes down first.

    Parameters
    ----------
    stamp_ns : int
        When [ns], vision's clock.
    position : array, shape (2,)
        [m], field frame.
    covariance : array, shape (2, 2)
        Of it [m^2].

    """

    stamp_ns: int
    position: Array
    covariance: Array


@dataclass(frozen=True, eq=False)
class Launch:
    """
    How a ball was kicked, and where that takes it.

    Parameters
    ----------
    course : Course
        The way of the favoured hypothesis; its times are seconds after `reference_ns`.
    reference_ns : int
        [ns], vision's clock.
    last_seen : float
        Time of the last sight [s].
    chip_probability : float
        0 for a straight kick, 1 for a chip; all the rest is that of the likelier.
    fits : bool
        Whether it explains the sights: not once the ball has hit something.

    """

    course: Course = field(repr=False)
    reference_ns: int
    last_seen: float
    chip_probability: float
    fits: bool

    @property
    def stamp_ns(self) -> int:
        """Instant of the kick [ns], vision's clock."""
        return self.reference_ns + to_nanoseconds(self.course.kick_time)

    @property
    def position(self) -> Array:
        """Place of the kick, shape (3,) [m], field frame."""
        return self._kicked.position

    @property
    def velocity(self) -> Array:
        """Velocity right after the kick, shape (3,) [m/s]."""
        return self._kicked.velocity

    @property
    def covariance(self) -> Array:
        """Covariance (6, 6) of (x, y, z, vx, vy, vz) at that instant [m^2, m^2/s, m^2/s^2]."""
        return self._kicked.covariance

    @cached_property
    def _kicked(self) -> BallState:
        return self.state_at(self.stamp_ns)

    def touchdown(self) -> Touchdown | None:
        """Find where a chip comes down first; None for a straight kick."""
        found = self.course.touchdown()
        if found is None:
            return None
        (x, y, time), covariance = found
        stamp_ns = self.reference_ns + to_nanoseconds(float(time))
        return Touchdown(stamp_ns, np.array((x, y)), covariance[:2, :2])

    def state_at(self, stamp_ns: int) -> BallState:
        """Find the ball at an instant [ns], before the kick as if it had been on its way."""
        time = (stamp_ns - self.reference_ns) / NANOSECONDS_PER_SECOND
        state, covariance = self.course.at(time)
        unseen = max(time - self.last_seen, 0.0)
        noise = np.kron(white_acceleration(unseen, ACCELERATION_DENSITY), np.diag((1.0, 1.0, 0.0)))
        covariance = 0.5 * (covariance + covariance.T) + noise
        return BallState(stamp_ns, state[:3], state[3:], covariance)


class LaunchFit:
    """
    Sights of one ball since it was kicked, solved for the kick again with each further sight.

    Parameters
    ----------
    parameters : BallParameters
    earliest_ns, latest_ns : int
        The kick lies between these [ns, vision's clock]: the last sight before it and the first
        one after it.
    origin : Origin or None
        Where the ball was before; None for one that appears from nowhere.
    calibration : Calibration
        How well the cameras are calibrated.

    """

    def __init__(
        self,
        parameters: BallParameters,
        earliest_ns: int,
        latest_ns: int,
        origin: Origin | None,
        calibration: Calibration = UNLEARNT,
    ) -> None:
        self._reference_ns = earliest_ns
        self._interval = max(latest_ns - earliest_ns, 0) / NANOSECONDS_PER_SECOND
        self._origin = origin
        self._calibration = calibration
        self._table = SightTable(earliest_ns)
        self._count = self._solved = 0
        self._launch: Launch | None = None
        carpet = Carpet.of_kick(parameters)
        self._contest = Contest(
            Candidate(Straight(carpet), SLIDE_ODDS),
            Candidate(Straight(carpet.rolling()), ROLL_ODDS),
            Candidate(Chip(parameters), CHIP_ODDS),
        )

    def add(self, sight: Sight) -> None:
        """
        Take in a sight of the ball, in any order.

        One that is known already, or from another time than that of this kick, does not count.
        """
        age = (sight.stamp_ns - self._reference_ns) / NANOSECONDS_PER_SECOND
        if EARLIEST < age < LATEST and self._table.add(sight):
            self._count += 1

    def solve(self) -> Launch | None:
        """
        Find the kick that explains the sights.

        Returns
        -------
        Launch or None
            None before three sights, of which a known origin is one; the last one while the news
            are few against what is known.

        """
        news = self._count - self._solved
        fewest = FEWEST if self._origin is None else FEWEST - 1
        if self._count >= fewest and news > min(self._solved // FEW_NEWS, MOST_NEWS):
            sights = self._table.sights()
            premise = self._premise(sights)
            best, probability = self._contest.decide(sights, premise, self._count)
            if best.solution is not None:
                self._launch = _launch(
                    best.hypothesis, best.solution, probability, self._reference_ns
                )
            self._solved = self._count
        return self._launch

    def _premise(self, sights: Sights) -> Premise:
        """Say what is known of any kick."""
        x, y = sights.places[:, 0].tolist()
        variance = NOWHERE_STD**2
        if self._origin is not None:
            x, y, variance = self._origin
        width = self._interval / math.sqrt(12.0)
        return Premise(
            0.5 * self._interval,
            max(width, INSTANT_STD),
            (x, y),
            math.sqrt(variance),
            *self._calibration,
        )


def _launch(
    hypothesis: Hypothesis, solution: Solution, chip_probability: float, reference_ns: int
) -> Launch:
    """Tell the kick; what fits too badly is less sure than the sights' noise says."""
    course = hypothesis.course(solution, max(1.0, solution.misfit))
    last_seen = float(solution.times.max())
    return Launch(course, reference_ns, last_seen, chip_probability, _fits(solution))


def _fits(solution: Solution) -> bool:
    """Tell whether a hypothesis explains the sights, and the last ones too."""
    last = solution.misfits[np.argsort(solution.times)[-LAST:]]
    return bool(solution.misfits.mean() < MISFIT and last.min() < LAST_MISFIT)
