# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Comparison of mapping methods on the same detections of the same rooms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from world_model_core.evaluation.objects.baselines import FirstMatch, NearestNeighbor, Oracle
from world_model_core.evaluation.objects.mapping_run import run_mapper
from world_model_core.evaluation.objects.scores import summarize, tally
from world_model_core.simulation.house.room_detector import RoomDetector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from world_model_core.evaluation.objects.baselines import Mapper
    from world_model_core.evaluation.objects.layouts import Layout
    from world_model_core.evaluation.objects.scores import Scores

    # Creates a mapper for a room and its detector.
    MapperFactory: TypeAlias = Callable[[Layout, RoomDetector], Mapper]


def _nearest_neighbor(gate: float) -> MapperFactory:
    return lambda _layout, _detector: NearestNeighbor(gate)


FRAMES = 40
# Gates of plain nearest neighbor: 95 % with 3 degrees of freedom, and that of the first
# specification.
GATES = (7.815, 9.21)
SWEPT_GATES = (5.0, 6.25, 7.815, 9.21, 11.345, 13.0, 16.266, 20.0, 25.0, 30.0, 40.0, 60.0)
BASELINES: dict[str, MapperFactory] = {
    'first match, 9.21': lambda _layout, _detector: FirstMatch(),
    **{f'nearest neighbor, {gate}': _nearest_neighbor(gate) for gate in GATES},
    'oracle': lambda layout, detector: Oracle(
        layout.objects, detector.label_confusion.label_probability
    ),
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """
    Scores of one mapper on a set of rooms.

    Attributes
    ----------
    rooms : str
        Name of the set.
    layouts : int
        Number of rooms.
    sigma : float, optional
        Standard deviation of the detections [m]; None if it differs between detections.
    mapper : str
    scores : Scores

    """

    rooms: str
    layouts: int
    sigma: float | None
    mapper: str
    scores: Scores


def compare(
    rooms: str, layouts: Sequence[Layout], sigma: float, mappers: Mapping[str, MapperFactory]
) -> Iterator[Comparison]:
    """Score all mappers on the same detections of a set of rooms."""
    detector = RoomDetector(sigma=sigma)
    for name, factory in mappers.items():
        yield Comparison(rooms, len(layouts), sigma, name, score(layouts, detector, factory))


def score(layouts: Sequence[Layout], detector: RoomDetector, factory: MapperFactory) -> Scores:
    """Score new mappers, one for each room, on all rooms together."""
    tallies = []
    for number, layout in enumerate(layouts):
        random = np.random.default_rng(number)
        frames = detector.watch(layout.objects, layout.bounds, FRAMES, random)
        tallies.append(tally(run_mapper(layout.objects, frames, factory(layout, detector))))
    return summarize(tallies)


def sweep_gates(layouts: Sequence[Layout], sigma: float) -> Iterator[tuple[float, Scores]]:
    """Score plain nearest neighbor with one gate after another."""
    detector = RoomDetector(sigma=sigma)
    for gate in SWEPT_GATES:
        yield gate, score(layouts, detector, _nearest_neighbor(gate))
