# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Fit of the straight-kick model: the ball slides, then rolls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.gauss_newton import Prior, fit
from world_model_core.match.ball.kick_models import (
    FIRST_STEPS,
    SPEED_STD,
    STEPS,
    KickModelSolution,
    KickPrior,
    KickTrajectory,
    combined_solution,
    initial_guess,
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
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.measurement_table import MeasurementArrays

# Initial guesses of the switch to rolling, as parts of the time since the kick.
SWITCH_SHARES = (0.6, 0.2)


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
                initial_guess(self._last.pieces[0].mean, prior.mean, STRAIGHT_NUMBERS),
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
        return combined_solution([posterior], [measurements])

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


def _mean_change(values: Array, dt: Array) -> Array:
    """Return the slopes of lines through values (..., n) over times (n,), shape (...)."""
    centered = dt - dt.mean()
    slopes: Array = values @ centered / max(float(centered @ centered), 1e-12)
    return slopes
