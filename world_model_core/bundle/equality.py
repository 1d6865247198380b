# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Equality of values of a bundle, number by number; NaN equals NaN."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import singledispatch
from typing import Any

import numpy as np
import shapely

from world_model_core.bundle.splats.splats import Splats
from world_model_core.frames import Transform

# Rotations are stored as quaternions and rounded to double precision [rad].
ROTATION = 1e-12


class Comparable:
    """A value that equals another one if all their fields are equal."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        """Compare the contents."""
        return isinstance(other, type(self)) and _same(self, other)


def is_equal(first: Any, second: Any) -> bool:
    """Return whether two values are equal and of the same type."""
    mappings = isinstance(first, Mapping) and isinstance(second, Mapping)
    kin = isinstance(second, type(first)) or isinstance(first, type(second))
    return (kin or mappings) and _same(first, second)


@singledispatch
def _same(first: Any, second: Any) -> bool:
    if is_dataclass(first):
        names = (each.name for each in fields(first))
        return all(is_equal(getattr(first, name), getattr(second, name)) for name in names)
    return bool(first == second or (first != first and second != second))  # noqa: PLR0124 (NaN)


@_same.register
def _(first: Splats, second: Splats) -> bool:
    # The source of conventions is not compared: written files declare them, others may not.
    return first == second


@_same.register
def _(first: Transform, second: Transform) -> bool:
    turned = np.abs(first.rotation - second.rotation).max()
    return bool(turned <= ROTATION) and is_equal(first.translation, second.translation)


@_same.register
def _(first: np.ndarray, second: np.ndarray) -> bool:
    numbers = first.dtype.kind == 'f'
    return first.dtype == second.dtype and np.array_equal(first, second, equal_nan=numbers)


@_same.register
def _(first: shapely.Geometry, second: shapely.Geometry) -> bool:
    return bool(shapely.to_wkb(first) == shapely.to_wkb(second))


@_same.register
def _(first: Mapping, second: Mapping) -> bool:  # type: ignore[type-arg]
    return first.keys() == second.keys() and all(
        is_equal(first[key], second[key]) for key in first
    )


@_same.register(list)
@_same.register(tuple)
def _(first: Any, second: Any) -> bool:
    return len(first) == len(second) and all(map(is_equal, first, second))
