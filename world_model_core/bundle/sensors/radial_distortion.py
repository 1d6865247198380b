# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Radial distortion: image radius as an odd polynomial of the incidence angle or its tangent."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

# Newton's method has converged long before; halving alone would need 53 steps, and as many more as
# it takes to get down to the size of the solution.
MOST_STEPS = 120
# A smaller step, relative to the solution, is rounding.
CONVERGED = 1e-14
# Imaginary parts of this size, relative to their roots, are rounding.
REAL = 1e-7


class RadialPolynomial:
    """
    The polynomial t -> t (1 + k1 t^2 + k2 t^4 + ...) in the range in which it increases.

    Beyond the first t with slope zero it is not invertible and not used.

    Parameters
    ----------
    coefficients : tuple of float
        k1, k2, ...
    largest : float
        Upper limit of t.

    Attributes
    ----------
    limit : float
        The largest t that is used.
    reach : float
        Value of the polynomial at `limit`.

    """

    def __init__(self, coefficients: tuple[float, ...], largest: float) -> None:
        self._factors: Array = np.array((1.0, *coefficients))
        self._slopes: Array = self._factors * np.arange(1.0, 2.0 * len(self._factors), 2.0)
        self.limit = min(largest, _first_root(self._slopes))
        self.reach = math.inf
        if math.isfinite(self.limit):
            self.reach = self.limit * float(self.factor(np.array(self.limit)))

    def factor(self, t: Array) -> Array:
        """Return 1 + k1 t^2 + k2 t^4 + ..., of the shape of `t`."""
        return _horner(self._factors, np.square(t))

    def slope(self, t: Array) -> Array:
        """Return the derivative of the polynomial, of the shape of `t`."""
        return _horner(self._slopes, np.square(t))

    @np.errstate(all='ignore')
    def solve(self, reached: Array) -> Array:
        """
        Invert the polynomial for `reached`, of any shape and not negative.

        Newton's method, with a step to the middle of what is left wherever it would leave that, or
        its step is not half as long as the one before.

        Returns
        -------
        array
            NaN for values beyond `reach`.

        """
        inside = reached <= self.reach
        wanted = np.where(inside, reached, 0.0)
        low, high = np.zeros_like(wanted), np.broadcast_to(self._above(wanted), wanted.shape)
        t, step = np.minimum(wanted, high), high - low
        for _ in range(MOST_STEPS):
            excess = t * self.factor(t) - wanted
            low, high = np.where(excess <= 0.0, t, low), np.where(excess >= 0.0, t, high)
            newton, middle = t - excess / self.slope(t), 0.5 * (low + high)
            # Comparisons with NaN are false, so that the middle is used.
            is_short = np.abs(newton - t) <= np.maximum(0.5 * step, CONVERGED * t)
            is_sound = is_short & (newton >= low) & (newton <= high)
            previous, t = t, np.where(is_sound, newton, middle)
            step = np.abs(t - previous)
            if (step <= CONVERGED * t).all():
                break
        return np.where(inside, t, np.nan)

    def _above(self, wanted: Array) -> float:
        """Return a t whose value exceeds all wanted values."""
        if math.isfinite(self.limit):
            return self.limit
        farthest = float(wanted.max(initial=0.0))
        above = max(farthest, 1.0)
        while above * float(self.factor(np.array(above))) < farthest:
            above *= 2.0
        return above


def _horner(coefficients: Array, u: Array) -> Array:
    value = np.full_like(u, coefficients[-1])
    for each in coefficients[-2::-1]:
        value = value * u + each
    return value


def _first_root(slopes: Array) -> float:
    """Find the lowest t > 0 where a slope, a polynomial in t^2, is zero; infinity without one."""
    # In 1 / t^2 it begins with 1, so that no tiny coefficient is divided by.
    inverse = np.roots(slopes)
    real = inverse.real[np.abs(inverse.imag) <= REAL * np.abs(inverse)]
    largest = float(real.max(initial=0.0))
    return 1.0 / math.sqrt(largest) if largest > 0.0 else math.inf
