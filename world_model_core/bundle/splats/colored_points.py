# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Visible splats as colored points for display."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.bundle.splats.splats import Splats

# Minimum opacity; fainter splats are fog.
FAINTEST = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class ColoredPoints:
    """
    Points in the map with their colors.

    Attributes
    ----------
    positions : array of float32, shape (n, 3)
        [m]
    colors : array of uint8, shape (n, 3)
        Red, green, blue.

    """

    positions: NDArray[np.float32]
    colors: NDArray[np.uint8]


def colored_points(splats: Splats, most: int) -> ColoredPoints:
    """
    Select visible splats as points.

    Splats fainter than FAINTEST are skipped. The others are sampled uniformly in the order of the
    file, without randomness.

    Parameters
    ----------
    splats : Splats
    most : int
        Maximum number of points.

    """
    visible = np.flatnonzero(splats.alphas >= FAINTEST)
    chosen = visible[even_share(len(visible), most)]
    colors = (splats.colors[chosen] * 255.0 + 0.5).astype(np.uint8)
    return ColoredPoints(splats.positions[chosen], colors)


def even_share(count: int, most: int) -> NDArray[np.int64]:
    """Choose at most `most` of `count` indices, evenly spaced, rising."""
    if count <= most:
        return np.arange(count)
    return np.arange(most) * count // most
