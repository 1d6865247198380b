# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Generates the example map and the picture of docs/explanation/objects.md."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse, Polygon
from scipy.stats import chi2

from world_model_core.frames import rotation_about_z
from world_model_core.objects.mapping.parameters import ObjectMapParameters
from world_model_core.objects.persistent_map import MapOrigin, PersistentObjectMap
from world_model_core.objects.values import ObjectState
from world_model_core.simulation.house.explorer import Explorer
from world_model_core.simulation.house.house_generator import generate_house
from world_model_core.simulation.house.parameters import HouseParameters

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from world_model_core.gaussian import Array
    from world_model_core.objects.values import MapObject
    from world_model_core.simulation.house.values import SimulatedHouse

DOCS = Path(__file__).resolve().parents[1] / 'docs'
SEED, ROOMS, FRAMES, PERIOD = 7, 2, 180, 1.0
INK, TRUTH, MAPPED, PATH = '#26322a', '#c9cfca', '#2f6fd0', '#d9480f'
ORIGIN = MapOrigin(map_id='example house', frame_id='map')


def explore(house: SimulatedHouse) -> tuple[PersistentObjectMap, Array]:
    """Map a house; return the map, and the path of the sensor, shape (FRAMES, 2) [m]."""
    object_map = PersistentObjectMap(ObjectMapParameters())
    explorer = Explorer(house, HouseParameters(seed=SEED, rooms=ROOMS), SEED)
    path = np.empty((FRAMES, 2))
    for number in range(FRAMES):
        frame = explorer.step(PERIOD)
        object_map.observe(frame.placed(), frame.view)
        path[number] = frame.pose.translation[:2]
    return object_map, path


def draw_box(axes: Axes, thing: MapObject) -> None:
    """Draw the outline of a true object from above."""
    if thing.size is None:
        return
    corners = np.array(((1, 1), (-1, 1), (-1, -1), (1, -1))) / 2.0 * thing.size[:2]
    turned = corners @ rotation_about_z(thing.heading or 0.0)[:2, :2].T
    outline = turned + thing.position[:2]
    axes.add_patch(Polygon(outline, facecolor=TRUTH, edgecolor='white', linewidth=0.5, alpha=0.8))


def draw_estimate(axes: Axes, thing: MapObject) -> None:
    """Draw an object of the map with its 95 % ellipse and label."""
    variances, directions = np.linalg.eigh(thing.covariance[:2, :2])
    lengths = 2.0 * np.sqrt(chi2.ppf(0.95, 2) * variances)
    angle = np.degrees(np.arctan2(directions[1, 1], directions[0, 1]))
    spread = Ellipse(thing.position[:2], lengths[1], lengths[0], angle=angle)
    spread.set(facecolor=MAPPED, alpha=0.5)
    axes.add_patch(spread)
    axes.plot(*thing.position[:2], '.', color=MAPPED, markersize=3)
    axes.annotate(
        thing.label, thing.position[:2], (2, 2), textcoords='offset points', fontsize=5, color=INK
    )


def draw(house: SimulatedHouse, object_map: PersistentObjectMap, path: Array) -> Figure:
    """Draw ground truth, map and path from above."""
    figure = Figure(figsize=(10.0, 6.5), layout='constrained')
    axes = figure.subplots()
    for thing in sorted(house.objects, key=lambda item: item.position[2]):
        draw_box(axes, thing)
    axes.plot(path[:, 0], path[:, 1], color=PATH, linewidth=0.8, label='path of the robot')
    confirmed = [item for item in object_map.map.objects if item.state is ObjectState.CONFIRMED]
    for thing in confirmed:
        draw_estimate(axes, thing)
    axes.set_title(f'{len(house.objects)} true objects (gray), {len(confirmed)} in the map (blue)')
    axes.set(xlabel='x [m]', ylabel='y [m]', aspect='equal')
    axes.legend(loc='upper right')
    return figure


def main() -> None:
    """Generate map and picture."""
    house = generate_house(SEED, ROOMS)
    object_map, path = explore(house)
    print(object_map.save(DOCS / 'examples/house.json', ORIGIN))
    figure = draw(house, object_map, path)
    FigureCanvasAgg(figure)
    figure.savefig(DOCS / 'images/objects_map.png', dpi=130)


if __name__ == '__main__':
    main()
