# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Robust least-squares fit of a motion model to the detections of one kick by all cameras."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import least_squares

from world_model_core.match.ball.ball_constants import BallParameters

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from world_model_core.match.ball.calibration.values import Array, Cameras, KickDetections

    PositionModel = Callable[[Array, KickDetections], Array]
    Bounds = tuple[Sequence[float], Sequence[float]]

# A detection is an outlier beyond this many robust standard deviations and at least this distance
# [m].
OUTLIER_SIGMAS, LEAST_OUTLIER = 6.0, 0.01
# Scale of the robust loss [m].
ROBUST_SCALE = 0.02
# Most steps of the solver; real and simulated kicks take 10 to 40.
MOST_STEPS = 100
# Largest bias between two cameras [m]; calibrations at RoboCup are off by a few centimeters.
MOST_BIAS = 0.2
# Negligible mean square [m^2] and relative size.
TINY = 1e-12
# Ratio of standard deviation to median absolute value of a normal distribution.
MAD_TO_SIGMA = 1.4826


@dataclass(frozen=True, eq=False)
class RobustFit:
    """
    Motion model fitted to the detections of a kick.

    Parameters
    ----------
    solution, errors : array, shape (p,)
        Parameters of the model and their standard errors.
    detections : KickDetections
        Inliers, corrected by the bias of each camera relative to the first one.
    fitted : array, shape (n, 2)
        Fitted positions [m].
    cost : float
        Half the robust sum of squared residuals of all detections [m^2].
    kept : float
        Share of inliers.

    """

    solution: Array
    errors: Array
    detections: KickDetections
    fitted: Array
    cost: float
    kept: float

    def misfits(self, part: int) -> tuple[float, float]:
        """Return the root mean square of all residuals and of the worst part, per axis [m]."""
        squares = (self.detections.places - self.fitted) ** 2
        parts = np.array_split(squares, max(len(squares) // part, 1))
        worst = max(float(np.mean(own)) for own in parts)
        return math.sqrt(float(np.mean(squares))), math.sqrt(worst)

    @property
    def criterion(self) -> float:
        """Bayesian information criterion over all detections; lower is better."""
        count = 2.0 * len(self.detections) / self.kept
        return count * math.log(self.cost / count + TINY) + len(self.solution) * math.log(count)


class _Solution(NamedTuple):
    """Result of the solver: `solution` (p,), `jacobian` (2 n, p), `cost` [m^2]."""

    solution: Array
    jacobian: Array
    cost: float


def fit(
    model: PositionModel,
    starts: Sequence[Sequence[float]],
    bounds: Bounds,
    detections: KickDetections,
) -> RobustFit:
    """
    Fit a model and the bias of each camera relative to the one with most detections.

    The first fit, from each initial guess, uses a loss that grows linearly with large residuals.
    The second one starts at the best result and uses plain least squares without outliers.

    Parameters
    ----------
    model : callable
        Maps parameters (p,) and detections to positions, shape (n, 2) [m].
    starts : sequence of sequence of float
        Initial guesses.
    bounds : tuple of sequence of float
        Lower and upper bounds of the parameters.
    detections : KickDetections

    """
    cameras = detections.cameras_by_use
    problem = _Problem(model, len(starts[0]), detections, cameras)
    rough = min(
        (problem.solve(start, bounds, 'soft_l1') for start in starts), key=lambda found: found.cost
    )
    true = _inliers(problem.residuals(rough.solution))
    chosen = _Problem(model, len(starts[0]), detections.select(true), cameras)
    fine = chosen.solve(rough.solution, bounds, 'linear')
    return chosen.fit(fine, rough.cost, float(np.mean(true)))


def limits(*names: str) -> Bounds:
    """Return the lower and upper limits of constants of BallParameters."""
    known = {item.name: item.metadata for item in fields(BallParameters)}
    low, high = ([float(known[name][side]) for name in names] for side in ('minimum', 'maximum'))
    return low, high


def _inliers(residuals: Array) -> NDArray[np.bool_]:
    """Separate inliers from outliers by their residuals, shape (n, 2)."""
    distances = np.hypot(*residuals.T)
    limit = OUTLIER_SIGMAS * MAD_TO_SIGMA * float(np.median(np.abs(residuals)))
    true: NDArray[np.bool_] = distances <= max(limit, LEAST_OUTLIER)
    # With half of them beyond the limit the fit itself is bad.
    return true if true.mean() > 0.5 else np.ones_like(true)


class _Problem:
    """A model, its detections, and the camera biases, which follow its parameters."""

    def __init__(
        self, model: PositionModel, size: int, detections: KickDetections, cameras: Cameras
    ) -> None:
        self._model, self._size, self._detections = model, size, detections
        self._biases = 2 * (len(cameras) - 1)
        self._rows = np.argmax(detections.cameras[:, None] == cameras, axis=1)

    def residuals(self, solution: Array) -> Array:
        """Return the residuals after model and biases, shape (n, 2) [m]."""
        fitted = self._model(solution[: self._size], self._detections)
        residuals: Array = self._detections.places - self._bias(solution) - fitted
        return residuals

    def solve(self, start: Sequence[float] | Array, bounds: Bounds, loss: str) -> _Solution:
        """Run the solver."""
        biases = np.full(self._biases, MOST_BIAS)
        low, high = np.append(bounds[0], -biases), np.append(bounds[1], biases)
        # The solver refuses to start on a bound.
        room = np.minimum(1e-6, 0.01 * (high - low))
        first = np.append(start, np.zeros(self._size + self._biases - len(start)))
        found = least_squares(
            lambda solution: self.residuals(solution).ravel(),
            np.clip(first, low + room, high - room),
            bounds=(low, high),
            x_scale='jac',
            loss=loss,
            f_scale=ROBUST_SCALE,
            max_nfev=MOST_STEPS,
        )
        return _Solution(found.x, found.jac, float(found.cost))

    def fit(self, found: _Solution, cost: float, kept: float) -> RobustFit:
        """Give the fit of the model, the biases taken away."""
        places = self._detections.places - self._bias(found.solution)
        detections, own = replace(self._detections, places=places), slice(self._size)
        errors = self._errors(found.jacobian, self.residuals(found.solution))
        fitted = self._model(found.solution[own], detections)
        return RobustFit(found.solution[own], errors[own], detections, fitted, cost, kept)

    def _bias(self, solution: Array) -> Array:
        """Look up the bias of the camera of each detection, shape (n, 2) [m]."""
        biases = np.zeros((1 + self._biases // 2, 2))
        biases[1:] = solution[self._size :].reshape(-1, 2)
        chosen: Array = biases[self._rows]
        return chosen

    def _errors(self, jacobian: Array, residuals: Array) -> Array:
        """
        Estimate standard errors from the residuals, fewer of which count where they are alike.

        Of n residuals that resemble each other from detection to detection by a correlation r,
        only n (1 - r) / (1 + r) are independent (G. E. P. Box et al., Time Series Analysis).
        """
        freedom = max(residuals.size - jacobian.shape[1], 1)
        variance = np.sum(residuals**2) / freedom * _repetition(residuals, self._rows)
        # Columns of very different size: scaled, so that none is lost in rounding.
        size = np.maximum(np.linalg.norm(jacobian, axis=0), TINY)
        _, strengths, axes = np.linalg.svd(jacobian / size, full_matrices=False)
        # Parameters without influence on the detections are unknown.
        spread = axes.T / np.maximum(strengths, TINY)
        errors: Array = np.linalg.norm(spread, axis=1) * math.sqrt(variance) / size
        return errors


def _repetition(residuals: Array, rows: NDArray[np.intp]) -> float:
    """Return the number of correlated residuals that count as one, at least 1."""
    pairs = [
        (own[:-1].ravel(), own[1:].ravel())
        for own in (residuals[rows == row] for row in range(int(rows.max()) + 1))
    ]
    before, after = (np.concatenate(side) for side in zip(*pairs, strict=True))
    power = float(np.sum(before**2))
    alike = float(before @ after) / power if power > 0.0 else 0.0
    alike = min(max(alike, 0.0), 0.99)
    return (1.0 + alike) / (1.0 - alike)
