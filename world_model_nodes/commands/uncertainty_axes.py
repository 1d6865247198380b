# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Colors and axes of the plots of uncertainty: samples with their distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.uncertainty.lecture_simulations import DURATION

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from world_model_core.gaussian import Array

WITHOUT, WITH, FAULT, MODEL = '#868e96', '#2f6fd0', '#d9480f', '#26322a'
# Maximum number of bars, and the free space above them for a legend.
BARS, HEADROOM = 40, 1.35


def draw_robots(axes: Axes, poses: Array, color: str) -> None:
    """Draw robots at poses (n, 3) with their headings."""
    noses = axes.quiver(*poses[:, :2].T, np.cos(poses[:, 2]), np.sin(poses[:, 2]))
    noses.set(color=color, zorder=4)
    noses.angles, noses.scale_units, noses.scale = 'xy', 'inches', 6.5
    noses.headwidth, noses.headlength, noses.headaxislength = 0.0, 0.0, 0.0
    axes.plot(*poses[:, :2].T, 'o', markersize=4.5, color='white', markeredgecolor=color, zorder=5)


def compare(
    axes: Axes, times: Array, found: Array, expected: Array, band: Array | None = None
) -> None:
    """
    Draw observed values over time with those of the model.

    Parameters
    ----------
    axes : Axes
    times, found, expected : array, shape (t,)
    band : array, shape (2, t), optional
        Limits of the interval that contains 95 % of runs at any time.

    """
    if band is not None:
        axes.fill_between(
            times, *band, color=MODEL, alpha=0.12, linewidth=0.0, label='95 % of runs'
        )
    axes.plot(times, found, color=WITH, label='these robots')
    axes.plot(times, expected, color=MODEL, linestyle='--', linewidth=1.2, label='model')
    axes.set_xlim(0.0, DURATION)


def share_band(share: Array, count: int | Array) -> Array:
    """Return the interval of 95 % of the shares found among `count`, two arrays (t,)."""
    spread = 1.96 * np.sqrt(share * (1.0 - share) / np.maximum(count, 1))
    return np.stack((np.maximum(share - spread, 0.0), np.minimum(share + spread, 1.0)))


def draw_histogram(axes: Axes, values: Array, expected: tuple[Array, Array], label: str) -> None:
    """Draw a histogram of values with the density of their distribution."""
    places, densities = expected
    bars = min(BARS, round(4.0 * np.cbrt(len(values))))
    counts, edges = np.histogram(values, bins=np.linspace(places[0], places[-1], bars + 1))
    # The density counts all values, including those beyond the limits.
    found = counts / (len(values) * np.diff(edges))
    axes.stairs(found, edges, fill=True, color=WITH, alpha=0.55, label=label)
    axes.plot(places, densities, color=MODEL, linestyle='--', linewidth=1.2, label='model')
    axes.set_xlim(places[0], places[-1])
    axes.set_ylim(0.0, HEADROOM * max(found.max(), densities.max()))
