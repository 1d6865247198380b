# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Checks across files of the scene: extent, splats, ground, road, mesh and start pose."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import shapely

from world_model_core.files.parsed_document import pointer

if TYPE_CHECKING:
    from world_model_core.bundle.geometry.drivable_area import DrivableArea
    from world_model_core.bundle.geometry.heightmap import Heightmap
    from world_model_core.bundle.geometry.mesh import Mesh
    from world_model_core.bundle.splats.splat_scan import SplatStatistics
    from world_model_core.bundle.values import Extent, Manifest, Metadata, Timebase
    from world_model_core.findings import Findings
    from world_model_core.gaussian import Array

# Extents are rounded when they are written [m].
ROUNDED = 0.01
# Accepted part of splats outside of the extent, for example of the sky.
STRAY = 0.01
# Splats that are not metric fill less than this part of the extent along x and y.
SMALL = 0.1
# Maximum number of vertices of a mesh that are checked.
SAMPLES = 250_000
# Maximum part of splats below the ground and minimum part over it; scenes also have horizons,
# tunnels and reflections.
MOST_BELOW, LEAST_OVER = 0.3, 0.1
# Depth below the ground that exceeds its roughness [m].
BELOW = 1.0
# Percentile of the heights of the lowest parts of a mesh above the ground: some touch it.
LEAST_FLOATING = 10.0
# Cells along each side in which the lowest vertex of a mesh is found, and the difference of their
# heights that a flat ground cannot have [m].
CELLS, FLAT_RELIEF = 16, 0.3
# base_link is at the height of the rear axle, or on the ground under it [m].
START_HEIGHT = 1.0
# Tolerance at the edge of the drivable area [m].
ON_EDGE = 1e-3
# Maximum tilt of the robot at the start [rad].
START_TILT = math.radians(30.0)
# Tolerance of the heights of polygons above the ground [m].
ROAD_HEIGHT = 0.5
# Name of the frame in the example of the contract.
PLACEHOLDER_CRS = 'map_frame'


def splats_in_extent(
    manifest: Manifest, metadata: Metadata, splats: SplatStatistics, findings: Findings
) -> None:
    """Compare the positions of splats with spatial_extent."""
    extent, file = metadata.spatial_extent, manifest.paths['gaussians/background']
    beyond, bounds = splats.outside / splats.count, splat_bounds(splats)
    _report_extent(findings, 'Splats', file, beyond=beyond, bounds=bounds, extent=extent)
    low, high = np.percentile(splats.sample.positions, (1.0, 99.0), axis=0)
    size = extent.highest - extent.lowest
    part = float(np.max(((high - low) / np.where(size > 0.0, size, np.inf))[:2]))
    if 0.0 < part < SMALL:
        found = ' x '.join(f'{each:.3g}' for each in high - low)
        limit = ' x '.join(f'{each:.3g}' for each in size)
        findings.add('Splats.SmallInExtent', file, found=found, limit=limit)


def heightmap_in_extent(
    manifest: Manifest, metadata: Metadata, heightmap: Heightmap, findings: Findings
) -> None:
    """Compare the heightmap with spatial_extent."""
    nodes, extent = heightmap.known_nodes(), metadata.spatial_extent
    file, bounds = manifest.paths['geometry/heightmap'], (nodes.min(axis=0), nodes.max(axis=0))
    beyond = _beyond(nodes, extent)
    _report_extent(findings, 'Heightmap', file, beyond=beyond, bounds=bounds, extent=extent)


def drivable_in_extent(
    manifest: Manifest, metadata: Metadata, drivable: DrivableArea, findings: Findings
) -> None:
    """Compare the drivable area with spatial_extent, in the plane."""
    if drivable.area == 0.0:
        return
    extent, file = metadata.spatial_extent, manifest.paths['geometry/drivable']
    box = shapely.box(*extent.lowest[:2], *extent.highest[:2])
    beyond = 1.0 - shapely.intersection(drivable.union, box).area / drivable.area
    low_x, low_y, high_x, high_y = shapely.bounds(drivable.union)
    bounds = (np.array((low_x, low_y)), np.array((high_x, high_y)))
    _report_extent(findings, 'Drivable', file, beyond=beyond, bounds=bounds, extent=extent)


def mesh_in_extent(manifest: Manifest, metadata: Metadata, mesh: Mesh, findings: Findings) -> None:
    """Compare the mesh with spatial_extent."""
    file, extent = manifest.paths['geometry/static_mesh'], metadata.spatial_extent
    beyond, bounds = _beyond(mesh_sample(mesh), extent), (mesh.lowest, mesh.highest)
    _report_extent(findings, 'Mesh', file, beyond=beyond, bounds=bounds, extent=extent)


