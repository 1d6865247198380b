# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Straight-kick and chip-kick models, each fitted to the same measurements."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from world_model_core.match.ball.chip_kick import NUMBERS as ARC_NUMBERS
from world_model_core.match.ball.chip_kick import (
    BounceArcResiduals,
    ChipKickTrajectory,
    after_bounce,
    landing,
    rises,
)
from world_model_core.match.ball.gauss_newton import Posterior, Prior, fit
from world_model_core.match.ball.straight_kick import NUMBERS as STRAIGHT_NUMBERS
from world_model_core.match.ball.straight_kick import (
    ROLL_STD,
    SIDEWAYS_STD,
    SLIDE_STD,
    SLOWEST,
    SWITCH_STD,
    CarpetFriction,
    StraightKickResiduals,
    StraightKickTrajectory,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.measurement_table import MeasurementArrays
    from world_model_core.match.ball.parameters import BallParameters

# Prior standard deviation of each horizontal velocity component [m/s].
SPEED_STD = 5.0
# Prior of the vertical speed of a chip: mean and standard deviation [m/s].
CLIMB, CLIMB_STD = 2.5, 2.0
# With fewer measurements that would show it, a flight is undecided.
FEWEST_IN_FLIGHT = 5
# Steps of the first fit, and of one that starts at the last solution.
FIRST_STEPS, STEPS = 6, 2
# Initial guesses of the switch to rolling, as parts of the time since the kick.
SWITCH_SHARES = (0.6, 0.2)
# The end of an arc selects its measurements, which determine the end: most iterations.
ENDS = 3
# Arcs of a chip that are fitted; later ones add nothing.
MOST_ARCS = 4


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


class StraightKickModel:
    """Model of a ball that stays on the carpet."""

    def __init__(self, carpet: CarpetFriction) -> None:
        self._carpet = carpet
        self._last: KickModelSolution | None = None

    def solve(
        self, measurements: MeasurementArrays, kick_prior: KickPrior
    ) -> KickModelSolution | None:
        """Fit the model, starting at the last solution; return None if the fit fails."""
        prior = self._prior(len(measurements.cameras), kick_prior)
        if self._last is None:
            start, steps = self._guess(measurements, kick_prior, prior, 1.0), FIRST_STEPS
        else:
            start, steps = (
                _initial_guess(self._last.pieces[0].mean, prior.mean, STRAIGHT_NUMBERS),
                STEPS,
            )
        self._last = self._fitted(measurements, prior, start, steps)
        return self._last

    def search(
        self, measurements: MeasurementArrays, kick_prior: KickPrior
    ) -> KickModelSolution | None:
        """
        Fit the model from several initial guesses and keep the best.

        While the ball is assumed to slide throughout, the cost does not depend on the switch to
        rolling, and small steps do not find it.
        """
        if self._last is None or len(self._last.times) < len(measurements.times):
            self.solve(measurements, kick_prior)
        prior = self._prior(len(measurements.cameras), kick_prior)
        for share in SWITCH_SHARES:
            start = self._guess(measurements, kick_prior, prior, share)
            found = self._fitted(measurements, prior, start, FIRST_STEPS)
            if found and (self._last is None or found.cost < self._last.cost):
                self._last = found
        return self._last

    def _guess(
        self, measurements: MeasurementArrays, kick_prior: KickPrior, prior: Prior, share: float
    ) -> Array:
        """Return an initial guess in which the ball rolls after a share of the time."""
        dt = measurements.times - kick_prior.instant
        until = share * float(dt.max())
        velocity = _mean_change(measurements.places, dt)
        slower = float(np.hypot(*velocity))
        # The kick speed exceeds the mean speed.
        speed = slower + float(_mean_change(self._carpet.lost(dt, until), dt))
        start = prior.mean.copy()
        start[:2], start[2:4] = (
            measurements.places[:, 0],
            velocity * (speed / max(slower, SLOWEST)),
        )
        start[7] = self._carpet.lateness(speed, until)
        return start

    def _fitted(
        self, measurements: MeasurementArrays, prior: Prior, start: Array, steps: int
    ) -> KickModelSolution | None:
        posterior = fit(StraightKickResiduals(measurements, self._carpet), prior, start, steps)
        return _solution([posterior], [measurements])

    def trajectory(self, solution: KickModelSolution, scale: float) -> KickTrajectory:
        """Return the trajectory, with the covariance multiplied by `scale`."""
        (piece,) = solution.pieces
        last_seen = float(solution.times.max())
        return StraightKickTrajectory(
            piece.mean, scale * piece.covariance, self._carpet, last_seen
        )

    def _prior(self, cameras: int, kick_prior: KickPrior) -> Prior:
        size = STRAIGHT_NUMBERS + 2 * cameras
        mean, spread = np.zeros(size), np.full(size, kick_prior.offset_std)
        mean[:2], spread[:2] = kick_prior.place, kick_prior.place_std
        spread[2:4] = SPEED_STD
        mean[4], spread[4] = kick_prior.instant, kick_prior.instant_std
        spread[5:9] = SLIDE_STD, ROLL_STD, SWITCH_STD, SIDEWAYS_STD
        return Prior.independent(mean, spread)


class ChipKickModel:
    """Model of a ball that flies in arcs between bounces."""

    def __init__(self, parameters: BallParameters) -> None:
        self._parameters = parameters
        self._last: KickModelSolution | None = None

    def solve(
        self, measurements: MeasurementArrays, kick_prior: KickPrior
    ) -> KickModelSolution | None:
        """Fit the model to measurements that would show a flight; None if the fit fails."""
        if not measurements.shows_flight.all():
            measurements = measurements.chosen(measurements.shows_flight)
        if len(measurements.times) < FEWEST_IN_FLIGHT:
            return None
        prior: Prior | None = self._prior(len(measurements.cameras), kick_prior)
        pieces: list[Posterior] = []
        parts: list[MeasurementArrays] = []
        while prior is not None and len(pieces) < MOST_ARCS:
            piece, part, landed = self._fitted(measurements, prior, len(pieces))
            if not (piece.finite and len(part.times)):
                break
            pieces.append(piece)
            parts.append(part)
            prior = self._following(piece, len(parts)) if landed.any() else None
            measurements = measurements.chosen(landed)
        # Without a rise the next fit starts again, with all measurements.
        found = bool(pieces) and pieces[0].mean[4] > 0.0
        self._last = _solution(pieces, parts) if found else None
        return self._last

    def search(
        self, measurements: MeasurementArrays, kick_prior: KickPrior
    ) -> KickModelSolution | None:
        """Fit the model without its last solution."""
        self._last = None
        return self.solve(measurements, kick_prior)

    def trajectory(self, solution: KickModelSolution, scale: float) -> KickTrajectory:
        """Return the trajectory, with the covariance multiplied by `scale`."""
        arcs = tuple((piece.mean, scale * piece.covariance) for piece in solution.pieces)
        return ChipKickTrajectory(arcs, self._parameters)

    def _prior(self, cameras: int, kick_prior: KickPrior) -> Prior:
        size = ARC_NUMBERS + 4 * cameras
        mean, spread = np.zeros(size), np.full(size, kick_prior.camera_std)
        mean[:2], spread[:2] = kick_prior.place, kick_prior.place_std
        spread[2:4] = SPEED_STD
        mean[4], spread[4] = CLIMB, CLIMB_STD
        mean[5], spread[5] = kick_prior.instant, kick_prior.instant_std
        spread[ARC_NUMBERS : ARC_NUMBERS + 2 * cameras] = kick_prior.offset_std
        return Prior.independent(mean, spread)

    def _fitted(
        self, measurements: MeasurementArrays, prior: Prior, number: int
    ) -> tuple[Posterior, MeasurementArrays, NDArray[np.bool_]]:
        """Fit an arc; return it, its measurements, and a mask of the later ones."""
        gravity = self._parameters.gravity
        if self._last is not None and number < len(self._last.pieces):
            start, steps = self._last.pieces[number].mean, STEPS
            start = _initial_guess(start, prior.mean, ARC_NUMBERS)
        else:
            start, steps = prior.mean, FIRST_STEPS
        # The first guess has no end.
        end = landing(start, gravity) if self._last is not None or number > 0 else math.inf
        landed = measurements.times >= end
        for _ in range(ENDS):
            part = measurements.chosen(~landed) if landed.any() else measurements
            piece = fit(BounceArcResiduals(part, gravity), prior, start, steps)
            before, landed = landed, measurements.times >= landing(piece.mean, gravity)
            if (landed == before).all():
                break
            start = piece.mean
        return piece, part, before & landed

    def _following(self, piece: Posterior, arcs: int) -> Prior | None:
        """Return the prior of the next arc, or None if the ball does not rise again."""
        mean, covariance = after_bounce(piece.mean, piece.covariance, arcs - 1, self._parameters)
        return Prior.correlated(mean, covariance) if rises(mean, self._parameters) else None


def _initial_guess(last: Array, mean: Array, own: int) -> Array:
    """Return the last solution, with all camera errors reset after a new camera."""
    if len(last) == len(mean):
        return last
    return np.concatenate((last[:own], mean[own:]))


def _mean_change(values: Array, dt: Array) -> Array:
    """Return the slopes of lines through values (..., n) over times (n,), shape (...)."""
    centered = dt - dt.mean()
    slopes: Array = values @ centered / max(float(centered @ centered), 1e-12)
    return slopes


def _solution(pieces: list[Posterior], parts: list[MeasurementArrays]) -> KickModelSolution | None:
    """Combine the pieces of a model; return None if a fit failed."""
    if not all(piece.finite for piece in pieces):
        return None
    misfits = [np.square(piece.residuals.reshape(3, -1)).sum(axis=0) for piece in pieces]
    return KickModelSolution(
        tuple(pieces),
        math.fsum(piece.cost for piece in pieces),
        np.concatenate(misfits),
        np.concatenate([part.times for part in parts]),
    )
