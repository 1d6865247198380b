# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Speed of queries about a scene's ground, compared with libraries that do the same.

A heightmap of 2048 x 2048 nodes is compared with scipy's map_coordinates, a drivable area of a
city's size, in parts that overlap and touch, with shapely's contains_xy on their prepared union,
and reading a mesh with trimesh.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
import trimesh
from scipy.ndimage import map_coordinates

from benchmarks.timing import one_core, time_tasks
from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.geometry.drivable_area import DrivableArea, DrivablePolygon
from world_model_core.bundle.geometry.glb_reader import read_mesh
from world_model_core.bundle.geometry.glb_writer import write_mesh
from world_model_core.bundle.geometry.heightmap import Heightmap
from world_model_core.bundle.geometry.heightmap_files import read_heightmap, write_heightmap
from world_model_core.bundle.geometry.terrain_mesh import mesh_from_heightmap

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.timing import Timing
    from world_model_core.gaussian import Array

ROUNDS = 5
QUERIES = 1_000_000
# Number of the slower queries, which have no target.
FEWER = 100_000
NODES, RESOLUTION = 2048, 0.1
# Number of triangles of the mesh.
TRIANGLES = 1_000_000
# Multiples of the time of the library.
TARGET_HEIGHTS, TARGET_CONTAINS = 5.0, 1.5
# A city of crossing streets: each is a wavy band with this number of corners on either side [m].
STREETS, CORNERS, SPACING, WIDTH, WAVE = 24, 150, 60.0, 12.0, 15.0


def measure(rounds: int = ROUNDS) -> dict[str, Any]:
    """Time queries and reading."""
    with TemporaryDirectory() as folder, one_core():
        return {
            'queries': QUERIES,
            'heightmap': _measure_heightmap(Path(folder), rounds),
            'drivable': _measure_drivable(rounds),
            'mesh': _measure_mesh(Path(folder), rounds),
        }


def _measure_heightmap(folder: Path, rounds: int) -> dict[str, Any]:
    random = np.random.default_rng(0)
    heights = random.normal(size=(NODES, NODES)).astype(np.float32)
    paths = folder / 'heightmap.bin', folder / 'heightmap.yaml'
    made = Heightmap('1.0.0', heights, RESOLUTION, (-100.0, -100.0), (-10.0, 10.0))
    write_heightmap(*paths, made)
    read = partial(_sound, read_heightmap, *paths, 'heightmap.bin', 'heightmap.yaml')
    heightmap = read()
    points = random.uniform(heightmap.first_node, heightmap.last_node, (QUERIES, 2))
    # The library takes rows and columns: the conversion of points is not measured.
    steps = ((points - heightmap.first_node) / RESOLUTION).T[::-1].copy()
    timings = time_tasks(
        {
            'library': lambda: map_coordinates(heights, steps, order=1),
            'ours': lambda: heightmap.heights_at(points),
            'raw': lambda: np.fromfile(paths[0], np.float32),
            'read': read,
        },
        rounds,
    )
    return {
        **_compare(timings, 'map_coordinates', TARGET_HEIGHTS),
        'np.fromfile [ms]': _milliseconds(timings['raw']),
        'read and check every height [ms]': _milliseconds(timings['read']),
    }


def _measure_drivable(rounds: int) -> dict[str, Any]:
    drivable = DrivableArea(tuple(_streets()))
    union = shapely.union_all([each.polygon for each in drivable.areas])
    shapely.prepare(union)
    low_x, low_y, high_x, high_y = union.bounds
    random = np.random.default_rng(0)
    points = random.uniform((low_x, low_y), (high_x, high_y), (QUERIES, 2))
    timings = time_tasks(
        {
            'library': lambda: shapely.contains_xy(union, points[:, 0], points[:, 1]),
            'ours': lambda: drivable.contains(points),
            'distances': lambda: drivable.distance_to_edge(points[:FEWER]),
            'limits': lambda: drivable.speed_limits(points[:FEWER]),
        },
        rounds,
    )
    return {
        'corners of the union': int(shapely.get_num_coordinates(union)),
        'part of the points inside': round(float(drivable.contains(points).mean()), 2),
        **_compare(timings, 'contains_xy', TARGET_CONTAINS),
        f'{FEWER} distances to the edge [ms]': _milliseconds(timings['distances']),
        f'{FEWER} speed limits [ms]': _milliseconds(timings['limits']),
    }


def _measure_mesh(folder: Path, rounds: int) -> dict[str, Any]:
    random = np.random.default_rng(0)
    heights = random.normal(size=(NODES, NODES)).astype(np.float32)
    heightmap = Heightmap('1.0.0', heights, RESOLUTION, (0.0, 0.0), (-10.0, 10.0))
    path = folder / 'static_mesh.glb'
    mesh = mesh_from_heightmap(heightmap, TRIANGLES)
    write_mesh(path, mesh)
    timings = time_tasks(
        {
            'library': lambda: trimesh.load_scene(path, process=False).to_mesh(),
            'ours': partial(_sound, read_mesh, path, path.name),
            'made': lambda: mesh_from_heightmap(heightmap, TRIANGLES),
        },
        rounds,
    )
    return {
        'triangles': len(mesh.faces),
        **_compare(timings, 'trimesh'),
        'made of a heightmap [ms]': _milliseconds(timings['made']),
    }


def _sound(read: Any, *arguments: Any) -> Any:
    """Read a part of a bundle, and fail on any finding."""
    findings = bundle_findings()
    value = read(*arguments, findings)
    if findings.all:
        raise RuntimeError(f'{arguments}: {[each.message() for each in findings.all]}')
    return value


def _streets() -> list[DrivablePolygon]:
    """Make streets along x and y."""
    length = STREETS * SPACING
    along = np.linspace(0.0, length, CORNERS)
    areas = []
    for number in range(STREETS):
        aside = (number + 0.5) * SPACING + WAVE * np.sin(along / 90.0 + number)
        band = _band(along, aside)
        areas += [DrivablePolygon(shapely.Polygon(band), speed_limit=14.0, priority=1.0)]
        areas += [DrivablePolygon(shapely.Polygon(band[:, ::-1]), speed_limit=8.0)]
    return areas


def _band(along: Array, aside: Array) -> Array:
    """Return the corners of a band, shape (2 n, 2)."""
    right = np.column_stack((along, aside - WIDTH / 2.0))
    left = np.column_stack((along, aside + WIDTH / 2.0))
    return np.concatenate((right, left[::-1]))


def _compare(
    timings: Mapping[str, Timing], library: str, target: float | None = None
) -> dict[str, float]:
    """Compare the times of this package and the library."""
    ratio = timings['ours'].median / timings['library'].median
    return {
        f'{library} [ms]': _milliseconds(timings['library']),
        'ours [ms]': _milliseconds(timings['ours']),
        **({} if target is None else {'target ratio': target}),
        'ratio': round(ratio, 2),
    }


def _milliseconds(timing: Timing) -> float:
    return round(1e3 * timing.median, 1)
