# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which splats are shown, and how many: a page draws only so many at a usable frame rate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.frames import rotation_of
from world_model_core.view.batches import MOST_POINTS, Splats

if TYPE_CHECKING:
    from world_model_core.bundle.splats.splats import Splats as BundleSplats
    from world_model_core.gaussian import Array

__all__ = ['FIRST', 'LONGEST_FRAME', 'OrderedSplats', 'SplatTrial', 'cover']

# Splats of the first trial with splats.
FIRST = 5_000
# Longest time between two frames [s]: 10 frames/s.
LONGEST_FRAME = 0.1
# Each trial shows so many times the splats of the one before.
GROWTH = 2
# Trials until the number is fixed in any case.
MOST_TRIALS = 10


def cover(splats: BundleSplats) -> Array:
    """
    Return how much each splat covers: its opacity times its largest cross section, shape (n,).

    The cross section is that of the ellipsoid of one standard deviation without its factor pi, the
    product of the two largest semi-axes [m^2].
    """
    with np.errstate(over='ignore', invalid='ignore'):
        ordered = np.sort(splats.sizes.astype(np.float64), axis=1)
        area: Array = splats.alphas * ordered[:, 1] * ordered[:, 2]
    return area


class OrderedSplats:
    """
    The splats of a scene, the most opaque and largest first.

    Parameters
    ----------
    splats : bundle.splats.Splats

    Attributes
    ----------
    total : int
        Number of splats of the scene.

    """

    def __init__(self, splats: BundleSplats) -> None:
        self.total = splats.count
        with np.errstate(invalid='ignore'):
            order = np.argsort(-cover(splats), kind='stable')
        self._splats = splats.take(order[:MOST_POINTS])
        self._batch: Splats | None = None

    def first(self, count: int) -> Splats:
        """Return the first splats as a batch; the same object for the same number."""
        count = min(count, self._splats.count)
        if self._batch is None or len(self._batch) + self._batch.left_out != count:
            self._batch = _batch(self._splats.take(slice(count)))
        return self._batch


def _batch(splats: BundleSplats) -> Splats:
    """Convert splats; their colors are those averaged over all directions."""
    with np.errstate(over='ignore', invalid='ignore'):
        spread = rotation_of(splats.quaternions) * splats.sizes[:, None, :].astype(np.float64)
        covariances = spread @ spread.swapaxes(1, 2)
    colors = np.round(255.0 * splats.colors).astype(np.uint8)
    return Splats(
        splats.positions.astype(np.float64), covariances, colors, splats.alphas.astype(np.float64)
    )


@dataclass(frozen=True, slots=True)
class SplatTrial:
    """
    A number of splats that is shown to measure how fast a page draws them; the first is 0.

    Attributes
    ----------
    count : int
    is_final : bool
        Whether the number is chosen.
    number : int
        Trials before this one.
    base : float
        Time between two frames without splats [s].
    enough : int
        Largest number of splats that was drawn fast enough.
    is_bounded : bool
        Whether a larger number was drawn too slowly.

    """

    count: int = 0
    is_final: bool = False
    number: int = 0
    base: float = 0.0
    enough: int = 0
    is_bounded: bool = False

    @property
    def limit(self) -> float:
        """
        Longest time between two frames [s].

        Where the page is slow without splats, these may take as long as the rest of it.
        """
        return max(LONGEST_FRAME, 2.0 * self.base)

    def next(self, frame_time: float, total: int) -> SplatTrial:
        """
        Choose the number of splats after this trial.

        It doubles as long as frames are short enough. Then it becomes what would take as long as
        is allowed if the time of a frame grew in proportion, and is tried again.

        Parameters
        ----------
        frame_time : float
            Time between two frames [s].
        total : int
            Number of splats of the scene.

        """
        number = self.number + 1
        if not self.number:
            return SplatTrial(min(FIRST, total), False, number, frame_time)
        count, is_last = min(self.count, total), number >= MOST_TRIALS
        if frame_time <= self.limit:
            is_final = is_last or self.is_bounded or count == total
            more = count if is_final else min(GROWTH * count, total)
            return replace(self, count=more, is_final=is_final, number=number, enough=count)
        share = (self.limit - self.base) / (frame_time - self.base)
        fewer = max(int(count * share), self.enough, 1)
        is_final = is_last or fewer in {self.enough, count}
        return replace(self, count=fewer, is_final=is_final, number=number, is_bounded=True)
