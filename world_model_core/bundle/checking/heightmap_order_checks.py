# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Detection of heightmaps in another order than row by row from the least x and y.

Such a file has the right size and plausible heights. It is detected by other data on the ground:
heights of roads, vertices of the mesh, splats.
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

# Points on the ground are within this distance of its height, or half a step of the grid [m].
NEAR = 0.2
# Minimum number of points.
FEWEST = 20
# Points must extend over this part of the map along one axis, except a fraction of outliers, as
# a mesh or splats of another scale do not.
REACH, OUTLIERS = 0.2, 0.02
# Minimum ratio and difference of the fractions of points on the ground for another order.
TIMES, MORE = 1.5, 0.2
# Minimum ratio of the median differences in a column for this and another row length.
ROUGHER = 3.0
# Maximum number of neighbor pairs that are compared.
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
    """Report another order of the heights if it puts more of the scene on the ground."""
    file = manifest.paths['geometry/heightmap']
    for points in _reference_points(drivable, mesh, splats):
        if not reaches_over(points, heightmap):
            continue
        as_is = on_ground(heightmap.heights_at(points[:, :2]), points, heightmap)
        others = {
            code: on_ground(order(heightmap, points[:, :2]), points, heightmap)
            for code, order in ORDERS.items()
        }
        code = max(others, key=others.__getitem__)
        if others[code] > max(as_is + MORE, TIMES * as_is):
            values = {'found': f'{100 * as_is:.3g} %', 'would': f'{100 * others[code]:.3g} %'}
            findings.add(code, file, **values)
            return


def heightmap_rows(manifest: Manifest, heightmap: Heightmap, findings: Findings) -> None:
    """
    Report rows of another length than `width`.

    If width and height are swapped, heights of one column are from distant places: they differ
    much more than heights at the distance of the correct row length.
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
        values = {'found': f'{rough:.3g}', 'would': f'{smooth:.3g}'}
        values |= {'height': str(rows), 'width': str(columns)}
        file = manifest.paths['geometry/heightmap_meta']
        findings.add('Heightmap.LooksExchanged', file, '/width', **values)


def on_ground(ground: Array, points: Array, heightmap: Heightmap) -> float:
    """Return the fraction of points, shape (n, 3), at the height of the ground, shape (n,)."""
    off = np.abs(points[:, 2] - ground)
    off = off[np.isfinite(off)]
    near = max(NEAR, 0.5 * heightmap.resolution)
    return float(np.mean(off < near)) if len(off) >= FEWEST else 0.0


def reaches_over(points: Array, heightmap: Heightmap) -> bool:
    """Return whether points, shape (n, 3), extend over enough of the heightmap."""
    places, first, last = points[:, :2], heightmap.first_node, heightmap.last_node
    places = places[((places >= first) & (places <= last)).all(axis=1)]
    if len(places) < FEWEST:
        return False
    low, high = np.quantile(places, (OUTLIERS, 1.0 - OUTLIERS), axis=0)
    return bool((high - low > REACH * (last - first)).any())


def _transposed(heightmap: Heightmap, points: Array) -> Array:
    """Return heights at points, shape (n, 2), from a grid that is stored column by column."""
    columns_first = heightmap.heights.reshape(heightmap.heights.shape[::-1])
    other = replace(heightmap, heights=columns_first)
    return other.heights_at((points - heightmap.first_node)[:, ::-1] + heightmap.first_node)


def _mirrored(x: bool, y: bool) -> Callable[[Heightmap, Array], Array]:
    """Return a reader of heights of a grid that is stored from the other end of x, y or both."""
    flip = np.array((x, y))

    def read(heightmap: Heightmap, points: Array) -> Array:
        ends = heightmap.first_node + heightmap.last_node
        return heightmap.heights_at(np.where(flip, ends - points, points))

    return read


# Wrong orders, the most frequent first.
ORDERS: dict[str, Callable[[Heightmap, Array], Array]] = {
    'Heightmap.LooksTransposed': _transposed,
    'Heightmap.LooksUpsideDown': _mirrored(x=False, y=True),
    'Heightmap.LooksMirrored': _mirrored(x=True, y=False),
    'Heightmap.LooksTurned': _mirrored(x=True, y=True),
}


def _reference_points(
    drivable: DrivableArea | None, mesh: Mesh | None, splats: SplatStatistics | None
) -> Iterator[Array]:
    """Return points that should be on the ground, most reliable first, shape (n, 3) each [m]."""
    if drivable is not None:
        yield drivable.vertices
    if mesh is not None:
        yield mesh_sample(mesh)
    if splats is not None:
        yield splat_sample(splats)
