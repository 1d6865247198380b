# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
How far off each camera is, learnt from what two of them see at once.

Of a bias only differences show: whatever all cameras have in common stays unknown. A Kalman filter
over all cameras that begins with independent biases of mean zero says just that: it keeps the mean
over the cameras it compared at zero, and the variance of that mean in every camera's own.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from world_model_core.gaussian import chi_square_gate
from world_model_core.time import NANOSECONDS_PER_SECOND

__all__ = ['CameraBiasParameters', 'CameraBiases']

# As many cameras as one field may have; more ids are noise on the wire.
MOST_CAMERAS = 64
# Two things, not one seen twice [m].
GROSS = 0.1
GATE = chi_square_gate(2, 0.9999)
# So many contradictions of a pair, without one agreement, are a new calibration.
CONTRADICTIONS = 40
# Biases change slowly: they are moved on in steps of this [ns].
STEP_NS = NANOSECONDS_PER_SECOND // 10


@dataclass(frozen=True, slots=True)
class CameraBiasParameters:
    """
    What is assumed of the cameras' calibration.

    Parameters
    ----------
    prior_std : float
        Of a camera's bias before it is compared with another's [m], per axis; cameras at
        RoboCup 2022 differed by some 10 mm, those of ER-Force's simulator by 40 mm.
    drift : float
        Random walk of a bias [m/sqrt(s)], drawn back so that it never leaves `prior_std`.
    place_std : float
        Of the part of a camera's error that changes from place to place [m], per axis: 2 mm a
        metre over half a camera's view.
    look_period : float
        Differences of one pair share the error of a place for about so long [s], in which
        robots and ball move on by half a metre or more: together they count as one look.

    """

    prior_std: float = 0.02
    drift: float = 2e-4
    place_std: float = 0.003
    look_period: float = 1.0


@dataclass(slots=True)
class _Pair:
    """When two cameras were compared last [ns], and how often in a row that contradicted."""

    stamp_ns: int
    contradictions: int = 0


