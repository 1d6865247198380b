# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Fit of the chip-kick model: the ball flies in arcs between bounces."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.match.ball.measurement_table import MeasurementArrays
    from world_model_core.match.ball.parameters import BallParameters

# Prior of the vertical speed of a chip: mean and standard deviation [m/s].
CLIMB, CLIMB_STD = 2.5, 2.0
# With fewer measurements that would show it, a flight is undecided.
FEWEST_IN_FLIGHT = 5
# The end of an arc selects its measurements, which determine the end: most iterations.
ENDS = 3
# Arcs of a chip that are fitted; later ones add nothing.
MOST_ARCS = 4


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
        self._last = combined_solution(pieces, parts) if found else None
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
            start = initial_guess(start, prior.mean, ARC_NUMBERS)
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
