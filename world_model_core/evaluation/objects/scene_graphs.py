# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Comparison of relations with the scene graphs of VLA-3D.

A graph lists the related objects for each room and relation: for each anchor the objects that are
on
it, or for each object the pairs that it is between. Closest and farthest objects are listed for
each
class, up to the third, and only if people could recognize the order: if consecutive distances
differ enough for the size of the objects seen from the anchor.

`near` has a threshold for each room, `hanging_on` requires a height of half a meter, and nothing
is
`beside`: for these the agreement is only reported.
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
# Threshold of VLA-3D: minimum product of a difference in distance and the mean length of the
# ordered objects, seen from the anchor [m^2].
ORDER_THRESHOLD = 0.2


class SceneGraphError(WorldModelError):
    """A scene graph does not have the format of VLA-3D."""


class SceneGraphRoom(NamedTuple):
    """
    One region of a scene graph.

    Attributes
    ----------
    ids, labels : tuple of str, length n
    boxes : Boxes, shape (n,)
    related : mapping
        From the graph's name of a relation to the related objects: (object, anchor), or (object,
        anchor, anchor) with the anchors sorted by id.

    """

    ids: tuple[str, ...]
    labels: tuple[str, ...]
    boxes: Boxes
    related: Mapping[str, Related]


class Agreement(NamedTuple):
    """Number of relations found by both, only computed, and only listed in the graphs."""

    both: int
    computed: int
    listed: int

    @property
    def precision(self) -> float:
        """Fraction of the computed relations that are listed; 1 if none is computed."""
        return self.both / (self.both + self.computed) if self.both + self.computed else 1.0

    @property
    def recall(self) -> float:
        """Fraction of the listed relations that are computed; 1 if none is listed."""
        return self.both / (self.both + self.listed) if self.both + self.listed else 1.0


def parse_scene_graph(text: str | bytes) -> tuple[SceneGraphRoom, ...]:
    """
    Read a scene graph, a JSON document.

    Returns
    -------
    tuple of SceneGraphRoom
        Those with objects.

    Raises
    ------
    SceneGraphError
        If it is not JSON, or a key is missing or has the wrong type.

    """
    try:
        regions = json.loads(text)['regions'].values()
        return tuple(_read_room(region) for region in regions if region['objects'])
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise SceneGraphError(f'scene graph: {type(error).__name__}: {error}') from error


def relate(room: SceneGraphRoom) -> Mapping[str, Related]:
    """Return the related objects of a room, under the names of the graphs."""
    related: dict[str, Related] = defaultdict(set)
    related |= {kind.value: _pairs(room, kind) for kind in PAIRWISE}
    related['beside'] = related['near']
    related['hanging_on'] = _hanging_on(room)
    related['between'] = _between(room)
    for names, direction in ((CLOSEST, 1), (FARTHEST, -1)):
        for anchor, rows in _ordered(room, direction):
            for name, row in zip(names, rows, strict=False):
                related[name].add((room.ids[row], room.ids[anchor]))
    return related


def compare(rooms: Iterable[SceneGraphRoom]) -> dict[str, Agreement]:
    """Count the agreement with the graphs by relation."""
    counts: dict[str, Array] = defaultdict(lambda: np.zeros(3))
    for room in rooms:
        related = relate(room)
        for name, listed in room.related.items():
            computed = related[name]
            counts[name] += (
                len(computed & listed),
                len(computed - listed),
                len(listed - computed),
            )
    return {name: Agreement(*map(int, count)) for name, count in counts.items()}


def _read_room(region: Mapping[str, Any]) -> SceneGraphRoom:
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
    related = {name: set(_listed(name, lists[name])) for name in lists}
    return SceneGraphRoom(
        tuple(str(each['object_id']) for each in objects), labels, boxes, related
    )


def _listed(name: str, lists: Mapping[str, Sequence[Any]]) -> Iterator[tuple[str, ...]]:
    for key, others in lists.items():
        for other in others:
            yield (key, *sorted(other)) if name == 'between' else (other, key)


def _pairs(room: SceneGraphRoom, kind: RelationKind, *, loose: bool = False) -> Related:
    held = relations.holds(kind, room.boxes, room.boxes, loose=loose)
    held &= ~np.eye(len(room.ids), dtype=np.bool_)
    return {(room.ids[one], room.ids[other]) for one, other in np.argwhere(held)}


def _hanging_on(room: SceneGraphRoom) -> Related:
    """Return the objects that are loosely on a wall or a door."""
    upright = {
        name
        for name, role in zip(room.ids, room.boxes.roles, strict=True)
        if role & ClassRole.UPRIGHT
    }
    return {pair for pair in _pairs(room, RelationKind.ON, loose=True) if pair[1] in upright}


def _between(room: SceneGraphRoom) -> Related:
    held = is_between(room.boxes, room.boxes, room.boxes)
    return {
        (room.ids[who], *sorted((room.ids[one], room.ids[other])))
        for who, one, other in np.argwhere(held)
        if len({who, one, other}) == 3
    }


def _ordered(room: SceneGraphRoom, direction: int) -> Iterator[tuple[int, Rows]]:
    """Yield the three first objects of each class by distance from each anchor, as rows."""
    distances = relations.distance(room.boxes, room.boxes)
    labels = np.array(room.labels)
    for anchor in range(len(room.ids)):
        for label in np.unique(labels):
            rows = np.flatnonzero((labels == label) & (np.arange(len(labels)) != anchor))
            first = rows[np.argsort(direction * distances[rows, anchor])][:3]
            if len(first) > 1 and _is_order_clear(room.boxes, first, anchor):
                yield anchor, first


def _is_order_clear(boxes: Boxes, rows: Rows, anchor: int) -> bool:
    """Return whether people could recognize the order of objects by their distance."""
    offsets = boxes.centers[rows] - boxes.centers[anchor]
    distances = np.linalg.norm(offsets, axis=-1, keepdims=True)
    lengths = np.ptp(
        (corners(boxes.take(rows)) * (offsets / distances)[:, None]).sum(axis=-1), axis=-1
    )
    return bool((np.abs(np.diff(distances[:, 0])) * lengths.mean() > ORDER_THRESHOLD).all())
