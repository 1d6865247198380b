# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Fits of the two kick models to measurements.

The ball of the straight-kick model slides, then rolls. The ball of the chip-kick model flies in
arcs between bounces.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.gaussian import Posterior, Prior, fit_gauss_newton
from world_model_core.match.ball.chip_kick import NUMBERS as ARC_NUMBERS
from world_model_core.match.ball.chip_kick import (
    BounceArcResiduals,
    ChipKickTrajectory,
    after_bounce,
    landing,
    rises,
)
from world_model_core.match.ball.kick_model_selection import (
    CLIMB,
    CLIMB_STD,
    SLOWEST_CLIMB,
    KickModelSolution,
)
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
    from world_model_core.match.ball.ball_constants import BallParameters
    from world_model_core.match.ball.kick_model_selection import KickPrior, KickTrajectory
    from world_model_core.match.ball.measurement_table import MeasurementArrays

# Prior standard deviation of each horizontal velocity component [m/s].
SPEED_STD = 5.0
# Steps of the first fit, and of one that starts at the last solution.
FIRST_STEPS, STEPS = 6, 2
# Initial guesses of the switch to rolling, as parts of the time since the kick.
SWITCH_SHARES = (0.6, 0.2)
# With fewer measurements that would show it, a flight is undecided.
FEWEST_IN_FLIGHT = 5
# The end of an arc selects its measurements, which determine the end: most iterations.
ENDS = 3
# Numbers of last measurements that are tried as those after a bounce.
TAILS = (2, 4, 7)
# Standard deviation of the first landing below which a bounce is sought [s]: with a greater one,
# early bounces explain the beginning of any flight.
LANDING_STD = 0.03
# Arcs of a chip that are fitted; later ones add nothing.
MOST_ARCS = 4


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
        posterior = fit_gauss_newton(
            StraightKickResiduals(measurements, self._carpet), prior, start, steps
        )
        return _combined_solution([posterior], [measurements])

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
        prior = self._prior(len(measurements.cameras), kick_prior)
        solution = self._best_arcs(measurements, prior)
        # Without a rise the next fit starts again, with all measurements.
        rises = solution is not None and solution.pieces[0].mean[4] > SLOWEST_CLIMB
        self._last = solution if rises else None
        return solution

    def _best_arcs(
        self, measurements: MeasurementArrays, prior: Prior
    ) -> KickModelSolution | None:
        """
        Fit the arcs, and return the solution with the least cost.

        A flight that is too long explains the first measurements after a bounce by a greater
        height, if only one camera sees the ball, and then becomes longer with each of them. So the
        bounces of the last solution are tried as well, and the last measurements as those after
        another bounce.
        """
        best = self._arcs(measurements, prior, ())
        known = () if self._last is None else _arc_ends(self._last)
        times = np.sort(measurements.times)
        tried = [known] if known else []
        tried += [(*known, float(times[-count])) for count in TAILS if count < len(times)]
        for ends in tried:
            found = self._arcs(measurements, prior, ends)
            # A solution with fewer measurements costs less for that reason alone.
            if found and best and len(found.times) >= len(best.times) and found.cost < best.cost:
                best = found
        return best

    def _arcs(
        self, measurements: MeasurementArrays, prior: Prior | None, ends: tuple[float, ...]
    ) -> KickModelSolution | None:
        """Fit arcs, the first of which end no later than at `ends` [s]."""
        pieces: list[Posterior] = []
        parts: list[MeasurementArrays] = []
        while prior is not None and len(pieces) < MOST_ARCS:
            end = ends[len(pieces)] if len(pieces) < len(ends) else math.inf
            piece, part, landed = self._fitted(measurements, prior, len(pieces), end)
            if not (piece.finite and len(part.times)):
                break
            if not pieces and end < math.inf and not self._knows_landing(piece):
                return None
            pieces.append(piece)
            parts.append(part)
            prior = self._following(piece, len(parts)) if landed.any() else None
            measurements = measurements.chosen(landed)
        return _combined_solution(pieces, parts) if pieces else None

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
        self, measurements: MeasurementArrays, prior: Prior, number: int, latest: float
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
        landed = measurements.times >= min(end, latest)
        for _ in range(ENDS):
            part = measurements.chosen(~landed) if landed.any() else measurements
            piece = fit_gauss_newton(BounceArcResiduals(part, gravity), prior, start, steps)
            end = landing(piece.mean, gravity)
            before, landed = landed, measurements.times >= min(end, latest)
            if number == 0 and piece.mean[4] <= SLOWEST_CLIMB:
                # It does not fly: where it would land selects no measurements.
                landed = np.zeros_like(landed)
            if (landed == before).all():
                break
            start = piece.mean
        return piece, part, before & landed

    def _knows_landing(self, piece: Posterior) -> bool:
        """Return whether the time at which an arc ends is known well enough to seek a bounce."""
        slope = np.array((-2.0 / self._parameters.gravity, 1.0))
        return float(slope @ piece.covariance[4:6, 4:6] @ slope) < LANDING_STD**2

    def _following(self, piece: Posterior, arcs: int) -> Prior | None:
        """Return the prior of the next arc, or None if the ball does not rise again."""
        mean, covariance = after_bounce(piece.mean, piece.covariance, arcs - 1, self._parameters)
        return Prior.correlated(mean, covariance) if rises(mean, self._parameters) else None


def _initial_guess(last: Array, mean: Array, own: int) -> Array:
    """Return the last solution, with all camera errors reset after a new camera."""
    if len(last) == len(mean):
        return last
    return np.concatenate((last[:own], mean[own:]))


def _combined_solution(
    pieces: list[Posterior], parts: list[MeasurementArrays]
) -> KickModelSolution | None:
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


def _arc_ends(solution: KickModelSolution) -> tuple[float, ...]:
    """Return the time of the first measurement after each bounce [s]."""
    counts = np.cumsum([len(piece.residuals) // 3 for piece in solution.pieces])
    return tuple(float(part.min()) for part in np.split(solution.times, counts[:-1])[1:])


def _mean_change(values: Array, dt: Array) -> Array:
    """Return the slopes of lines through values (..., n) over times (n,), shape (...)."""
    centered = dt - dt.mean()
    slopes: Array = values @ centered / max(float(centered @ centered), 1e-12)
    return slopes
