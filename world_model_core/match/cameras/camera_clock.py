# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The clock of a camera that exposes at even intervals, estimated from late stamps."""

from __future__ import annotations

import numpy as np

# Stamps through which the line is fitted: 1.7 s at 73 Hz, in which a burst lasts a tenth.
WINDOW = 128
# Frames after which the clock is good enough to be compared, and to move only slowly.
FRAMES_TO_RUN, FRAMES_TO_SETTLE = 12, 48
# Most stamps agree to this [ns]; later ones have little weight.
CORE_NS = 300_000.0
# Largest corrections of the time and of the period by a frame, as fractions of the period: what
# moves then seems faster or slower by as much.
SLEW, PERIOD_SLEW = 0.003, 5e-6


class CameraClock:
    """
    A robust line through the stamps of the last frames.

    The weights of stamps are those of a Cauchy distribution, iterated once a frame (Huber and
    Ronchetti, Robust Statistics, 2009, section 7.8). The clock follows the line slowly, so that
    stamps that become late for a while do not change the speed of what moves.

    Attributes
    ----------
    period_ns : float
        Time between two exposures [ns]; 0 before the second frame.

    """

    def __init__(self) -> None:
        self._frames = 0
        self._count = 0
        self._exposure_ns, self._fraction_ns = 0, 0.0
        self.period_ns = 0.0
        # Exposure counts and stamps, in any order.
        self._counts = np.zeros(WINDOW, dtype=np.int64)
        self._stamps_ns = np.zeros(WINDOW, dtype=np.int64)

    @property
    def runs(self) -> bool:
        """Whether enough frames have been observed."""
        return self._frames >= FRAMES_TO_RUN

    def start(self, capture_ns: int) -> None:
        """Start again with a stamp [ns]."""
        self._frames, self._count, self.period_ns = 0, 0, 0.0
        self._exposure_ns, self._fraction_ns = capture_ns, 0.0
        self._store(capture_ns)

    def predict(self, periods: int, capture_ns: int) -> int:
        """Return the exposure time [ns] some periods after the last; the stamp if unknown."""
        if self._frames < 2:
            return capture_ns
        return self._exposure_ns + round(self._fraction_ns + self.period_ns * periods)

    def follow(self, periods: int, capture_ns: int) -> None:
        """
        Correct the clock by the stamp of the next frame.

        Parameters
        ----------
        periods : int
            Exposures since the last frame, positive.
        capture_ns : int
            Stamp [ns].

        """
        predicted_ns = self.predict(periods, capture_ns)
        self._count += periods
        self._store(capture_ns)
        if self._frames == 2:
            self.period_ns = (capture_ns - self._exposure_ns) / periods
        correction_ns, slope_ns = self._fit(predicted_ns)
        if self._frames > FRAMES_TO_SETTLE:
            correction_ns = _clip(correction_ns, SLEW * self.period_ns * periods)
            slope_ns = _clip(slope_ns, PERIOD_SLEW * self.period_ns)
        self._exposure_ns, self._fraction_ns = predicted_ns, correction_ns
        self.period_ns += slope_ns

    def _store(self, capture_ns: int) -> None:
        row = self._frames % WINDOW
        self._counts[row], self._stamps_ns[row] = self._count, capture_ns
        self._frames += 1

    def _fit(self, predicted_ns: int) -> tuple[float, float]:
        """Return the correction of the predicted time and of the period by the line [ns]."""
        size = min(self._frames, WINDOW)
        counts = (self._counts[:size] - self._count).astype(float)
        late_ns = (self._stamps_ns[:size] - predicted_ns) - self.period_ns * counts
        scale_ns = max(CORE_NS, float(abs(late_ns).mean()))
        weights = 1.0 / (1.0 + (late_ns / scale_ns) ** 2)
        total = weights.sum()
        mean, mean_late_ns = weights @ counts / total, weights @ late_ns / total
        counts -= mean
        slope_ns = (weights * counts) @ late_ns / max(weights @ counts**2, 1e-9)
        return float(mean_late_ns - slope_ns * mean), float(slope_ns)


def _clip(value: float, limit: float) -> float:
    return max(-limit, min(limit, value))
