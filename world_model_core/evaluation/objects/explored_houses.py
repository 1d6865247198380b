# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Evaluation on whole houses, explored by a robot with an uncertain pose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.evaluation.objects.comparison import Comparison
from world_model_core.evaluation.objects.layouts import Layout
from world_model_core.evaluation.objects.mapping_run import run_mapper
from world_model_core.evaluation.objects.scores import summarize, tally
from world_model_core.simulation.house.explorer import Explorer
from world_model_core.simulation.house.house_generator import generate_house
from world_model_core.simulation.house.parameters import HouseParameters
from world_model_core.simulation.house.room_detector import RoomDetector, SimulatedFrame

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from world_model_core.evaluation.objects.comparison import MapperFactory
    from world_model_core.evaluation.objects.scores import Tally

# Name of the set of houses, and number of rooms of each.
EXPLORED, ROOMS = 'explored houses', 3
# Frames per room, about one tour with all viewpoints, and their period [s].
FRAMES_PER_ROOM, PERIOD = 90, 1.0


def compare_explored(houses: int, mappers: Mapping[str, MapperFactory]) -> Iterator[Comparison]:
    """Score all mappers on explored houses."""
    tallies: dict[str, list[Tally]] = {name: [] for name in mappers}
    for seed in range(houses):
        parameters = HouseParameters(seed=seed, rooms=ROOMS)
        for name, house in explore(parameters, mappers).items():
            tallies[name].append(house)
    for name, counts in tallies.items():
        yield Comparison(EXPLORED, houses, None, name, summarize(counts))


def explore(parameters: HouseParameters, mappers: Mapping[str, MapperFactory]) -> dict[str, Tally]:
    """Explore a house once, and count the results of all mappers."""
    house = generate_house(parameters.seed, parameters.rooms)
    layout = Layout(f'house, seed {parameters.seed}', house.objects, house.bounds)
    explorer = Explorer(house, parameters, parameters.seed)
    count = parameters.rooms * FRAMES_PER_ROOM
    sensed = [explorer.step(PERIOD) for _ in range(count)]
    frames = [SimulatedFrame(each.placed(), each.sources) for each in sensed]
    views = [each.view for each in sensed]
    detector = RoomDetector(label_confusion=parameters.label_confusion)
    return {
        name: tally(run_mapper(house.objects, frames, make(layout, detector), views))
        for name, make in mappers.items()
    }
