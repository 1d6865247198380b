# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Maps of whole houses, made by a robot that explores them not knowing quite where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.evaluation.objects.evaluation import Comparison
from world_model_core.evaluation.objects.layouts import Layout
from world_model_core.evaluation.objects.record import record
from world_model_core.evaluation.objects.scores import summarise, tally
from world_model_core.simulation.house.detector import Detector, Sighting
from world_model_core.simulation.house.explorer import Explorer
from world_model_core.simulation.house.layout import generate_house
from world_model_core.simulation.house.parameters import HouseParameters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from world_model_core.evaluation.objects.evaluation import MapperFactory
    from world_model_core.evaluation.objects.scores import Tally

# What the set of houses is called, and how many rooms each has.
EXPLORED, ROOMS = 'explored houses', 3
# For each room: about what a round takes in which it is seen from all places to look from [s].
FRAMES_PER_ROOM, PERIOD = 90, 1.0


def compare_explored(houses: int, mappers: Mapping[str, MapperFactory]) -> Iterator[Comparison]:
    """Let all mappers observe what a robot sees in some houses, and give a row for each."""
    tallies: dict[str, list[Tally]] = {name: [] for name in mappers}
    for seed in range(houses):
        parameters = HouseParameters(seed=seed, rooms=ROOMS)
        for name, house in explore(parameters, mappers).items():
            tallies[name].append(house)
    for name, counts in tallies.items():
        yield Comparison(EXPLORED, houses, None, name, summarise(counts))


def explore(parameters: HouseParameters, mappers: Mapping[str, MapperFactory]) -> dict[str, Tally]:
    """Let a robot explore a house once, and all mappers observe what it sees."""
    house = generate_house(parameters.seed, parameters.rooms)
    layout = Layout(f'house, seed {parameters.seed}', house.objects, house.bounds)
    explorer = Explorer(house, parameters, parameters.seed)
    frames = parameters.rooms * FRAMES_PER_ROOM
    exposures = [explorer.step(PERIOD) for _ in range(frames)]
    sightings = [Sighting(each.placed(), each.sources) for each in exposures]
    views = [each.view for each in exposures]
    detector = Detector(label_confusion=parameters.label_confusion)
    return {
        name: tally(record(house.objects, sightings, make(layout, detector), views))
        for name, make in mappers.items()
    }
