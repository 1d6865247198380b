# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Estimates the detection noise of each camera from differences of successive positions."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING

from world_model_core.match.cameras.bias import MOST_CAMERAS
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

# Frames in one difference, and their longest time span [ns]: seven frames at 70 Hz.
FRAMES = 4
SPAN_NS = NANOSECONDS_PER_SECOND // 10
# Weight of the prior in samples, and samples in the average.
PRIOR_COUNT, MEMORY = 20, 4000
# A sample above this multiple of the variance is a collision and is clipped to it.
CEILING = 9.0


class DetectionNoise:
    """
    Estimates the variance of the noise of each camera, which is independent in each frame.

    Parameters
    ----------
    prior_std : float
        Standard deviation of a camera without samples [m] or [rad].
    floor_std : float
        Least standard deviation, for simulators without noise.

    """

    def __init__(self, prior_std: float, floor_std: float) -> None:
        self._prior, self._floor = prior_std**2, floor_std**2
        self._estimates: dict[int, tuple[float, int]] = {}  # variance and count

    def variance(self, camera_id: int) -> float:
        """Return the variance of one detection of a camera, per axis."""
        estimate = self._estimates.get(camera_id)
        return self._prior if estimate is None else max(estimate[0], self._floor)

    def observe(self, camera_id: int, squares: Sequence[float]) -> None:
        """
        Add squares of differences that contain only noise, see `FrameTimes.weights`.

        Parameters
        ----------
        camera_id : int
            Cameras beyond `MOST_CAMERAS` keep the prior.
        squares : sequence of float
            At least one; the mean of each is the variance of one detection.

        """
        if camera_id not in self._estimates and len(self._estimates) == MOST_CAMERAS:
            return
        variance, count = self._estimates.get(camera_id, (self._prior, PRIOR_COUNT))
        ceiling = CEILING * max(variance, self._floor)
        mean = sum([min(ceiling, square) for square in squares]) / len(squares)
        count = min(count + len(squares), MEMORY)
        variance += (mean - variance) * min(1.0, len(squares) / count)
        self._estimates[camera_id] = variance, count


class FrameTimes:
    """Capture times of the last frames of a camera."""

    def __init__(self) -> None:
        self._stamps: deque[int] = deque(maxlen=FRAMES)

    def add(self, capture_ns: int) -> None:
        """Add the capture time of the next frame [ns, vision's clock]."""
        self._stamps.append(capture_ns)

    def weights(self) -> list[float] | None:
        """
        Return weights of the last `FRAMES` positions, oldest first, whose sum is only noise.

        The third divided difference (Abramowitz and Stegun, 25.1.7) cancels position, velocity
        and acceleration, even if frames are uneven. The weights are scaled to a sum of squares
        of one, so that the difference has the variance of one detection.

        Returns
        -------
        list of float, or None
            None if the frames are too few, too far apart or out of order.

        """
        stamps = self._stamps
        steps = zip(stamps, list(stamps)[1:], strict=False)
        if len(stamps) < FRAMES or any(b <= a for a, b in steps):
            return None
        if stamps[-1] - stamps[0] > SPAN_NS:
            return None
        times = [(stamp - stamps[0]) / SPAN_NS for stamp in stamps]
        weights = [
            1.0 / math.prod(time - other for other in times if other != time) for time in times
        ]
        length = math.hypot(*weights)
        return [weight / length for weight in weights]
