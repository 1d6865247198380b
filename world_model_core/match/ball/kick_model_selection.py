# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Selection between sliding, rolling and flying kick models by evidence, and their interface."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from scipy.special import log_ndtr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array, Posterior
    from world_model_core.match.ball.measurement_table import MeasurementArrays

# A ball that rises slower than this [m/s] does not fly. Neither does one that rises faster than
# the second value (the rules allow 6.5 m/s in all, Rules of the SSL 2024, 8.4.1), or whose fit is
# worse than the third.
SLOWEST_CLIMB, FASTEST_CLIMB, CHIP_MISFIT = 0.7, 7.0, 4.0
# Prior of the vertical speed of a chip, above the slowest: mean and standard deviation [m/s].
CLIMB, CLIMB_STD = 2.5, 2.0
LOG_RISES = float(log_ndtr((CLIMB - SLOWEST_CLIMB) / CLIMB_STD))
# Compare the models after each growth of the number of measurements by this factor; a model behind
# by these log odds takes part less often.
GROWTH, BEHIND_ODDS, RARE_GROWTH = 1.1, 6.0, 1.5
# Calibration errors vary smoothly, so that the errors of neighboring measurements correlate; their
# information is smaller by this factor.
CORRELATION = 1.3
# Numbers that each model fits to the measurements: position is known, time nearly.
FITTED = 5
# A straight kick this far from its prior may be at a local minimum.
STRAIN = 6.0
# With fewer measurements a long sliding is impossible.
FEWEST_TO_SEARCH = 8
# No model is surer than this: each may be wrong in other ways than its noise.
LARGEST_ODDS = math.log(1000.0)
# A chip is selected, and its probability exceeds one half, from these log odds on: kicks curve in
# ways that no model has, and a straight kick that is called a chip leads a team astray.
CALL_ODDS = math.log(20.0)


class KickTrajectory(Protocol):
    """Trajectory of a ball from its kick to rest, with covariances."""

    @property
    def kick_time(self) -> float:
        """Time of the kick [s]."""

    def touchdown(self) -> tuple[Array, Array] | None:
        """Return (x, y, t) of the first touchdown and their covariance, or None."""

    def at(self, time: float) -> tuple[Array, Array]:
        """Return the state (6,) [m, m/s] and its covariance (6, 6) at a time [s]."""


class KickPrior(NamedTuple):
    """
    Prior of a kick: means and standard deviations.

    Parameters
    ----------
    instant, instant_std : float
        Time of the kick [s].
    place : tuple of float
        Position (x, y) [m].
    place_std : float
        Standard deviation of x and of y [m].
    offset_std : float
        Standard deviation of each camera's offset in x and y [m].
    camera_std : float
        Standard deviation of each camera position in x and y [m].

    """

    instant: float
    instant_std: float
    place: tuple[float, float]
    place_std: float
    offset_std: float
    camera_std: float


class KickModelSolution(NamedTuple):
    """
    Result of fitting a kick model.

    Parameters
    ----------
    pieces : tuple of Posterior
        One for each arc of a chip, or a single one.
    cost : float
        Sum of the costs of all pieces, as in `Posterior`.
    misfits : array, shape (n,)
        Squared residuals of each measurement.
    times : array, shape (n,)
        Time of each measurement [s].

    """

    pieces: tuple[Posterior, ...]
    cost: float
    misfits: Array
    times: Array

    @property
    def misfit(self) -> float:
        """Cost for each measured coordinate; its expected value is 1."""
        return self.cost / (2.0 * len(self.times))

    @property
    def strain(self) -> float:
        """Squared Mahalanobis distance from the prior."""
        return self.cost - float(self.misfits.sum())

    def log_occam(self) -> float:
        """Return the log Occam factor of all pieces; see `Posterior.log_occam`."""
        return math.fsum(piece.log_occam() for piece in self.pieces)


class KickModel(Protocol):
    """A model of how a kicked ball moves."""

    def solve(
        self, measurements: MeasurementArrays, kick_prior: KickPrior
    ) -> KickModelSolution | None:
        """Fit the model, starting at the last solution; return None if the fit fails."""

    def search(
        self, measurements: MeasurementArrays, kick_prior: KickPrior
    ) -> KickModelSolution | None:
        """Fit the model from several initial guesses."""

    def trajectory(self, solution: KickModelSolution, scale: float) -> KickTrajectory:
        """Return the trajectory, with the covariance multiplied by `scale`."""


@dataclass(slots=True, eq=False)
class KickModelCandidate:
    """
    A kick model with its latest solution and score.

    Parameters
    ----------
    model : KickModel
    prior : float
        Prior log odds.
    solution : KickModelSolution or None
        Latest solution; None if the fit failed, or too few measurements would show the model.
    behind : float
        Log odds of the best model over this one at the last comparison.
    solved, searched : int
        Number of measurements at the last fit and at the last search.

    """

    model: KickModel
    prior: float
    solution: KickModelSolution | None = None
    behind: float = 0.0
    solved: int = 0
    searched: int = 0

    def due(self, count: int) -> bool:
        """Return whether to compare the model again."""
        return self.behind < BEHIND_ODDS or count >= RARE_GROWTH * self.solved

    def update(self, measurements: MeasurementArrays, kick_prior: KickPrior, count: int) -> None:
        """Fit the model from its last solution."""
        self.solution, self.solved = self.model.solve(measurements, kick_prior), count

    def search_due(self) -> float:
        """Return the number of measurements for the next search; sooner for unlikely constants."""
        strained = self.solution is None or self.solution.strain > STRAIN
        return (GROWTH if strained else RARE_GROWTH) * self.searched

    def search(self, measurements: MeasurementArrays, kick_prior: KickPrior, count: int) -> None:
        """Fit the model from several initial guesses."""
        self.solution = self.model.search(measurements, kick_prior)
        self.searched = self.solved = count


