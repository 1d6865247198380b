# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Test whether a landmark is elsewhere than in the map, and where, by the innovations of a filter.

For each landmark there is a hypothesis that it alone is off by a constant, unknown offset. The
filter assumes that all are right; its state and innovations depend linearly on an offset, with
sensitivities that are propagated beside it. So the offset is estimated, and the hypothesis
compared with the filter, without a filter of its own (Willsky and Jones, A generalized likelihood
ratio approach to the detection and estimation of jumps in linear systems, IEEE Transactions on
Automatic Control 21, 1976; Friedland, Treatment of bias in recursive filtering, ibid. 14, 1969).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import logsumexp

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.localization.reading_hypotheses import ReadingHypotheses

__all__ = ['LandmarkOffsets', 'LinearReading']

# Prior: probability that one of the landmarks is wrong, and standard deviation of its offset [m].
WRONG, SPREAD = 0.05, 0.5
# Probability above which a wrong landmark is reported.
SURE = 0.99
# Smallest log odds: what fitted for an hour can become wrong within minutes.
LOWEST = -12.0


class LinearReading(NamedTuple):
    """
    Linear model of readings of one landmark by k robots, and what the filter did with them.

    `ranges` (k,) [m]; `off` (k, 2), innovations; `model` (k, 2, s), the Jacobian by the state;
    `spread` (k, 2, 2), covariances of the innovations; `excess` (k, 2, 2), see
    `ReadingHypotheses.weigh`; `gain` (k, s, 2), the effective gain; `log_density` (k,).
    """

    ranges: Array
    off: Array
    model: Array
    spread: Array
    excess: Array
    gain: Array
    log_density: Array


@dataclass(frozen=True, slots=True, eq=False)
class LandmarkOffsets:
    """
    Hypotheses about m landmarks, for n robots with states of size s.

    Attributes
    ----------
    log_odds : array, shape (n, m)
        Of the hypothesis that the landmark is wrong against a right map.
    means : array, shape (n, m, 2)
        Offsets x, y [m] of the true places from those in the map.
    covariances : array, shape (n, m, 2, 2)
    sensitivities : array, shape (n, m, s, 2)
        Derivatives of the error of the state by the offset.

    """

    log_odds: Array
    means: Array
    covariances: Array
    sensitivities: Array

    @classmethod
    def begin(cls, robots: int, landmarks: int, size: int) -> LandmarkOffsets:
        """Return the hypotheses before any reading."""
        return cls(
            np.full((robots, landmarks), math.log(WRONG / max(landmarks, 1))),
            np.zeros((robots, landmarks, 2)),
            np.tile(SPREAD**2 * np.eye(2), (robots, landmarks, 1, 1)),
            np.zeros((robots, landmarks, size, 2)),
        )

    def predicted(self, transitions: Array) -> LandmarkOffsets:
        """Propagate the sensitivities by the transition matrices (n, s, s) of the state."""
        return replace(self, sensitivities=transitions[:, None] @ self.sensitivities)

    def corrected(
        self, rows: NDArray[np.intp], number: int, reading: LinearReading, rule: ReadingHypotheses
    ) -> LandmarkOffsets:
        """
        Correct the hypotheses of some robots by their readings of a landmark.

        Parameters
        ----------
        rows : array of int, shape (k,)
            The robots.
        number : int
            The landmark.
        reading : LinearReading
        rule : ReadingHypotheses
            Weighs the explanations of readings, also under the hypotheses.

        """
        # Landmarks without a reading so far have no influence on the state.
        columns = np.union1d(np.flatnonzero(self.sensitivities.any(axis=(0, 2, 3))), number)
        some = np.ix_(rows, columns)
        by_state, means, covariances = (
            part[some] for part in (self.sensitivities, self.means, self.covariances)
        )
        by_offset = reading.model[:, None] @ by_state
        # Range and bearing depend on the difference of the places of landmark and robot.
        by_offset[:, np.searchsorted(columns, number)] -= reading.model[:, :, :2]
        off = reading.off[:, None] - (by_offset @ means[..., None])[..., 0]
        cross = covariances @ by_offset.swapaxes(-1, -2)
        spread = reading.spread[:, None] + by_offset @ cross
        weighed = rule.weigh(reading.ranges[:, None], off, spread, reading.excess[:, None])
        gain = np.linalg.solve(spread, cross.swapaxes(-1, -2)).swapaxes(-1, -2)
        gain *= weighed.clear[..., None, None]
        after = replace(self, **{name: getattr(self, name).copy() for name in self.__slots__})
        gained = weighed.log_density - reading.log_density[:, None]
        after.log_odds[some] = np.maximum(self.log_odds[some] + gained, LOWEST)
        after.means[some] = means + (gain @ off[..., None])[..., 0]
        after.covariances[some] = covariances - gain @ cross.swapaxes(-1, -2)
        after.sensitivities[some] = by_state - reading.gain[:, None] @ by_offset
        return after

    def probabilities(self) -> Array:
        """Return the probabilities (n, 1 + m) that the map is right, and of each hypothesis."""
        log_odds = np.concatenate((np.zeros((len(self.log_odds), 1)), self.log_odds), axis=1)
        share: Array = np.exp(log_odds - logsumexp(log_odds, axis=1, keepdims=True))
        return share

    def alternatives(self) -> tuple[Array, Array, Array]:
        """
        Return what the hypotheses change in the state.

        Returns
        -------
        probabilities : array, shape (n, 1 + m)
        shifts : array, shape (n, m, s)
            Of the mean.
        covariances : array, shape (n, m, s, s)
            To be added.

        """
        by_offset = self.sensitivities
        shifts = (by_offset @ self.means[..., None])[..., 0]
        added = by_offset @ self.covariances @ by_offset.swapaxes(-1, -2)
        return self.probabilities(), shifts, added

    def wrong(self) -> NDArray[np.intp]:
        """Return the number of the landmark that is probably wrong, -1 if none is, shape (n,)."""
        probabilities = self.probabilities()
        found = probabilities[:, 0] < 1.0 - SURE
        return np.where(found, np.argmax(probabilities, axis=1) - 1, -1)
