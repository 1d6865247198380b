# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Objects of a house as marks: boxes in their colors, ellipsoids of their positions, labels."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from world_model_core.objects.answering.query_text import object_text
from world_model_core.objects.values import ObjectState
from world_model_core.time import to_seconds
from world_model_core.view.batches import MOST_LABELS, Boxes, Labels
from world_model_core.view.ellipsoids import confidence_ellipsoids
from world_model_core.view.poses import heading_quaternions
from world_model_core.view.scene import Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.values import MapObject
    from world_model_core.view.colors import Color
    from world_model_core.view.scene import Marks

__all__ = [
    'OPACITIES',
    'UNKNOWN_SIZE',
    'HouseObjects',
    'box_of',
    'object_color',
    'place_objects',
]

# Opacities by state: tentative and missing objects are faint.
OPACITIES = {ObjectState.CONFIRMED: 0.8, ObjectState.TENTATIVE: 0.15, ObjectState.MISSING: 0.15}
# Edge of the box of an object whose size is unknown [m].
UNKNOWN_SIZE = 0.12
# Height of letters, and of a label above its box [m].
LETTERS, RAISED = 0.12, 0.08
# Of the ellipsoids, which are fainter for objects that are.
UNCERTAINTY: Color = (235, 235, 245, 110)
FAINT_UNCERTAINTY: Color = (235, 235, 245, 40)
# Memory of an object and its marks, as measured with tracemalloc [bytes].
BYTES = 5_000
# Classes that a description lists.
MOST_CLASSES = 3


@dataclass(frozen=True, slots=True, eq=False)
class HouseObjects:
    """
    The objects of a map, with their marks: computed once for a map.

    Attributes
    ----------
    by_name : mapping of str to MapObject
        Objects by the names of their marks, see `object_text`.
    names : mapping of str to str
        The same names by the ids of the objects.
    marks : Marks
    places : array, shape (m, 3)
        Centers of the boxes that can be shown [m].

    """

    by_name: Mapping[str, MapObject]
    names: Mapping[str, str]
    marks: Marks
    places: Array

    @property
    def size_bytes(self) -> int:
        """Memory that the objects and their marks take, about."""
        return BYTES * len(self.by_name)

    def count(self, state: ObjectState) -> int:
        """Count the objects in a state."""
        return sum(each.state is state for each in self.by_name.values())


def object_color(thing: MapObject) -> Color:
    """Return an object's own color if its value is known, or else one for its class."""
    if thing.colors and thing.colors[0].rgb is not None:
        red, green, blue = (round(part) for part in thing.colors[0].rgb)
    else:
        hue = crc32(thing.label.encode()) % 360 / 360.0
        red, green, blue = (round(255.0 * part) for part in colorsys.hsv_to_rgb(hue, 0.6, 0.9))
    return red, green, blue, round(255.0 * OPACITIES[thing.state])


def box_of(thing: MapObject) -> Array:
    """Return the lengths of the edges of an object's box [m], shape (3,)."""
    return np.full(3, UNKNOWN_SIZE) if thing.size is None else np.asarray(thing.size)


def place_objects(objects: Iterable[MapObject]) -> HouseObjects:
    """Compute the marks of the objects of a map, in its order."""
    by_name = {object_text(each): each for each in objects}
    names = {each.id: name for name, each in by_name.items()}
    if not by_name:
        return HouseObjects(by_name, names, {}, np.empty((0, 3)))
    boxes, marks = _marks(by_name)
    return HouseObjects(by_name, names, marks, boxes.positions)


def _marks(by_name: Mapping[str, MapObject]) -> tuple[Boxes, Marks]:
    objects, ids = tuple(by_name.values()), tuple(by_name)
    positions = np.array([each.position for each in objects], dtype=np.float64)
    sizes = np.array([box_of(each) for each in objects])
    headings = np.array([each.heading or 0.0 for each in objects])
    colors = np.array([object_color(each) for each in objects], dtype=np.uint8)
    covariances = np.array([each.covariance for each in objects])
    confirmed = np.array([each.state is ObjectState.CONFIRMED for each in objects])
    boxes = Boxes(ids, positions, heading_quaternions(headings), sizes, colors)
    return boxes, {
        'house/objects': boxes,
        'house/labels': _labels(by_name, positions, sizes),
        **_ellipsoids(ids, positions, covariances, confirmed),
    }


def _labels(by_name: Mapping[str, MapObject], positions: Array, sizes: Array) -> Labels:
    """Return the labels of the most probable objects, as many as can be shown."""
    confidences = np.array(
        [each.confidence + (each.state is ObjectState.CONFIRMED) for each in by_name.values()]
    )
    chosen = np.sort(np.argsort(-confidences, kind='stable')[:MOST_LABELS])
    tops = positions + (sizes[:, 2:] / 2.0 + RAISED) * (0.0, 0.0, 1.0)
    named = list(by_name.items())
    texts = tuple(_label(*named[index]) for index in chosen.tolist())
    ids = tuple(named[index][0] for index in chosen.tolist())
    return Labels(ids, tops[chosen], texts, LETTERS)


def _ellipsoids(
    ids: Sequence[str], positions: Array, covariances: Array, confirmed: NDArray[np.bool_]
) -> Marks:
    """Return the ellipsoids of the confirmed objects, and fainter ones of the others."""
    marks = {}
    for name, chosen, color in (
        ('confirmed', confirmed, UNCERTAINTY),
        ('others', ~confirmed, FAINT_UNCERTAINTY),
    ):
        if chosen.any():
            marks[f'house/ellipsoids/{name}'] = confidence_ellipsoids(
                tuple(compress(ids, chosen)), positions[chosen], covariances[chosen], color
            )
    return marks


def _label(name: str, thing: MapObject) -> str:
    return f'{name}  {thing.confidence:.0%}'


def describe_object(thing: MapObject) -> Iterator[Row]:
    """Generate what is known of an object, as rows."""
    yield Row('name', object_text(thing))
    yield Row('state', thing.state.value)
    yield Row('probability', f'{thing.confidence:.1%}')
    likely = sorted(thing.classes.items(), key=lambda item: -item[1])[:MOST_CLASSES]
    if likely:
        yield Row('classes', ', '.join(f'{label} {share:.0%}' for label, share in likely))
    if thing.colors:
        yield Row('color', ', '.join(swatch.name for swatch in thing.colors))
    yield Row('position', _meters(thing.position))
    with np.errstate(invalid='ignore'):
        yield Row('deviation', _meters(np.sqrt(np.diagonal(thing.covariance))))
    if thing.size is not None:
        yield Row('size', _meters(thing.size, ' x '))
    if thing.heading is not None:
        yield Row('heading', f'{np.degrees(thing.heading):.0f}°')
    if thing.region is not None:
        yield Row('room', thing.region)
    if thing.hits:
        yield Row('detections', str(thing.hits))
    if thing.last_seen_ns is not None:
        yield Row('last_seen', f'{to_seconds(thing.last_seen_ns):.1f} s')


def _meters(values: Array, separator: str = ', ') -> str:
    return f'{separator.join(f"{value:.2f}" for value in values)} m'
