# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Interface of kick models, their prior and their solution."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.gauss_newton import Posterior
    from world_model_core.match.ball.measurement_table import MeasurementArrays

# Prior standard deviation of each horizontal velocity component [m/s].
SPEED_STD = 5.0
# Steps of the first fit, and of one that starts at the last solution.
FIRST_STEPS, STEPS = 6, 2


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


def initial_guess(last: Array, mean: Array, own: int) -> Array:
    """Return the last solution, with all camera errors reset after a new camera."""
    if len(last) == len(mean):
        return last
    return np.concatenate((last[:own], mean[own:]))


def combined_solution(
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
