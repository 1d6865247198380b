# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Object maps compared on the same detections of the same rooms."""

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

    # Makes a mapper for a room and the detector that looks at it.
    MapperFactory: TypeAlias = Callable[[Layout, RoomDetector], Mapper]


def _nearest_neighbor(gate: float) -> MapperFactory:
    return lambda _layout, _detector: NearestNeighbor(gate)


FRAMES = 40
# Gates of plain nearest neighbors: 95 % of all detections with 3 degrees of freedom, and the
# first specification's.
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
    A row of the table: how a mapper did on a set of rooms.

    Attributes
    ----------
    rooms : str
        What the set is called.
    layouts : int
        How many they are.
    sigma : float, optional
        Standard deviation of the detections [m]; None where it differs from one to another.
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
    """Let every mapper observe the same detections of a set of rooms, and give a row for each."""
    detector = RoomDetector(sigma=sigma)
    for name, factory in mappers.items():
        yield Comparison(rooms, len(layouts), sigma, name, score(layouts, detector, factory))


def score(layouts: Sequence[Layout], detector: RoomDetector, factory: MapperFactory) -> Scores:
    """Let a new mapper observe each room, and judge all maps together."""
    tallies = []
    for number, layout in enumerate(layouts):
        random = np.random.default_rng(number)
        frames = detector.watch(layout.objects, layout.bounds, FRAMES, random)
        tallies.append(tally(run_mapper(layout.objects, frames, factory(layout, detector))))
    return summarize(tallies)


def sweep_gates(layouts: Sequence[Layout], sigma: float) -> Iterator[tuple[float, Scores]]:
    """Judge plain nearest neighbors with one gate after another."""
    detector = RoomDetector(sigma=sigma)
    for gate in SWEPT_GATES:
        yield gate, score(layouts, detector, _nearest_neighbor(gate))
