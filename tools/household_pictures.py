# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Generates docs/images/household_map.png: the map of household_explore next to the truth."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse, Polygon
from scipy.stats import chi2

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.virtual_world.explored_household import explore
from world_model_core.frames import rotation_about_z
from world_model_core.virtual_world.worlds.loading import WorldSources
from world_model_nodes.virtual_world.our_worlds import KITCHEN, load_ours

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from world_model_core.objects.values import MapObject

PICTURE = Path(__file__).resolve().parents[1] / 'docs/images/household_map.png'
SEED, SECONDS = 1, 120.0
INK, TRUTH, MAPPED, PATH, ESTIMATE = '#26322a', '#c9cfca', '#2f6fd0', '#d9480f', '#e8a33d'


def draw_box(axes: Axes, thing: MapObject) -> None:
    """Draw the outline of a true object from above."""
    if thing.size is None:
        return
    corners = np.array(((1, 1), (-1, 1), (-1, -1), (1, -1))) / 2.0 * thing.size[:2]
    outline = corners @ rotation_about_z(thing.heading or 0.0)[:2, :2].T + thing.position[:2]
    axes.add_patch(Polygon(outline, facecolor=TRUTH, edgecolor='white', linewidth=0.5, alpha=0.8))


def draw_estimate(axes: Axes, thing: MapObject) -> None:
    """Draw an object of the map with its 95 % ellipse and label."""
    values, vectors = np.linalg.eigh(thing.covariance[:2, :2])
    width, height = 2.0 * np.sqrt(values * chi2.ppf(0.95, 2))
    angle = np.degrees(np.arctan2(vectors[1, 0], vectors[0, 0]))
    place = thing.position[:2].tolist()
    axes.add_patch(Ellipse(place, width, height, angle=angle, fill=False, edgecolor=MAPPED))
    axes.annotate(
        thing.label, place, color=INK, fontsize=6, xytext=(3, 3), textcoords='offset points'
    )


def main() -> None:
    """Explore the kitchen and draw it."""
    found = explore(load_ours(KITCHEN, SEED, WorldSources()), SEED, SECONDS)
    figure = Figure(figsize=(7.0, 5.2), layout='constrained')
    axes = figure.subplots()
    for thing in sorted(found.run.truth, key=lambda each: each.position[2]):
        draw_box(axes, thing)
    for thing in found.run.found:
        draw_estimate(axes, thing)
    axes.plot(found.path[:, 0], found.path[:, 1], color=PATH, linewidth=1.0, label='robot')
    axes.plot(
        found.path[:, 2], found.path[:, 3], color=ESTIMATE, linewidth=0.8, label='its estimate'
    )
    axes.set(aspect='equal', xlim=(-2.6, 2.6), ylim=(-2.1, 2.1), xlabel='x [m]', ylabel='y [m]')
    axes.legend(loc='lower right', fontsize=7, frameon=False)
    axes.set_title(
        f'kitchen after {SECONDS:g} s: true boxes, and mapped objects with 95 % ellipses',
        fontsize=9,
        color=INK,
    )
    FigureCanvasAgg(figure).print_png(str(PICTURE))


if __name__ == '__main__':
    main()
