# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Evaluation of moved objects: time until they are deleted at the old place and found again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.evaluation.objects.object_pairs import REACH
from world_model_core.objects.values import CameraView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from world_model_core.evaluation.objects.baselines import Mapper
    from world_model_core.evaluation.objects.layouts import Layout
    from world_model_core.gaussian import Array
    from world_model_core.objects.values import MapObject
    from world_model_core.simulation.house.room_detector import RoomDetector

# Number of frames before the move, and maximum number after it.
FRAMES_BEFORE, FRAMES_AFTER = 40, 60
# Minimum distance of the move, and to other objects of the class [m].
FAR = 1.0
TRIES = 200


@dataclass(frozen=True, slots=True)
class Moves:
    """
    Results for objects that were moved while the whole room was in view.

    Attributes
    ----------
    moved : int
        Number of moved objects that the map contained before.
    dropped, found : float, optional
        Fraction of them deleted at the old place, and found at the new one, within 60 frames.
    frames_to_drop, frames_to_find : float, optional
        Median number of frames until then.

    """

    moved: int
    dropped: float | None
    found: float | None
    frames_to_drop: float | None
    frames_to_find: float | None


def measure_moves(
    layouts: Iterable[Layout], detector: RoomDetector, make: Callable[[], Mapper]
) -> Moves:
    """Move one object in each room, and time the reaction of the map."""
    times = []
    for number, layout in enumerate(layouts):
        time = _time_move(layout, detector, make(), np.random.default_rng(number))
        if time is not None:
            times.append(time)
    if not times:
        return Moves(0, None, None, None, None)
    drops, finds = (np.array(each) for each in zip(*times, strict=True))
    return Moves(
        moved=len(times),
        dropped=float(np.isfinite(drops).mean()),
        found=float(np.isfinite(finds).mean()),
        frames_to_drop=_median(drops),
        frames_to_find=_median(finds),
    )


def _median(values: Array) -> float | None:
    finite = values[np.isfinite(values)]
    return float(np.median(finite)) if len(finite) else None


def _time_move(
    layout: Layout, detector: RoomDetector, mapper: Mapper, random: np.random.Generator
) -> tuple[float, float] | None:
    """Count the frames until an object is deleted and found again; infinite if it never is."""
    view = _everything(layout)
    for frame in detector.watch(layout.objects, layout.bounds, FRAMES_BEFORE, random):
        mapper.observe(frame.detections, view)
    index = int(random.integers(len(layout.objects)))
    old = layout.objects[index]
    position = _draw_place(layout, old, random)
    old_id = _at(mapper, old.label, old.position)
    if position is None or old_id is None:
        return None
    moved = list(layout.objects)
    moved[index] = replace(old, position=position)
    after = detector.watch(moved, layout.bounds, FRAMES_AFTER, random)
    start_ns = FRAMES_BEFORE * detector.period_ns
    dropped = found = np.inf
    for number, (detections, _) in enumerate(after, 1):
        stamp_ns = start_ns + detections.stamp_ns
        mapper.observe(replace(detections, stamp_ns=stamp_ns), view)
        if np.isinf(dropped) and old_id not in {each.id for each in mapper.counted}:
            dropped = number
        if np.isinf(found) and _at(mapper, old.label, position) is not None:
            found = number
        if np.isfinite(dropped + found):
            break
    return dropped, found


def _draw_place(layout: Layout, old: MapObject, random: np.random.Generator) -> Array | None:
    """Draw a place away from all objects of the class, or return None."""
    places = np.array([each.position for each in layout.objects if each.label == old.label])
    for _ in range(TRIES):
        place = random.uniform(layout.bounds.low, layout.bounds.high)
        if np.linalg.norm(places - place, axis=1).min() >= FAR:
            return place
    return None


def _at(mapper: Mapper, label: str, place: Array) -> str | None:
    """Return the id of the map's nearest object of a class within reach, or None."""
    candidates = [
        (float(np.linalg.norm(each.position - place)), each.id)
        for each in mapper.counted
        if each.label == label
    ]
    distance, name = min(candidates, default=(np.inf, ''))
    return name if distance <= REACH else None


def _everything(layout: Layout) -> CameraView:
    """Return a view of the whole room from its center."""
    reach = float(np.linalg.norm(layout.bounds.high - layout.bounds.low))
    middle = (layout.bounds.low + layout.bounds.high) / 2.0
    return CameraView(middle, np.eye(3), 2.0 * np.pi, np.pi, 0.0, reach)
