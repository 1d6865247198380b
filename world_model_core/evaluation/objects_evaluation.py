# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Object maps compared on the same detections of the same rooms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from world_model_core.evaluation.objects_baselines import FirstMatch, NearestNeighbour, Oracle
from world_model_core.evaluation.objects_record import record
from world_model_core.evaluation.objects_scores import summarise, tally
from world_model_core.simulation.house_detector import Detector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from world_model_core.evaluation.objects_baselines import Mapper
    from world_model_core.evaluation.objects_layouts import Layout
    from world_model_core.evaluation.objects_scores import Scores

    # Makes a mapper for a room and the detector that looks at it.
    MapperFactory: TypeAlias = Callable[[Layout, Detector], Mapper]

FRAMES = 40
# Gates of plain nearest neighbours: 95 % of all detections with 3 degrees of freedom, and the
# first specification's.
GATES = (7.815, 9.21)
BASELINES: dict[str, MapperFactory] = {
    'first match, 9.21': lambda _layout, _detector: FirstMatch(),
    'nearest neighbour, 7.815': lambda _layout, _detector: NearestNeighbour(GATES[0]),
    'nearest neighbour, 9.21': lambda _layout, _detector: NearestNeighbour(GATES[1]),
    'oracle': lambda layout, detector: Oracle(layout.objects, detector.flicker),
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
    sigma : float
        Standard deviation of the detections [m].
    mapper : str
    scores : Scores

    """

    rooms: str
    layouts: int
    sigma: float
    mapper: str
    scores: Scores


def compare(
    sets: Mapping[str, Sequence[Layout]],
    sigmas: Sequence[float],
    mappers: Mapping[str, MapperFactory],
) -> Iterator[Comparison]:
    """
    Let every mapper observe every set of rooms at every noise, a row each.

    All mappers get the same detections.
    """
    for rooms, layouts in sets.items():
        for sigma in sigmas:
            for name, factory in mappers.items():
                scores = score(layouts, Detector(sigma=sigma), factory)
                yield Comparison(rooms, len(layouts), sigma, name, scores)


def score(layouts: Sequence[Layout], detector: Detector, factory: MapperFactory) -> Scores:
    """Let a new mapper observe each room, and judge all maps together."""
    tallies = []
    for number, layout in enumerate(layouts):
        random = np.random.default_rng(number)
        sightings = detector.watch(layout.objects, layout.bounds, FRAMES, random)
        tallies.append(tally(record(layout.objects, sightings, factory(layout, detector))))
    return summarise(tallies)