def splats_and_ground(
    manifest: Manifest, splats: SplatStatistics, heightmap: Heightmap, findings: Findings
) -> None:
    """Report splats whose frame or unit differs from that of the heightmap."""
    file = manifest.paths['gaussians/background']
    _report_ground(findings, 'Splats', file, splat_sample(splats), heightmap)


def mesh_and_ground(
    manifest: Manifest, mesh: Mesh, heightmap: Heightmap, findings: Findings
) -> None:
    """Report a mesh whose frame or unit differs from that of the heightmap."""
    file, points = manifest.paths['geometry/static_mesh'], mesh_sample(mesh)
    _report_ground(findings, 'Mesh', file, points, heightmap)
    _report_floating(manifest, _lowest_points(points), heightmap, findings)


def _report_floating(
    manifest: Manifest, lowest: Array, heightmap: Heightmap, findings: Findings
) -> None:
    """Report a mesh above the ground, and a flat ground below one that is not flat."""
    above = lowest[:, 2] - heightmap.heights_at(lowest[:, :2])
    above = above[np.isfinite(above)]
    if not len(above):
        return
    if float(np.percentile(above, LEAST_FLOATING)) > BELOW:
        values = {'found': f'{np.median(above):.3g}', 'limit': f'{BELOW:g}'}
        findings.add('Mesh.AboveGround', manifest.paths['geometry/static_mesh'], **values)
    heights = heightmap.known_nodes()[:, 2]
    relief = float(np.subtract(*np.percentile(above, (90.0, 10.0))))
    if float(np.ptp(heights)) == 0.0 and relief > FLAT_RELIEF:
        values = {'found': f'{heights[0]:g}', 'relief': f'{relief:.3g}'}
        findings.add('Heightmap.FlatUnderMesh', manifest.paths['geometry/heightmap'], **values)


def drivable_and_ground(
    manifest: Manifest, drivable: DrivableArea, heightmap: Heightmap, findings: Findings
) -> None:
    """Report roads without ground, and roads above or below it."""
    file, vertices = manifest.paths['geometry/drivable'], drivable.vertices
    inside = road_sample(drivable)
    heights = heightmap.heights_at(inside)
    without = float(np.mean(np.isnan(heights))) if len(heights) else 0.0
    if without > STRAY:
        code = 'Drivable.NoGround' if without == 1.0 else 'Drivable.GroundMissing'
        findings.add(code, file, found=_percent(without))
    off = np.abs(vertices[:, 2] - heightmap.heights_at(vertices[:, :2]))
    off = off[np.isfinite(off)]
    if len(off) and float(np.median(off)) > ROAD_HEIGHT:
        findings.add('Drivable.OffGround', file, found=f'{np.median(off):.3g}', limit=ROAD_HEIGHT)


def drivable_frame(
    manifest: Manifest, metadata: Metadata, drivable: DrivableArea, findings: Findings
) -> None:
    """Compare crs of the drivable area with the name of the map frame."""
    frame = metadata.coordinate_system.map_frame
    if drivable.crs is not None and drivable.crs not in {frame, PLACEHOLDER_CRS}:
        file, where = manifest.paths['geometry/drivable'], pointer('crs', 'properties', 'name')
        findings.add('Drivable.CrsMismatch', file, where, found=drivable.crs, frame=frame)


def start_on_road(
    manifest: Manifest, timebase: Timebase, drivable: DrivableArea, findings: Findings
) -> None:
    """Check that the start pose is in the drivable area."""
    place = timebase.initial.pose.translation
    if drivable.area > 0.0:
        distance = -float(drivable.distance_to_edge(place[:2]))
        # Points on the edge are accepted.
        if distance > ON_EDGE:
            file, where = manifest.paths['sim/timebase'], '/initial_pose/position'
            values = {'found': _place(place[:2]), 'distance': f'{distance:.3g}'}
            findings.add('Timebase.StartOffRoad', file, where, **values)


def start_on_ground(
    manifest: Manifest, timebase: Timebase, heightmap: Heightmap, findings: Findings
) -> None:
    """Check that the start pose is on the ground."""
    file, where = manifest.paths['sim/timebase'], '/initial_pose/position'
    place = timebase.initial.pose.translation
    ground = float(heightmap.heights_at(place[:2]))
    if math.isnan(ground):
        findings.add('Timebase.StartWithoutGround', file, where, found=_place(place[:2]))
    elif abs(place[2] - ground) > START_HEIGHT:
        values = {'found': f'{place[2]:.3g}', 'ground': f'{ground:.3g}', 'limit': START_HEIGHT}
        findings.add('Timebase.StartOffGround', file, where, **values)