class CameraBiases:
    """
    The biases of all cameras, as far as they show.

    Parameters
    ----------
    parameters : CameraBiasParameters

    Attributes
    ----------
    counters : Counter of str
        What was left out of the comparisons, by cause; not forgotten by a reset.
    revision : int
        Another one after each change of an offset.

    """

    def __init__(self, parameters: CameraBiasParameters) -> None:
        self._parameters = parameters
        self._prior = parameters.prior_std**2
        self._place = parameters.place_std**2
        # An Ornstein-Uhlenbeck process: its variance stays at the prior's, so that a camera
        # that comes late is no surer or less sure than if it had been there, unseen.
        self._decay = 0.5 * parameters.drift**2 / self._prior
        self.counters: Counter[str] = Counter()
        self.revision = 0
        self.reset()

    def reset(self) -> None:
        """Forget all cameras."""
        self.revision += 1
        self._rows: dict[int, int] = {}
        self._x: list[float] = []  # means, by row
        self._y: list[float] = []
        self._covariance: list[list[float]] = []  # of x as of y
        self._pairs: dict[tuple[int, int], _Pair] = {}
        self._stamp_ns = 0

    def offset(self, camera_id: int) -> tuple[float, float]:
        """Return what is to be subtracted from what a camera sees (x, y) [m], field frame."""
        row = self._rows.get(camera_id)
        return (0.0, 0.0) if row is None else (self._x[row], self._y[row])

    def variance(self, camera_id: int) -> float:
        """
        Tell how far off a camera still is once its offset is subtracted.

        Returns
        -------
        float
            Variance per axis [m^2], at any one place; what all cameras have in common included.

        """
        return self._place + self._variance_at(self._rows.get(camera_id))

    def _variance_at(self, row: int | None) -> float:
        return self._prior if row is None else self._covariance[row][row]

    def difference_variance(self, camera_id: int, other_id: int) -> float:
        """
        Tell how far two cameras still disagree once their offsets are subtracted.

        Returns
        -------
        float
            Variance per axis [m^2], at any one place; what they have in common is not in it.

        """
        if camera_id == other_id:
            return 0.0
        one, two = self._rows.get(camera_id), self._rows.get(other_id)
        spread = 2.0 * self._place + self._variance_at(one) + self._variance_at(two)
        if one is not None and two is not None:
            spread -= 2.0 * self._covariance[one][two]
        return spread

    def compare(  # noqa: PLR0917 (they make up one measurement)
        self,
        stamp_ns: int,
        camera_id: int,
        other_id: int,
        dx: float,
        dy: float,
        variance: float,
    ) -> None:
        """
        Take in how differently two cameras see the same thing.

        Parameters
        ----------
        stamp_ns : int
            When [ns, vision's clock].
        camera_id, other_id : int
        dx, dy : float
            Where the camera sees it minus where the other does [m], offsets not subtracted.
        variance : float
            Of this difference per axis, by noise alone [m^2].

        """
        if camera_id == other_id or not math.hypot(dx, dy) <= GROSS:
            self.counters['gross'] += 1
            return
        if not (self._knows(camera_id) and self._knows(other_id)):
            self.counters['too many cameras'] += 1
            return
        self._advance(stamp_ns)
        pair, crowding = self._look(stamp_ns, camera_id, other_id)
        one, two = self._rows[camera_id], self._rows[other_id]
        x, y = dx - self._x[one] + self._x[two], dy - self._y[one] + self._y[two]
        spread = self.difference_variance(camera_id, other_id) + variance
        if x * x + y * y <= GATE * spread:
            pair.contradictions = 0
            spread += 2.0 * self._place * (crowding - 1.0)
            self._correct(one, two, x, y, spread)
        else:
            self._contradict(pair)

    def _knows(self, camera_id: int) -> bool:
        """Make sure that a camera has a row, if there is room for it."""
        count = len(self._rows)
        if camera_id in self._rows:
            return True
        if count == MOST_CAMERAS:
            return False
        self._rows[camera_id] = count
        self._x.append(0.0)
        self._y.append(0.0)
        for row in self._covariance:
            row.append(0.0)
        self._covariance.append([0.0] * count + [self._prior])
        return True

    def _advance(self, stamp_ns: int) -> None:
        """Let all biases drift until now; a clock that went back moves nothing."""
        elapsed_ns = stamp_ns - self._stamp_ns
        if 0 <= elapsed_ns < STEP_NS:
            return
        first, self._stamp_ns = self._stamp_ns == 0, stamp_ns
        if elapsed_ns < 0 or first:
            return
        self.revision += 1
        kept = math.exp(-self._decay * elapsed_ns / NANOSECONDS_PER_SECOND)
        self._x = [kept * value for value in self._x]
        self._y = [kept * value for value in self._y]
        self._covariance = [[kept * kept * value for value in row] for row in self._covariance]
        for index, row in enumerate(self._covariance):
            row[index] += (1.0 - kept * kept) * self._prior

    def _look(self, stamp_ns: int, camera_id: int, other_id: int) -> tuple[_Pair, float]:
        """Find a pair, and how many of its differences share one look at this rate."""
        key = (camera_id, other_id) if camera_id < other_id else (other_id, camera_id)
        pair = self._pairs.get(key)
        if pair is None:
            pair = self._pairs[key] = _Pair(stamp_ns)
            return pair, 1.0
        elapsed = max(abs(stamp_ns - pair.stamp_ns), 1) / NANOSECONDS_PER_SECOND
        pair.stamp_ns = stamp_ns
        return pair, max(1.0, self._parameters.look_period / elapsed)

    def _contradict(self, pair: _Pair) -> None:
        """Leave a difference out; after many of them the cameras were calibrated anew."""
        self.counters['contradicting'] += 1
        pair.contradictions += 1
        if pair.contradictions >= CONTRADICTIONS:
            self.counters['relearned'] += 1
            self.reset()

    def _correct(self, one: int, two: int, x: float, y: float, spread: float) -> None:
        """Correct all biases by an innovation (x, y) [m] of variance `spread` [m^2]."""
        self.revision += 1
        cross = [row[one] - row[two] for row in self._covariance]
        gains = [value / spread for value in cross]
        self._x = [value + gain * x for value, gain in zip(self._x, gains, strict=True)]
        self._y = [value + gain * y for value, gain in zip(self._y, gains, strict=True)]
        # Divided on both sides alike, the covariance stays symmetric to the last bit.
        root = math.sqrt(spread)
        told = [value / root for value in cross]
        self._covariance = [
            [value - mine * theirs for value, theirs in zip(row, told, strict=True)]
            for row, mine in zip(self._covariance, told, strict=True)
        ]
