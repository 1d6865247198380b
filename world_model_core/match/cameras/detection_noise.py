# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How noisy each camera is, learnt from how unevenly things move in its pictures."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING

from world_model_core.match.cameras.bias import MOST_CAMERAS
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

# Pictures that one difference is taken of, and within what time [ns]: seven at 70 Hz.
PICTURES = 4
SPAN_NS = NANOSECONDS_PER_SECOND // 10
# The prior counts as so many samples, and of all samples the last so many count.
PRIOR_COUNT, MEMORY = 20, 4000
# Above so many times the variance a sample tells of a hit: it counts as this much.
CEILING = 9.0


class DetectionNoise:
    """
    The variance of what each camera measures, drawn anew in each picture.

    Parameters
    ----------
    prior_std : float
        Of a camera of which nothing was observed yet [m] or [rad].
    floor_std : float
        A simulator without noise is taken to be this good.

    """

    def __init__(self, prior_std: float, floor_std: float) -> None:
        self._prior, self._floor = prior_std**2, floor_std**2
        self._estimates: dict[int, tuple[float, int]] = {}  # variance and count

    def variance(self, camera_id: int) -> float:
        """Return the variance of one measurement of a camera, per axis."""
        estimate = self._estimates.get(camera_id)
        return self._prior if estimate is None else max(estimate[0], self._floor)

    def observe(self, camera_id: int, squares: Sequence[float]) -> None:
        """
        Take in squares of differences that only noise makes, see `difference_weights`.

        Parameters
        ----------
        camera_id : int
            Cameras beyond `MOST_CAMERAS` are left at the prior.
        squares : sequence of float
            At least one, each with the variance of one measurement as its mean.

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
    """When a camera took its last pictures."""

    def __init__(self) -> None:
        self._stamps: deque[int] = deque(maxlen=PICTURES)

    def add(self, capture_ns: int) -> None:
        """Take in the next picture [ns, vision's clock]."""
        self._stamps.append(capture_ns)

    def weights(self) -> list[float] | None:
        """
        Weigh the last `PICTURES` places of a thing, oldest first, so that only noise is left.

        The third divided difference (Abramowitz and Stegun, 25.1.7) is blind to place, velocity
        and acceleration, however uneven the pictures. Its weights are scaled to a sum of squares
        of one: the difference then has the variance of one measurement.

        Returns
        -------
        list of float, or None
            None where the pictures are too few, too far apart or out of order.

        """
        stamps = self._stamps
        steps = zip(stamps, list(stamps)[1:], strict=False)
        if len(stamps) < PICTURES or any(b <= a for a, b in steps):
            return None
        if stamps[-1] - stamps[0] > SPAN_NS:
            return None
        times = [(stamp - stamps[0]) / SPAN_NS for stamp in stamps]
        weights = [
            1.0 / math.prod(time - other for other in times if other != time) for time in times
        ]
        length = math.hypot(*weights)
        return [weight / length for weight in weights]
