# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Relations held against the scene graphs of VLA-3D.

A graph lists for each room and relation whom it relates: for each anchor the objects that are on
it, or for each object the pairs that it is between. What is closest and farthest is listed class
by class, first, second and third, and only where people could tell the order: where any two
distances that follow each other differ enough for how large the objects look from the anchor.

What is `near` goes by a threshold of each room, `hanging_on` asks for half a metre of height, and
nothing is `beside`: of these the agreement can only be told.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from world_model_core.errors import WorldModelError
from world_model_core.objects.query import RelationKind
from world_model_core.objects.relations import pairwise_relations as relations
from world_model_core.objects.relations.between import is_between
from world_model_core.objects.relations.boxes import Boxes, corners
from world_model_core.objects.relations.class_roles import ClassRole, roles_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from world_model_core.gaussian import Array

Related: TypeAlias = set[tuple[str, ...]]
Rows: TypeAlias = NDArray[np.intp]

PAIRWISE = (
    RelationKind.ON,
    RelationKind.ABOVE,
    RelationKind.BELOW,
    RelationKind.IN,
    RelationKind.NEAR,
)
CLOSEST = ('closest', 'second_closest', 'third_closest')
FARTHEST = ('farthest', 'second_farthest', 'third_farthest')
# Of VLA-3D: least product of a difference in distance and the mean length of what is ordered, as
# seen from the anchor [m^2].
TOLD_APART = 0.2


class SceneGraphError(WorldModelError):
    """A scene graph is not as VLA-3D writes it: the file's fault."""


class Room(NamedTuple):
    """
    One region of a scene graph.

    Attributes
    ----------
    ids, labels : tuple of str, length n
    boxes : Boxes, shape (n,)
    related : mapping
        From the graph's name of a relation to whom it relates: (object, anchor), or (object,
        anchor, anchor) with the anchors in the order of their names.

    """

    ids: tuple[str, ...]
    labels: tuple[str, ...]
    boxes: Boxes
    holds_elementwise: Mapping[str, Related]


class Agreement(NamedTuple):
    """How many are told by both, by us alone and by the graphs alone."""

    both: int
    told: int
    listed: int

    @property
    def precision(self) -> float:
        """Share of those told that are listed; 1 where nothing is told."""
        return self.both / (self.both + self.told) if self.both + self.told else 1.0

    @property
    def recall(self) -> float:
        """Share of those listed that are told; 1 where nothing is listed."""
        return self.both / (self.both + self.listed) if self.both + self.listed else 1.0


def parse_scene_graph(text: str | bytes) -> tuple[Room, ...]:
    """
    Read a scene graph, a JSON document.

    Returns
    -------
    tuple of Room
        Those with objects.

    Raises
    ------
    SceneGraphError
        If it is no JSON, or a key is missing or of another kind.

    """
    try:
        regions = json.loads(text)['regions'].values()
        return tuple(_read_room(region) for region in regions if region['objects'])
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise SceneGraphError(f'scene graph: {type(error).__name__}: {error}') from error


def relate(room: Room) -> Mapping[str, Related]:
    """Find whom each relation relates in a room, under the names that the graphs use."""
    holds_elementwise: dict[str, Related] = defaultdict(set)
    holds_elementwise |= {kind.value: _pairs(room, kind) for kind in PAIRWISE}
    holds_elementwise['beside'] = holds_elementwise['near']
    holds_elementwise['hanging_on'] = _hung(room)
    holds_elementwise['between'] = _trios(room)
    for names, direction in ((CLOSEST, 1), (FARTHEST, -1)):
        for anchor, rows in _ordered(room, direction):
            for name, row in zip(names, rows, strict=False):
                holds_elementwise[name].add((room.ids[row], room.ids[anchor]))
    return holds_elementwise


def compare(rooms: Iterable[Room]) -> dict[str, Agreement]:
    """Count by relation how far we agree with what the graphs list."""
    counts: dict[str, Array] = defaultdict(lambda: np.zeros(3))
    for room in rooms:
        holds_elementwise = relate(room)
        for name, listed in room.holds_elementwise.items():
            told = holds_elementwise[name]
            counts[name] += (len(told & listed), len(told - listed), len(listed - told))
    return {name: Agreement(*map(int, count)) for name, count in counts.items()}


def _read_room(region: Mapping[str, Any]) -> Room:
    objects = region['objects']
    labels = tuple(str(each['nyu_label']) for each in objects)
    edges = np.array([np.subtract(each['bbox'][1], each['bbox'][0]) for each in objects])
    boxes = Boxes(
        np.array([each['center'] for each in objects], dtype=np.float64),
        np.array([each['size'] for each in objects], dtype=np.float64),
        np.arctan2(edges[:, 1], edges[:, 0]),
        roles=roles_of(labels),
    )
    lists = region['relationships']
    holds_elementwise = {name: set(_listed(name, lists[name])) for name in lists}
    return Room(
        tuple(str(each['object_id']) for each in objects), labels, boxes, holds_elementwise
    )


def _listed(name: str, lists: Mapping[str, Sequence[Any]]) -> Iterator[tuple[str, ...]]:
    for key, others in lists.items():
        for other in others:
            yield (key, *sorted(other)) if name == 'between' else (other, key)


def _pairs(room: Room, kind: RelationKind, *, loose: bool = False) -> Related:
    held = relations.holds(kind, room.boxes, room.boxes, loose=loose)
    held &= ~np.eye(len(room.ids), dtype=np.bool_)
    return {(room.ids[one], room.ids[other]) for one, other in np.argwhere(held)}


def _hung(room: Room) -> Related:
    """Find what is loosely on a wall or a door."""
    upright = {
        name
        for name, role in zip(room.ids, room.boxes.roles, strict=True)
        if role & ClassRole.UPRIGHT
    }
    return {pair for pair in _pairs(room, RelationKind.ON, loose=True) if pair[1] in upright}


def _trios(room: Room) -> Related:
    held = is_between(room.boxes, room.boxes, room.boxes)
    return {
        (room.ids[who], *sorted((room.ids[one], room.ids[other])))
        for who, one, other in np.argwhere(held)
        if len({who, one, other}) == 3
    }


def _ordered(room: Room, direction: int) -> Iterator[tuple[int, Rows]]:
    """Order classes by their distance from each anchor: rows of the anchor and the first."""
    distances = relations.distance(room.boxes, room.boxes)
    labels = np.array(room.labels)
    for anchor in range(len(room.ids)):
        for label in np.unique(labels):
            rows = np.flatnonzero((labels == label) & (np.arange(len(labels)) != anchor))
            first = rows[np.argsort(direction * distances[rows, anchor])][:3]
            if len(first) > 1 and _told_apart(room.boxes, first, anchor):
                yield anchor, first


def _told_apart(boxes: Boxes, rows: Rows, anchor: int) -> bool:
    """Tell whether people could tell the order of objects by their distance from an anchor."""
    sights = boxes.centers[rows] - boxes.centers[anchor]
    distances = np.linalg.norm(sights, axis=-1, keepdims=True)
    lengths = np.ptp(
        (corners(boxes.take(rows)) * (sights / distances)[:, None]).sum(axis=-1), axis=-1
    )
    return bool((np.abs(np.diff(distances[:, 0])) * lengths.mean() > TOLD_APART).all())