class KickModelSelector:
    """
    Compare two straight-kick models and a chip-kick model by their evidence.

    Parameters
    ----------
    sliding, rolling, chip : KickModelCandidate

    """

    def __init__(
        self, sliding: KickModelCandidate, rolling: KickModelCandidate, chip: KickModelCandidate
    ) -> None:
        self._sliding, self._rolling, self._chip = sliding, rolling, chip
        self._best = sliding
        self._odds = chip.prior
        self._compared = 0

    def decide(
        self, measurements: MeasurementArrays, kick_prior: KickPrior, count: int
    ) -> tuple[KickModelCandidate, float]:
        """
        Select a model and estimate the probability that the ball flies.

        Parameters
        ----------
        measurements : MeasurementArrays
        kick_prior : KickPrior
        count : int
            Number of measurements so far, dropped ones included.

        """
        compare_all = count >= GROWTH * self._compared
        for candidate in (self._sliding, self._rolling, self._chip):
            if candidate is self._best or (compare_all and candidate.due(count)):
                candidate.update(measurements, kick_prior, count)
        if compare_all:
            self._compared = count
            self._select(measurements, kick_prior, count)
        return self._best, 1.0 / (1.0 + math.exp(-self._odds))

    def _select(self, measurements: MeasurementArrays, kick_prior: KickPrior, count: int) -> None:
        """Compare the models; search the sliding model at times, and before selecting a chip."""
        sliding, was_chip = self._sliding, self._best is self._chip
        odds = self._compare(measurements, count)
        again = not was_chip and count >= max(sliding.search_due(), FEWEST_TO_SEARCH)
        if (odds > 0.0 and not was_chip) or again:
            sliding.search(measurements, kick_prior, count)
            odds = self._compare(measurements, count)
        straight = min((sliding, self._rolling), key=lambda item: item.behind)
        self._best = self._chip if odds > 0.0 else straight
        self._odds = odds

    def _compare(self, measurements: MeasurementArrays, count: int) -> float:
        """Rank the models just solved and return the log odds of a flight."""
        candidates = (self._sliding, self._rolling, self._chip)
        scores = _scores([item for item in candidates if item.solved == count], measurements)
        top = max(scores.values(), default=0.0)
        for candidate, score in scores.items():
            candidate.behind = top - score
        flying = scores.pop(self._chip, None)
        if flying is None or not scores:
            return self._odds
        odds = flying + self._log_rises()
        odds -= float(np.logaddexp.reduce(list(scores.values())))
        sure = self._best is self._chip or odds >= CALL_ODDS
        largest = LARGEST_ODDS if sure and _may_fly(self._chip.solution) else 0.0
        return min(max(odds, -LARGEST_ODDS), largest)

    def _log_rises(self) -> float:
        """
        Return the log evidence of a chip's rise faster than `SLOWEST_CLIMB`.

        The prior of the fit permits any vertical speed; that of a chip ends there.
        """
        assert self._chip.solution is not None  # noqa: S101 (it has a score)
        first = self._chip.solution.pieces[0]
        climb, std = float(first.mean[4]), math.sqrt(first.covariance[4, 4])
        return float(log_ndtr((climb - SLOWEST_CLIMB) / std)) - LOG_RISES


def _scores(
    candidates: Sequence[KickModelCandidate], measurements: MeasurementArrays
) -> dict[KickModelCandidate, float]:
    """
    Compute the log evidence of the candidates that have a solution.

    They are compared on the measurements that would show a flight. Excluded is a chip that has
    landed for good, or whose landing is not determined yet. Where even the best fit is bad, the
    measurement errors exceed their noise, and the evidence is scaled down.
    """
    in_flight = measurements.shows_flight
    count = int(np.count_nonzero(in_flight))
    costs = {}
    for candidate in candidates:
        solution = candidate.solution
        if solution is not None and len(solution.times) >= count:
            elsewhere = len(solution.times) > count
            hidden = float(solution.misfits[~in_flight].sum()) if elsewhere else 0.0
            costs[candidate] = solution.cost - hidden, solution.log_occam()
    least = min((cost for cost, _ in costs.values()), default=0.0)
    scale = CORRELATION * max(1.0, least / max(2 * count - FITTED, 1))
    return {
        candidate: candidate.prior + log_occam - 0.5 * cost / scale
        for candidate, (cost, log_occam) in costs.items()
    }


def _may_fly(chip: KickModelSolution | None) -> bool:
    """Return whether a chip solution rises significantly and fits."""
    if chip is None or chip.misfit > CHIP_MISFIT:
        return False
    first = chip.pieces[0]
    return SLOWEST_CLIMB <= float(first.mean[4]) <= FASTEST_CLIMB