def start_upright(manifest: Manifest, timebase: Timebase, findings: Findings) -> None:
    """Check that the start pose is upright."""
    tilt = math.acos(float(np.clip(timebase.initial.pose.rotation[2, 2], -1.0, 1.0)))
    if tilt > START_TILT:
        file, where = manifest.paths['sim/timebase'], '/initial_pose/orientation'
        values = {'found': f'{math.degrees(tilt):.3g}', 'limit': f'{math.degrees(START_TILT):.3g}'}
        findings.add('Timebase.StartTilted', file, where, **values)


def mesh_sample(mesh: Mesh) -> Array:
    """Return at most `SAMPLES` vertices of a mesh, evenly spaced, shape (n, 3) [m]."""
    step = math.ceil(len(mesh.vertices) / SAMPLES)
    return np.asarray(mesh.vertices[::step], dtype=np.float64)


def _lowest_points(points: Array) -> Array:
    """Return the lowest point in each cell of a grid over the points, shape (n, 3) [m]."""
    low, high = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    size = np.maximum(high - low, np.finfo(float).tiny)
    cells = np.minimum((CELLS * ((points[:, :2] - low) / size)).astype(np.intp), CELLS - 1)
    order = np.lexsort((points[:, 2], cells[:, 0], cells[:, 1]))
    number = (cells[:, 0] + CELLS * cells[:, 1])[order]
    first = np.flatnonzero(np.diff(number, prepend=-1))
    lowest: Array = points[order[first]]
    return lowest


def splat_bounds(splats: SplatStatistics) -> tuple[Array, Array]:
    """Return the lowest and the highest corner of all means, shape (3,) each [m]."""
    return splats.lowest.astype(np.float64), splats.highest.astype(np.float64)


def splat_sample(splats: SplatStatistics) -> Array:
    """Return sampled means of splats, shape (n, 3) [m]."""
    return splats.sample.positions.astype(np.float64)


def road_sample(drivable: DrivableArea) -> Array:
    """Return grid points in the drivable area, shape (n, 2) [m]."""
    if drivable.area == 0.0:
        return np.empty((0, 2))
    low_x, low_y, high_x, high_y = shapely.bounds(drivable.union)
    step = max(math.sqrt(drivable.area / 10_000.0), max(high_x - low_x, high_y - low_y) / 1000.0)
    axes = (np.arange(low_x, high_x, step), np.arange(low_y, high_y, step))
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    return grid[drivable.contains(grid)]


def _beyond(points: Array, extent: Extent) -> float:
    """Return the fraction of points outside of an extent."""
    low, high = extent.lowest - ROUNDED, extent.highest + ROUNDED
    inside = ((points >= low) & (points <= high)).all(axis=1)
    return float(1.0 - inside.mean()) if len(points) else 0.0


def _report_extent(
    findings: Findings,
    area: str,
    file: str,
    *,
    beyond: float,
    bounds: tuple[Array, Array],
    extent: Extent,
) -> None:
    """Report contents outside of the extent; the code depends on their fraction."""
    axes = len(bounds[0])
    lowest, highest = extent.lowest[:axes], extent.highest[:axes]
    exceeds = bool((bounds[0] < lowest - ROUNDED).any() or (bounds[1] > highest + ROUNDED).any())
    if not exceeds:
        return
    code = 'OutsideExtent' if beyond > STRAY else 'BeyondExtent'
    findings.add(
        f'{area}.{code}',
        file,
        part=_percent(beyond),
        found=f'{_place(bounds[0])} to {_place(bounds[1])}',
        limit=f'{_place(lowest)} to {_place(highest)}',
    )


def _report_ground(
    findings: Findings, area: str, file: str, points: Array, heightmap: Heightmap
) -> None:
    """Report contents that are not over the ground, or mostly below it."""
    heights = heightmap.heights_at(points[:, :2])
    over = np.isfinite(heights)
    if float(over.mean()) < LEAST_OVER:
        findings.add(f'{area}.NotOverGround', file, found=_percent(float(over.mean())))
        return
    below = float(np.mean(points[over, 2] < heights[over] - BELOW))
    if below > MOST_BELOW:
        findings.add(f'{area}.BelowGround', file, found=_percent(below), limit=BELOW)


def _percent(part: float) -> str:
    return f'{100.0 * part:.3g} %'


def _place(numbers: Array) -> str:
    return f'({", ".join(f"{each + 0.0:.6g}" for each in numbers)})'
