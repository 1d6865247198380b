# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a user has picked and hidden, and things found by their names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from world_model_core.view.batches import Labels

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.gaussian import Array
    from world_model_core.view.batches import Batch
    from world_model_core.view.scene import Marks, Row, Scene

__all__ = ['Found', 'Selection', 'describe', 'find_names', 'names_in', 'position_of']

# Name of the marks of what is picked.
PICKED = 'selection/picked'
# Most names that are listed at once.
MOST_FOUND = 8


@dataclass(frozen=True, slots=True)
class Selection:
    """
    What is picked and hidden, by ids.

    Attributes
    ----------
    picked : str
        '' if nothing is.
    hidden : frozenset of str

    """

    picked: str = ''
    hidden: frozenset[str] = frozenset()

    @property
    def actions(self) -> tuple[str, ...]:
        """What can be done, by the keys of its words."""
        hiding = 'show' if self.picked in self.hidden else 'hide'
        one = ('follow', hiding) if self.picked else ()
        return ('find', *one, *(('show_all',) if self.hidden else ()))

    def pick(self, item: str) -> Selection:
        """Pick a thing instead of another one."""
        return replace(self, picked=item)

    def toggle_hidden(self) -> Selection:
        """Hide what is picked, or show it again."""
        return replace(self, hidden=self.hidden ^ ({self.picked} - {''}))

    def show_all(self) -> Selection:
        """Show all that is hidden."""
        return replace(self, hidden=frozenset())

    def marks(self, marks: Marks, scenes: Iterable[Scene]) -> Marks:
        """Return marks without what is hidden, and with the name of what is picked."""
        if self.hidden:
            marks = {name: _without(batch, self.hidden) for name, batch in marks.items()}
        place = position_of(self.picked, scenes) if self.picked else None
        if place is None or self.picked in self.hidden:
            return marks
        return {**marks, PICKED: Labels(('',), place[None], (self.picked,))}


class Found(NamedTuple):
    """The best names for a text, and the number of all that fit."""

    names: tuple[str, ...]
    total: int


def find_names(text: str, names: Iterable[str], most: int = MOST_FOUND) -> Found:
    """
    Find names that contain all words of a text, in any case of letters.

    Parameters
    ----------
    text : str
    names : iterable of str
    most : int
        Largest number of names to return.

    Returns
    -------
    Found
        First names that are the text, then those that start with it, then all others, each in
        their order. Nothing for an empty text.

    """
    words = text.casefold().split()
    if not words:
        return Found((), 0)
    start = ' '.join(words)
    folded = ((name, name.casefold()) for name in names)
    fitting = [
        (low != start, not low.startswith(start), name)
        for name, low in folded
        if all(word in low for word in words)
    ]
    fitting.sort(key=lambda each: each[:2])
    return Found(tuple(name for *_, name in fitting[:most]), len(fitting))


def names_in(marks: Marks) -> tuple[str, ...]:
    """Return the ids of all things in marks, each once, in their order."""
    ids = (getattr(batch, 'ids', ()) for batch in marks.values())
    return tuple(dict.fromkeys(item for each in ids for item in each if item))


def describe(item: str, scenes: Iterable[Scene]) -> tuple[Row, ...]:
    """Return what is known of a thing; nothing if no scene has it."""
    return next((rows for scene in scenes if (rows := scene.describe(item))), ())


def position_of(item: str, scenes: Iterable[Scene]) -> Array | None:
    """Return the position of a thing [m], shape (3,); None if no scene has it."""
    places = (scene.position_of(item) for scene in scenes)
    found = (place for place in places if place is not None and np.isfinite(place).all())
    return next(found, None)


def _without(batch: Batch, hidden: frozenset[str]) -> Batch:
    """Return a batch without hidden instances; the same one if there are none."""
    ids = getattr(batch, 'ids', ())
    if hidden.isdisjoint(ids):
        return batch
    kept = np.array([item not in hidden for item in ids])
    rows: dict[str, Any] = {name: getattr(batch, name)[kept] for name in batch.shapes}
    for name in batch.lists:
        chosen = zip(getattr(batch, name), kept.tolist(), strict=True)
        rows[name] = tuple(each for each, keep in chosen if keep)
    return replace(batch, **rows)
