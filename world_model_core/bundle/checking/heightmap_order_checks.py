# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Heightmaps that were written in another order than row by row from the least x and y.

Such a file is as long as a right one, and all its heights are true somewhere. It is found by what
else is known of the ground: heights of roads, vertices of the mesh, splats.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.bundle.checking.scene_checks import mesh_sample, splat_sample

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from world_model_core.bundle.geometry.drivable_area import DrivableArea
    from world_model_core.bundle.geometry.heightmap import Heightmap
    from world_model_core.bundle.geometry.mesh import Mesh
    from world_model_core.bundle.splats.splat_scan import SplatStatistics
    from world_model_core.bundle.values import Manifest
    from world_model_core.findings import Findings
    from world_model_core.gaussian import Array

# What is on the ground is at its height but for this [m], or for what a step of the grid hides.
NEAR = 0.2
# Fewer points than this tell nothing.
FEWEST = 20
# So do points that lie close together, as a mesh or splats of another scale may: they must reach
# over this part of the map, along one axis. Some of them may be far away.
REACH, OUTLIERS = 0.2, 0.02
# Another order must have so many times more points on the ground, and so large a part more.
TIMES, MORE = 1.5, 0.2
# Neighbours in a column differ more than in another row length by this factor, on median.
ROUGHER = 3.0
# Pairs of neighbours that are compared.
PAIRS = 100_000


def heightmap_orientation(
    manifest: Manifest,
    heightmap: Heightmap,
    findings: Findings,
    *,
    drivable: DrivableArea | None = None,
    mesh: Mesh | None = None,
    splats: SplatStatistics | None = None,
) -> None:
    """Look for an order of the heights in which more of the scene would be on the ground."""
    file = manifest.paths['geometry/heightmap']
    for points in _witnesses(drivable, mesh, splats):
        if not reaches_over(points, heightmap):
            continue
        as_is = on_ground(heightmap.heights_at(points[:, :2]), points, heightmap)
        others = {
            code: on_ground(order(heightmap, points[:, :2]), points, heightmap)
            for code, order in ORDERS.items()
        }
        code = max(others, key=others.__getitem__)
        if others[code] > max(as_is + MORE, TIMES * as_is):
            told = {'found': f'{100 * as_is:.3g} %', 'would': f'{100 * others[code]:.3g} %'}
            findings.add(code, file, **told)
            return


def heightmap_rows(manifest: Manifest, heightmap: Heightmap, findings: Findings) -> None:
    """
    Look for rows of another length than `width`.

    Where width and height were exchanged, heights of one column are from all over the map: they
    differ much more than those that are as far from each other as the right row is long.
    """
    rows, columns = heightmap.heights.shape
    heights = heightmap.heights.ravel()
    if rows == columns or heights.size <= max(rows, columns) + FEWEST:
        return
    last = heights.size - max(rows, columns)
    first = np.linspace(0, last - 1, min(last, PAIRS)).astype(np.intp)
    as_is, other = (np.abs(heights[first + length] - heights[first]) for length in (columns, rows))
    known = np.isfinite(as_is) & np.isfinite(other)
    if known.sum() < FEWEST:
        return
    rough, smooth = float(np.median(as_is[known])), float(np.median(other[known]))
    if rough > ROUGHER * smooth:
        told = {'found': f'{rough:.3g}', 'would': f'{smooth:.3g}'}
        told |= {'height': str(rows), 'width': str(columns)}
        file = manifest.paths['geometry/heightmap_meta']
        findings.add('Heightmap.LooksExchanged', file, '/width', **told)


def on_ground(ground: Array, points: Array, heightmap: Heightmap) -> float:
    """Tell which part of points, shape (n, 3), is at the height of the ground, shape (n,)."""
    off = np.abs(points[:, 2] - ground)
    off = off[np.isfinite(off)]
    near = max(NEAR, 0.5 * heightmap.resolution)
    return float(np.mean(off < near)) if len(off) >= FEWEST else 0.0


def reaches_over(points: Array, heightmap: Heightmap) -> bool:
    """Tell if points, shape (n, 3), lie far enough apart to say something of the whole ground."""
    places, first, last = points[:, :2], heightmap.first_node, heightmap.last_node
    places = places[((places >= first) & (places <= last)).all(axis=1)]
    if len(places) < FEWEST:
        return False
    low, high = np.quantile(places, (OUTLIERS, 1.0 - OUTLIERS), axis=0)
    return bool((high - low > REACH * (last - first)).any())


def _transposed(heightmap: Heightmap, points: Array) -> Array:
    """Read heights at points, shape (n, 2), from a grid that was written column by column."""
    columns_first = heightmap.heights.reshape(heightmap.heights.shape[::-1])
    other = replace(heightmap, heights=columns_first)
    return other.heights_at((points - heightmap.first_node)[:, ::-1] + heightmap.first_node)


def _mirrored(x: bool, y: bool) -> Callable[[Heightmap, Array], Array]:
    """Read heights from a grid that was written from the other end of an axis, or of both."""
    flip = np.array((x, y))

    def read(heightmap: Heightmap, points: Array) -> Array:
        ends = heightmap.first_node + heightmap.last_node
        return heightmap.heights_at(np.where(flip, ends - points, points))

    return read


# Orders in which grids are written by mistake, the commonest first.
ORDERS: dict[str, Callable[[Heightmap, Array], Array]] = {
    'Heightmap.LooksTransposed': _transposed,
    'Heightmap.LooksUpsideDown': _mirrored(x=False, y=True),
    'Heightmap.LooksMirrored': _mirrored(x=True, y=False),
    'Heightmap.LooksTurned': _mirrored(x=True, y=True),
}


def _witnesses(
    drivable: DrivableArea | None, mesh: Mesh | None, splats: SplatStatistics | None
) -> Iterator[Array]:
    """List what should be on the ground, the most reliable first, shape (n, 3) each [m]."""
    if drivable is not None:
        yield drivable.vertices
    if mesh is not None:
        yield mesh_sample(mesh)
    if splats is not None:
        yield splat_sample(splats)
