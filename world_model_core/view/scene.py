# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Scenes: states of the scenarios, the marks that show them, and what has changed between marks.

Marks are batches by their names. A name is a path, of which the first part is the scene.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from world_model_core.view.batches import Batch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.gaussian import Array

__all__ = ['BatchUpdate', 'Changes', 'Marks', 'Row', 'Scene', 'Viewpoint', 'compare', 'left_out']

# Batches by their paths, of which the first part is the scene: `match/robots/yellow`.
Marks: TypeAlias = Mapping[str, Batch]
# What a batch has besides its arrays and tuples; a change of it needs another batch.
_FIXED = ('shape', 'width', 'size', 'height')


@dataclass(frozen=True, slots=True, eq=False)
class BatchUpdate:
    """
    A batch that is shown already, and the names of its fields that have changed.

    Attributes
    ----------
    batch : Batch
    fields : tuple of str

    """

    batch: Batch
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """
    What has changed from some marks to others.

    Attributes
    ----------
    removed : tuple of str
        Names of batches that are gone.
    created : mapping of str to Batch
        New batches, and those which replace one of another kind, shape, width, size or height.
    updated : mapping of str to BatchUpdate

    """

    removed: tuple[str, ...]
    created: Mapping[str, Batch]
    updated: Mapping[str, BatchUpdate]

    def __bool__(self) -> bool:
        """Return whether anything has changed."""
        return bool(self.removed or self.created or self.updated)


def compare(before: Marks, after: Marks) -> Changes:
    """
    Return what has changed; equal arrays are no change, and identical objects cost nothing.

    Parameters
    ----------
    before, after : Marks

    Returns
    -------
    Changes

    """
    created: dict[str, Batch] = {}
    updated: dict[str, BatchUpdate] = {}
    for name, batch in after.items():
        shown = before.get(name)
        if shown is batch:
            continue
        if shown is None or _differ_in_kind(shown, batch):
            created[name] = batch
        elif fields := tuple(_changed_fields(shown, batch)):
            updated[name] = BatchUpdate(batch, fields)
    return Changes(tuple(name for name in before if name not in after), created, updated)


def left_out(marks: Marks) -> int:
    """Return the number of instances that cannot be shown."""
    return sum(batch.left_out for batch in marks.values())


def _differ_in_kind(before: Batch, after: Batch) -> bool:
    return type(before) is not type(after) or any(
        getattr(before, name, None) is not getattr(after, name, None)
        and (name == 'shape' or getattr(before, name) != getattr(after, name))
        for name in _FIXED
    )


def _changed_fields(before: Batch, after: Batch) -> Iterator[str]:
    for name in (*after.lists, *after.shapes):
        old, new = getattr(before, name), getattr(after, name)
        if old is new:
            continue
        if old != new if isinstance(new, tuple) else not np.array_equal(old, new):
            yield name


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """
    From where a scene is seen.

    Attributes
    ----------
    position, target, up : tuple of float
        Where the camera is, what it looks at [m], and the direction that is up in its picture.

    """

    position: tuple[float, float, float]
    target: tuple[float, float, float]
    up: tuple[float, float, float] = (0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Row:
    """
    A line of the panels.

    Attributes
    ----------
    word : str
        Key of `words.yaml`: what the text is.
    text : str
        Data; it may have come from outside and is shown as text.

    """

    word: str
    text: str


class Scene(Protocol):
    """The state of a scenario at a time, as it is shown; implemented by frozen values."""

    @property
    def name(self) -> str:
        """First part of the names of its marks."""

    @property
    def time_ns(self) -> int:
        """Time of the state [ns]."""

    @property
    def size_bytes(self) -> int:
        """Memory that the state takes beyond what it shares with the states before it."""

    def marks(self) -> Marks:
        """Return what is to be seen; parts that have not changed are the same objects."""

    def status(self) -> tuple[Row, ...]:
        """Return the state in lines."""

    def describe(self, item: str) -> tuple[Row, ...]:
        """Return what is known of the thing with an id; nothing if there is none."""

    def viewpoints(self) -> tuple[Viewpoint, ...]:
        """Return the viewpoints of the keys 1, 2, 3."""

    def position_of(self, item: str) -> Array | None:
        """Return the position of the thing with an id [m], shape (3,), or None."""
