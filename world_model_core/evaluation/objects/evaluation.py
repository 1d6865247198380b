# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Object maps compared on the same detections of the same rooms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from world_model_core.evaluation.objects.baselines import FirstMatch, NearestNeighbour, Oracle
from world_model_core.evaluation.objects.record import record
from world_model_core.evaluation.objects.scores import summarise, tally
from world_model_core.simulation.house.detector import Detector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from world_model_core.evaluation.objects.baselines import Mapper
    from world_model_core.evaluation.objects.layouts import Layout
    from world_model_core.evaluation.objects.scores import Scores

    # Makes a mapper for a room and the detector that looks at it.
    MapperFactory: TypeAlias = Callable[[Layout, Detector], Mapper]


def _neighbours(gate: float) -> MapperFactory:
    return lambda _layout, _detector: NearestNeighbour(gate)


FRAMES = 40
# Gates of plain nearest neighbours: 95 % of all detections with 3 degrees of freedom, and the
# first specification's.
GATES = (7.815, 9.21)
SWEPT_GATES = (5.0, 6.25, 7.815, 9.21, 11.345, 13.0, 16.266, 20.0, 25.0, 30.0, 40.0, 60.0)
BASELINES: dict[str, MapperFactory] = {
    'first match, 9.21': lambda _layout, _detector: FirstMatch(),
    **{f'nearest neighbour, {gate}': _neighbours(gate) for gate in GATES},
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
    detector = Detector(sigma=sigma)
    for name, factory in mappers.items():
        yield Comparison(rooms, len(layouts), sigma, name, score(layouts, detector, factory))


def score(layouts: Sequence[Layout], detector: Detector, factory: MapperFactory) -> Scores:
    """Let a new mapper observe each room, and judge all maps together."""
    tallies = []
    for number, layout in enumerate(layouts):
        random = np.random.default_rng(number)
        sightings = detector.watch(layout.objects, layout.bounds, FRAMES, random)
        tallies.append(tally(record(layout.objects, sightings, factory(layout, detector))))
    return summarise(tallies)


def sweep_gates(layouts: Sequence[Layout], sigma: float) -> Iterator[tuple[float, Scores]]:
    """Judge plain nearest neighbours with one gate after another."""
    detector = Detector(sigma=sigma)
    for gate in SWEPT_GATES:
        yield gate, score(layouts, detector, _neighbours(gate))
