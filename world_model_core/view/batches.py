# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Batches: things of a kind that are shown, as arrays.

All numbers are in SI units in the frame of the scene; orientations are quaternions xyzw of any
length but zero, colors RGBA from 0 to 255. An array of one instance stands for all instances of a
batch: `orientations=UPRIGHT`. A batch never fails because of what it shows: it leaves out the
instances with numbers that cannot be shown, and those above its limit, and counts them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from world_model_core.findings import shorten
from world_model_core.frames import SHORTEST_QUATERNION, is_covariance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.gaussian import Array

__all__ = [
    'UPRIGHT',
    'Batch',
    'Boxes',
    'Colors',
    'Cylinders',
    'Ellipsoids',
    'Labels',
    'Lines',
    'MarkMesh',
    'Meshes',
    'Points',
    'Splats',
]

Colors: TypeAlias = NDArray[np.uint8]
# The orientation of what is not rotated, xyzw.
UPRIGHT = np.array((0.0, 0.0, 0.0, 1.0))
# Larger coordinates and sizes are not shown [m]: a picture in float32 would have gaps of 0.1 m.
FARTHEST = 1e6
# Most instances of a batch: solids, lines, points and splats; each label costs as much as a batch.
MOST_SOLIDS = 20_000
MOST_LINES = 200_000
MOST_POINTS = 1_000_000
MOST_LABELS = 500
# Sum of squared deviations of squared lengths from 1, up to which quaternions have length 1.
ROUNDING = 1e-12
# Longest vector that BLAS multiplies, faster than numpy if it is short.
MOST_WITH_BLAS = 5000
# Longer texts of labels are cut [characters].
LONGEST_TEXT = 100


class _Batch:
    """
    Instances of a kind, with the checks of their arrays.

    Attributes
    ----------
    shapes : mapping
        Shape of an instance in each array.
    lists : tuple of str
        Names of the tuples with a value of each instance.
    most : int
        Limit of the number of instances.

    """

    __slots__ = ()
    shapes: ClassVar[Mapping[str, tuple[int, ...]]]
    lists: ClassVar[tuple[str, ...]] = ()
    most: ClassVar[int] = MOST_SOLIDS

    def __post_init__(self) -> None:
        """Convert and check the arrays."""
        count = _count(self)
        # Batches are made for each picture: what can be shown, nearly always all, is passed fast.
        changed = count > self.most
        arrays = {}
        for name, shape in self.shapes.items():
            array = arrays[name] = _array(name, getattr(self, name), (count, *shape))
            changed = changed or not _surely_valid(name, array)
        if changed:
            arrays = self._keep_valid(arrays, count)
        for name, array in arrays.items():
            object.__setattr__(self, name, array)

    def __len__(self) -> int:
        """Return the number of instances."""
        return _count(self)

    def _keep_valid(
        self, arrays: Mapping[str, NDArray[Any]], count: int
    ) -> dict[str, NDArray[Any]]:
        """Leave out instances and return the arrays of the others, orientations of length 1."""
        kept = _valid(arrays, count)
        kept &= np.cumsum(kept) <= self.most
        for name in self.lists:
            chosen = zip(getattr(self, name), kept.tolist(), strict=True)
            object.__setattr__(self, name, tuple(each for each, keep in chosen if keep))
        object.__setattr__(self, 'left_out', count - int(kept.sum()))
        return {
            name: _unit(array[kept]) if name == 'orientations' else array[kept]
            for name, array in arrays.items()
        }


def _count(batch: Any) -> int:
    """Return the number of instances by the first array of a batch."""
    return len(getattr(batch, next(iter(batch.shapes))))


