# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Time of an object map update with 200 detections, compared with the first specification."""

from __future__ import annotations

from itertools import count, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.timing import one_core, time_tasks
from world_model_core.objects.mapping.object_map import ObjectMap
from world_model_core.objects.values import UNKNOWN, Detections, MapObject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.timing import Timing
    from world_model_core.gaussian import Array

ROUNDS = 30
DETECTIONS, CLUTTER = 200, 4
SIGMA = 0.05
# Objects per cubic meter: 35 in a room of 4 m by 5 m by 2.6 m.
DENSITY, HEIGHT = 0.67, 2.6
MOST = 30
GATE = 9.21
# Targets: how many times faster than the loop, by number of classes; the growth from 10,000 to
# 100,000 objects.
TARGETS = {MOST: 50.0, 1: 1000.0}
TARGET_GROWTH = 3.0
SIZES = (10_000, 100_000)
PERIOD_NS = 100_000_000


class Place(NamedTuple):
    """True objects: positions [m], shape (n, 3), and labels."""

    positions: Array
    labels: tuple[str, ...]


def measure(rounds: int = ROUNDS) -> dict[str, Any]:
    """Time updates of maps of 10,000 and 100,000 objects, and the baseline on 10,000."""
    small, large = SIZES
    tasks: dict[str, Callable[[], object]] = {}
    for size in SIZES:
        for classes in TARGETS:
            for kind, around in (('spread', False), ('local', True)):
                name = f'{size}, {classes}, {kind}'
                tasks[name] = _ours(_furnish(size, classes), around=around)
    loops = {str(classes): _loop(_furnish(small, classes)) for classes in TARGETS}
    with one_core():
        timings = time_tasks(tasks, rounds)
        slow = time_tasks(loops, 1)
    return {
        'detections': DETECTIONS,
        'objects': small,
        'by classes': {str(classes): _compare(classes, timings, slow) for classes in TARGETS},
        'target growth': TARGET_GROWTH,
        f'growth from {small} to {large} objects': {
            name: round(timings[f'{large}, {name}'].median / timings[f'{small}, {name}'].median, 2)
            for name in (f'{c}, {kind}' for c in TARGETS for kind in ('spread', 'local'))
        },
        f'{large} objects, a frame [ms]': {
            name: round(1e3 * timings[f'{large}, {name}'].median, 2)
            for name in (f'{c}, {kind}' for c in TARGETS for kind in ('spread', 'local'))
        },
    }


def _compare(
    classes: int, timings: dict[str, Timing], slow: dict[str, Timing]
) -> dict[str, float | dict[str, float]]:
    """Compare one number of classes with the first specification."""
    loop = slow[str(classes)].median
    frames = {kind: timings[f'{SIZES[0]}, {classes}, {kind}'] for kind in ('spread', 'local')}
    return {
        'loop [ms]': round(1e3 * loop, 1),
        'frame [ms]': {kind: round(1e3 * each.median, 2) for kind, each in frames.items()},
        'target [times faster]': TARGETS[classes],
        'times faster': {kind: round(loop / each.median, 1) for kind, each in frames.items()},
    }


def _furnish(size: int, classes: int) -> Place:
    """Draw objects."""
    random = np.random.default_rng(size + classes)
    side = np.sqrt(size / DENSITY / HEIGHT)
    positions = random.uniform((0.0, 0.0, 0.0), (side, side, HEIGHT), (size, 3))
    labels = tuple(f'class {number}' for number in random.integers(classes, size=size))
    return Place(positions, labels)


def _ours(place: Place, *, around: bool) -> Callable[[], object]:
    """Prepare a map of a place; each call of the result is one more update."""
    random = np.random.default_rng(1)
    objects = ObjectMap()
    variance = SIGMA**2 / 10.0
    known = (
        MapObject(
            str(number),
            label,
            position + random.normal(0.0, np.sqrt(variance), 3),
            variance * np.eye(3),
            hits=10,
        )
        for number, (position, label) in enumerate(zip(*place, strict=True))
    )
    objects.restore(known, (), 0)
    frames = iter(list(islice(_frames(place, around=around), ROUNDS + 2)))
    return lambda: objects.observe(next(frames))


def _frames(place: Place, *, around: bool) -> Iterator[Detections]:
    """Generate frames, one after another."""
    random = np.random.default_rng(2)
    for number in count():
        shown = (
            _choose(place, random)
            if around
            else random.choice(len(place.labels), DETECTIONS, replace=False)
        )
        positions = place.positions[shown] + random.normal(0.0, SIGMA, (DETECTIONS, 3))
        positions[:CLUTTER] = random.uniform(
            place.positions.min(0), place.positions.max(0), (CLUTTER, 3)
        )
        yield Detections(
            stamp_ns=number * PERIOD_NS,
            labels=tuple(place.labels[index] for index in shown),
            positions=positions,
            covariances=np.tile(SIGMA**2 * np.eye(3), (DETECTIONS, 1, 1)),
            scores=np.ones(DETECTIONS),
            colors=(UNKNOWN,) * DETECTIONS,
            sizes=np.full((DETECTIONS, 3), np.nan),
            headings=np.full(DETECTIONS, np.nan),
        )


def _choose(place: Place, random: np.random.Generator) -> Array:
    """Select every other one of the objects around a place."""
    offset = place.positions - place.positions[random.integers(len(place.labels))]
    nearest = np.argpartition((offset**2).sum(axis=1), 2 * DETECTIONS)[: 2 * DETECTIONS]
    return random.permutation(nearest)[:DETECTIONS]


def _loop(place: Place) -> Callable[[], object]:
    """Prepare the algorithm of the first specification, with objects as in its document."""
    uncertainty = (SIGMA**2 / 10.0 * np.eye(3)).tolist()
    objects: dict[str, dict[str, Any]] = {
        str(number): {'class': label, 'position': position.tolist(), 'uncertainty': uncertainty}
        for number, (position, label) in enumerate(zip(*place, strict=True))
    }
    frame = next(_frames(place, around=False))

    def observe() -> list[str]:
        found = []
        for label, position, covariance in zip(
            frame.labels, frame.positions, frame.covariances, strict=True
        ):
            for name, each in objects.items():
                if each['class'] != label:
                    continue
                difference = position - np.array(each['position'])
                spread = covariance + np.array(each['uncertainty'])
                if difference.T @ np.linalg.inv(spread) @ difference < GATE:
                    known = np.array(each['uncertainty'])
                    gain = known @ np.linalg.inv(spread)
                    each['position'] = (np.array(each['position']) + gain @ difference).tolist()
                    each['uncertainty'] = (known - gain @ known).tolist()
                    found.append(name)
                    break
        return found

    return observe
