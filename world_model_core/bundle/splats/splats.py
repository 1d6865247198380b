# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""3D Gaussian splats as six arrays, their reader for all formats, and their display as points."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy.special import expit

from world_model_core.bundle.splats.quaternion_order import QuaternionOrder
from world_model_core.bundle.splats.splat_arrays import FEW, SplatArrays
from world_model_core.bundle.splats.splat_checks import SplatInspection

# Also needed to create splats.
from world_model_core.bundle.splats.splat_conventions import SH_BAND_0 as SH_BAND_0  # noqa: PLC0414
from world_model_core.bundle.splats.splat_conventions import (
    FloatArray,
    OpacityEncoding,
    ResolvedConventions,
    ScaleEncoding,
    SplatConventions,
)
from world_model_core.bundle.splats.splat_formats import open_source
from world_model_core.bundle.splats.splat_source import error_findings

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from world_model_core.findings import Findings

ARRAYS: Final = (*FEW, 'sh_rest')
# Minimum opacity; fainter splats are fog.
FAINTEST = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Splats:
    """
    Gaussians in the frame `map`: six read-only, contiguous arrays of float32.

    Attributes
    ----------
    positions : array, shape (n, 3)
        Means [m].
    scales : array, shape (n, 3)
        As in the file, see `conventions`; `sizes` are in meters.
    rotations : array, shape (n, 4)
        Quaternions x, y, z, w for any order in the file, of any length except 0;
        `quaternions` are unit.
    opacities : array, shape (n, 1)
        As in the file, see `conventions`; `alphas` are in 0 to 1.
    sh_dc : array, shape (n, 3)
        Coefficients of the spherical harmonic of degree 0, red, green, blue.
    sh_rest : array, shape (n, k, 3)
        Those of higher degrees; k = (degree + 1)^2 - 1.
    conventions : ResolvedConventions

    """

    positions: FloatArray
    scales: FloatArray
    rotations: FloatArray
    opacities: FloatArray
    sh_dc: FloatArray
    sh_rest: FloatArray
    conventions: ResolvedConventions

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        """Return whether both are equal to the bit; sources of conventions are ignored."""
        if not isinstance(other, Splats):
            return NotImplemented
        ours, theirs = self.conventions, other.conventions
        return (ours.scales, ours.opacities) == (theirs.scales, theirs.opacities) and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in ARRAYS
        )

    @property
    def count(self) -> int:
        """Number of gaussians."""
        return len(self.positions)

    @property
    def sh_degree(self) -> int:
        """Largest degree of the spherical harmonics."""
        return math.isqrt(self.sh_rest.shape[1] + 1) - 1

    @property
    def sizes(self) -> FloatArray:
        """Compute standard deviations along the axes of each gaussian, shape (n, 3) [m]."""
        log = self.conventions.scales is ScaleEncoding.LOG
        with np.errstate(over='ignore'):
            return np.exp(self.scales) if log else self.scales

    @property
    def alphas(self) -> FloatArray:
        """Compute opacities, shape (n,), in 0 to 1."""
        flat = self.opacities[:, 0]
        if self.conventions.opacities is OpacityEncoding.LINEAR:
            return flat
        opacities: FloatArray = expit(flat)
        return opacities

    @property
    def quaternions(self) -> FloatArray:
        """Compute rotations as unit quaternions x, y, z, w, shape (n, 4)."""
        # In float64, in which squares of float32 neither overflow nor vanish.
        wide = self.rotations.astype(np.float64)
        lengths = np.sqrt(np.einsum('ij,ij->i', wide, wide))
        unit: FloatArray = (wide / lengths[:, None]).astype(np.float32)
        return unit

    @property
    def colors(self) -> FloatArray:
        """Compute colors averaged over all directions, shape (n, 3), in 0 to 1."""
        colors: FloatArray = np.clip(0.5 + np.float32(SH_BAND_0) * self.sh_dc, 0.0, 1.0)
        return colors

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """Return the lowest and the highest corner of all means, shape (3,) each [m]."""
        return self.positions.min(axis=0), self.positions.max(axis=0)

    def take(self, rows: Any) -> Splats:
        """Return some of the gaussians, by any index of an array."""
        arrays = {name: np.ascontiguousarray(getattr(self, name)[rows]) for name in ARRAYS}
        return Splats(**arrays, conventions=self.conventions)


def read_splats(
    path: Path,
    file: str,
    findings: Findings,
    conventions: SplatConventions | None = None,
    sh_degree: int | None = None,
) -> Splats | None:
    """
    Read splats from a PLY, SuperSplat's compressed PLY, or NPZ file.

    Parameters
    ----------
    path : Path
    file : str
        Name of the file in findings.
    findings : Findings
        Receives the findings, including guessed conventions.
    conventions : SplatConventions, optional
        Conventions that override the file.
    sh_degree : int, optional
        Expected degree of spherical harmonics.

    Returns
    -------
    Splats or None
        None after an error.

    """
    known = len(findings.errors)
    splats = None
    with error_findings(findings, file), open_source(path, file, findings, sh_degree) as source:
        inspection = SplatInspection(source)
        arrays = SplatArrays(source.layout, source.count)
        # Most programs write this order if they do not declare it; other rows are reordered.
        arrays.set_order(source.declared.quaternions or QuaternionOrder.WXYZ, 0)
        for block in source.blocks():
            parts = arrays.fill(block, inspection.rows)
            inspection.add(block, parts['scales'], parts['rotations'], parts['opacities'])
        chosen = inspection.conclude(findings, file, conventions or SplatConventions(), arrays)
        arrays.set_order(chosen.quaternions, inspection.rows)
        splats = Splats(**arrays.frozen(), conventions=chosen)
    return splats if len(findings.errors) == known else None


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