def _array(name: str, given: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """Convert an array; one instance stands for all."""
    array = np.asarray(given, dtype=np.uint8 if name == 'colors' else np.float64)
    if array.shape == shape:
        return array
    repeated = np.empty(shape, dtype=array.dtype)
    repeated[...] = array
    return repeated


def _surely_valid(name: str, array: NDArray[Any]) -> bool:
    """Return whether all instances can be shown as they are; False if that takes more checks."""
    if array.dtype == np.uint8:
        return True
    if name == 'covariances':
        return False
    if name == 'orientations':
        excess = np.einsum('ij,ij->i', array, array) - 1.0
        return _squared(excess) <= ROUNDING
    # No coordinate is larger than the length of all. NaN is not below the limit either.
    return _squared(array.reshape(-1)) <= FARTHEST**2


def _squared(vector: Array) -> float:
    """Return the squared length."""
    # The threads of BLAS would keep all cores busy for a long vector.
    if vector.size > MOST_WITH_BLAS:
        return float(np.einsum('i,i->', vector, vector))
    return float(np.vdot(vector, vector))


def _valid(arrays: Mapping[str, NDArray[Any]], count: int) -> NDArray[np.bool_]:
    """Return which instances can be shown."""
    valid = np.ones(count, dtype=np.bool_)
    for name, array in arrays.items():
        if name == 'covariances':
            valid &= is_covariance(array)
        elif name == 'orientations':
            lengths = np.linalg.norm(array, axis=-1)
            valid &= (lengths > SHORTEST_QUATERNION) & (lengths < FARTHEST)
        elif array.dtype != np.uint8:
            near = np.abs(array) <= FARTHEST
            valid &= near if near.ndim == 1 else near.all(axis=tuple(range(1, near.ndim)))
    return valid


def _unit(orientations: Array) -> Array:
    unit: Array = orientations / np.linalg.norm(orientations, axis=-1, keepdims=True)
    return unit


@dataclass(frozen=True, slots=True, eq=False)
class Boxes(_Batch):
    """
    Boxes.

    Attributes
    ----------
    ids : tuple of str
        What is picked, found, hidden and followed: `yellow 3`, `ball`, the id of an object.
    positions : array, shape (n, 3)
        Centers [m].
    orientations : array, shape (n, 4)
        xyzw.
    sizes : array, shape (n, 3)
        Lengths of the edges [m].
    colors : array of uint8, shape (n, 4)
    left_out : int
        Number of instances that cannot be shown.

    """

    ids: tuple[str, ...]
    positions: Array
    orientations: Array
    sizes: Array
    colors: Colors
    left_out: int = field(init=False, default=0)

    shapes: ClassVar = {'positions': (3,), 'orientations': (4,), 'sizes': (3,), 'colors': (4,)}
    lists: ClassVar = ('ids',)


@dataclass(frozen=True, slots=True, eq=False)
class Ellipsoids(_Batch):
    """
    Ellipsoids and spheres.

    Attributes
    ----------
    ids : tuple of str
    positions : array, shape (n, 3)
        Centers [m].
    orientations : array, shape (n, 4)
        xyzw.
    semi_axes : array, shape (n, 3)
        Semi-axes along x, y, z of the ellipsoid [m].
    colors : array of uint8, shape (n, 4)
    left_out : int
        Number of instances that cannot be shown.

    """

    ids: tuple[str, ...]
    positions: Array
    orientations: Array
    semi_axes: Array
    colors: Colors
    left_out: int = field(init=False, default=0)

    shapes: ClassVar = {'positions': (3,), 'orientations': (4,), 'semi_axes': (3,), 'colors': (4,)}
    lists: ClassVar = ('ids',)


@dataclass(frozen=True, slots=True, eq=False)
class Cylinders(_Batch):
    """
    Cylinders with axis z.

    Attributes
    ----------
    ids : tuple of str
    positions : array, shape (n, 3)
        Centers [m].
    orientations : array, shape (n, 4)
        xyzw.
    radii, heights : array, shape (n,)
        [m].
    colors : array of uint8, shape (n, 4)
    left_out : int
        Number of instances that cannot be shown.

    """

    ids: tuple[str, ...]
    positions: Array
    orientations: Array
    radii: Array
    heights: Array
    colors: Colors
    left_out: int = field(init=False, default=0)

    shapes: ClassVar = {
        'positions': (3,),
        'orientations': (4,),
        'radii': (),
        'heights': (),
        'colors': (4,),
    }
    lists: ClassVar = ('ids',)


@dataclass(frozen=True, slots=True, eq=False)
class MarkMesh:
    """
    The shape of meshes.

    Attributes
    ----------
    vertices : array, shape (v, 3)
        [m].
    triangles : array of int, shape (t, 3)
        Indices of vertices.

    """

    vertices: Array
    triangles: NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Meshes(_Batch):
    """
    Instances of one mesh.

    Attributes
    ----------
    shape : MarkMesh
        Compared by identity.
    ids : tuple of str
    positions : array, shape (n, 3)
        Origins of the mesh [m].
    orientations : array, shape (n, 4)
        xyzw.
    scales : array, shape (n, 3)
        Factors along x, y, z of the mesh.
    colors : array of uint8, shape (n, 4)
    left_out : int
        Number of instances that cannot be shown.

    """

    shape: MarkMesh
    ids: tuple[str, ...]
    positions: Array
    orientations: Array
    scales: Array
    colors: Colors
    left_out: int = field(init=False, default=0)

    shapes: ClassVar = {'positions': (3,), 'orientations': (4,), 'scales': (3,), 'colors': (4,)}
    lists: ClassVar = ('ids',)


@dataclass(frozen=True, slots=True, eq=False)
class Lines(_Batch):
    """
    Line segments; they are opaque.

    Attributes
    ----------
    points : array, shape (n, 2, 3)
        Both ends [m].
    colors : array of uint8, shape (n, 4)
    width : float
        Width on the screen [px].
    left_out : int
        Number of segments that cannot be shown.

    """

    points: Array
    colors: Colors
    width: float = 2.0
    left_out: int = field(init=False, default=0)

    shapes: ClassVar = {'points': (2, 3), 'colors': (4,)}
    most: ClassVar = MOST_LINES


@dataclass(frozen=True, slots=True, eq=False)
class Points(_Batch):
    """
    Points; they are opaque.

    Attributes
    ----------
    positions : array, shape (n, 3)
        [m].
    colors : array of uint8, shape (n, 4)
    size : float
        Diameter [m].
    left_out : int
        Number of points that cannot be shown.

    """

    positions: Array
    colors: Colors
    size: float
    left_out: int = field(init=False, default=0)

    shapes: ClassVar = {'positions': (3,), 'colors': (4,)}
    most: ClassVar = MOST_POINTS


@dataclass(frozen=True, slots=True, eq=False)
class Labels(_Batch):
    """
    Texts at points; long texts are cut.

    Attributes
    ----------
    ids : tuple of str
        What the texts belong to.
    positions : array, shape (n, 3)
        [m].
    texts : tuple of str
    height : float
        Height of the letters [m]; 0: the same on the screen at any distance.
    left_out : int
        Number of labels that cannot be shown.

    """

    ids: tuple[str, ...]
    positions: Array
    texts: tuple[str, ...]
    height: float = 0.0
    left_out: int = field(init=False, default=0)

    shapes: ClassVar = {'positions': (3,)}
    lists: ClassVar = ('ids', 'texts')
    most: ClassVar = MOST_LABELS

    def __post_init__(self) -> None:
        """Convert and check the arrays, and cut the texts."""
        # Not super(): `slots=True` makes another class than the one that this code is in.
        _Batch.__post_init__(self)
        if any(len(text) > LONGEST_TEXT or not text.isprintable() for text in self.texts):
            shown = tuple(shorten(text, LONGEST_TEXT) for text in self.texts)
            object.__setattr__(self, 'texts', shown)


@dataclass(frozen=True, slots=True, eq=False)
class Splats(_Batch):
    """
    Gaussian splats.

    Attributes
    ----------
    positions : array, shape (n, 3)
        Means [m].
    covariances : array, shape (n, 3, 3)
        [m^2].
    colors : array of uint8, shape (n, 3)
        RGB.
    opacities : array, shape (n,)
        From 0 to 1.
    left_out : int
        Number of splats that cannot be shown.

    """

    positions: Array
    covariances: Array
    colors: Colors
    opacities: Array
    left_out: int = field(init=False, default=0)

    shapes: ClassVar = {
        'positions': (3,),
        'covariances': (3, 3),
        'colors': (3,),
        'opacities': (),
    }
    most: ClassVar = MOST_POINTS


Batch: TypeAlias = Boxes | Ellipsoids | Cylinders | Meshes | Lines | Points | Labels | Splats
