# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Least squares of a law of motion to the sights of one kick, by all cameras at once."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import least_squares

from world_model_core.match.ball.parameters import BallParameters

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from world_model_core.match.ball.calibration.values import Array, Cameras, KickSights

    Law = Callable[[Array, KickSights], Array]
    Bounds = tuple[Sequence[float], Sequence[float]]

# Beyond so many robust standard deviations, and at least so many metres, a sight is false.
FALSE_SIGHT, LEAST_FALSE_SIGHT = 6.0, 0.01
# Residuals above this [m] count less already while the false sights are looked for.
ROBUST_SCALE = 0.02
# Steps of the solver; the fits to real and simulated kicks take 10 to 40.
MOST_STEPS = 100
# What two cameras may disagree by [m]; calibrations at RoboCup are off by a few centimetres.
MOST_BIAS = 0.2
# As good as nothing: of mean squares [m^2], and of parts of a whole.
TINY = 1e-12
# Standard deviation of normal numbers over the median of their sizes.
MAD_TO_SIGMA = 1.4826


@dataclass(frozen=True, eq=False)
class Fit:
    """
    A law fitted to the sights of a kick.

    Parameters
    ----------
    solution, errors : array, shape (p,)
        The law's parameters and their standard errors.
    sights : KickSights
        Those not false, moved by the constant bias of each camera against the first one.
    fitted : array, shape (n, 2)
        Where the law has them [m].
    cost : float
        Half the sum of the squared residuals of all sights, large ones less than squared [m^2].
    kept : float
        Part of the sights that is not false.

    """

    solution: Array
    errors: Array
    sights: KickSights
    fitted: Array
    cost: float
    kept: float

    def misfits(self, part: int) -> tuple[float, float]:
        """Measure the root mean square along an axis [m]: of all residuals, of the worst part."""
        squares = (self.sights.places - self.fitted) ** 2
        parts = np.array_split(squares, max(len(squares) // part, 1))
        worst = max(float(np.mean(own)) for own in parts)
        return math.sqrt(float(np.mean(squares))), math.sqrt(worst)

    @property
    def criterion(self) -> float:
        """The Bayesian information criterion, over all sights; the lower, the better."""
        count = 2.0 * len(self.sights) / self.kept
        return count * math.log(self.cost / count + TINY) + len(self.solution) * math.log(count)


class _Solution(NamedTuple):
    """Where the solver ended: `solution` (p,), `jacobian` (2 n, p), `cost` [m^2]."""

    solution: Array
    jacobian: Array
    cost: float


def fit(law: Law, starts: Sequence[Sequence[float]], bounds: Bounds, sights: KickSights) -> Fit:
    """
    Fit a law, and with it the bias of each camera against the one with most sights.

    First from each start with a loss that grows linearly with large residuals; then, from the
    best of these, by plain least squares without the sights that it found to be false.

    Parameters
    ----------
    law : callable
        Takes parameters (p,) and the sights; returns where it has them, shape (n, 2) [m].
    starts : sequence of sequence of float
        Parameters to start from.
    bounds : tuple of sequence of float
        Lowest and highest values of the parameters.
    sights : KickSights

    """
    cameras = sights.cameras_by_use
    problem = _Problem(law, len(starts[0]), sights, cameras)
    rough = min(
        (problem.solve(start, bounds, 'soft_l1') for start in starts), key=lambda found: found.cost
    )
    true = _true_sights(problem.residuals(rough.solution))
    chosen = _Problem(law, len(starts[0]), sights.select(true), cameras)
    fine = chosen.solve(rough.solution, bounds, 'linear')
    return chosen.fit(fine, rough.cost, float(np.mean(true)))


def limits(*names: str) -> Bounds:
    """Look up the lowest and the highest values that constants of BallParameters may have."""
    known = {item.name: item.metadata for item in fields(BallParameters)}
    low, high = ([float(known[name][side]) for name in names] for side in ('minimum', 'maximum'))
    return low, high


def _true_sights(residuals: Array) -> NDArray[np.bool_]:
    """Tell true sights from false ones by their residuals, shape (n, 2)."""
    distances = np.hypot(*residuals.T)
    limit = FALSE_SIGHT * MAD_TO_SIGMA * float(np.median(np.abs(residuals)))
    true: NDArray[np.bool_] = distances <= max(limit, LEAST_FALSE_SIGHT)
    # Where half are worse than that nothing is told apart: the fit is bad.
    return true if true.mean() > 0.5 else np.ones_like(true)


class _Problem:
    """A law, and the sights that it is fitted to; the biases follow its own parameters."""

    def __init__(self, law: Law, size: int, sights: KickSights, cameras: Cameras) -> None:
        self._law, self._size, self._sights = law, size, sights
        self._biases = 2 * (len(cameras) - 1)
        self._rows = np.argmax(sights.cameras[:, None] == cameras, axis=1)

    def residuals(self, solution: Array) -> Array:
        """Subtract what the law and the biases give from what was seen, shape (n, 2) [m]."""
        fitted = self._law(solution[: self._size], self._sights)
        residuals: Array = self._sights.places - self._bias(solution) - fitted
        return residuals

    def solve(self, start: Sequence[float] | Array, bounds: Bounds, loss: str) -> _Solution:
        """Find the solution."""
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

    def fit(self, found: _Solution, cost: float, kept: float) -> Fit:
        """Give the fit of the law, the biases taken away."""
        places = self._sights.places - self._bias(found.solution)
        sights, own = replace(self._sights, places=places), slice(self._size)
        errors = self._errors(found.jacobian, self.residuals(found.solution))
        fitted = self._law(found.solution[own], sights)
        return Fit(found.solution[own], errors[own], sights, fitted, cost, kept)

    def _bias(self, solution: Array) -> Array:
        """Look up the bias of the camera of each sight, shape (n, 2) [m]."""
        biases = np.zeros((1 + self._biases // 2, 2))
        biases[1:] = solution[self._size :].reshape(-1, 2)
        chosen: Array = biases[self._rows]
        return chosen

    def _errors(self, jacobian: Array, residuals: Array) -> Array:
        """
        Estimate standard errors from the residuals, fewer of which count where they are alike.

        Of n residuals that resemble each other from sight to sight by a correlation r, only
        n (1 - r) / (1 + r) are independent (G. E. P. Box et al., Time Series Analysis).
        """
        freedom = max(residuals.size - jacobian.shape[1], 1)
        variance = np.sum(residuals**2) / freedom * _repetition(residuals, self._rows)
        # Columns of very different size: scaled, so that none is lost in rounding.
        size = np.maximum(np.linalg.norm(jacobian, axis=0), TINY)
        _, strengths, axes = np.linalg.svd(jacobian / size, full_matrices=False)
        # What the sights do not depend on is known to no digit.
        spread = axes.T / np.maximum(strengths, TINY)
        errors: Array = np.linalg.norm(spread, axis=1) * math.sqrt(variance) / size
        return errors


def _repetition(residuals: Array, rows: NDArray[np.intp]) -> float:
    """Tell how many residuals in a row of one camera say the same, at least 1."""
    pairs = [
        (own[:-1].ravel(), own[1:].ravel())
        for own in (residuals[rows == row] for row in range(int(rows.max()) + 1))
    ]
    before, after = (np.concatenate(side) for side in zip(*pairs, strict=True))
    power = float(np.sum(before**2))
    alike = float(before @ after) / power if power > 0.0 else 0.0
    alike = min(max(alike, 0.0), 0.99)
    return (1.0 + alike) / (1.0 - alike)
