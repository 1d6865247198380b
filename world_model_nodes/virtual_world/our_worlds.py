# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Worlds that come with the package: the example kitchen, and generated houses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ament_index_python.packages import get_package_share_directory

from world_model_core.simulation.house.house_generator import generate_house
from world_model_core.simulation.house.parameters import HouseParameters
from world_model_core.virtual_world.worlds.house import inhabited_house
from world_model_core.virtual_world.worlds.loading import WorldSources, load_world

if TYPE_CHECKING:
    from world_model_core.virtual_world.values import World

HOUSE, KITCHEN = 'house', 'kitchen'
# Of the kitchen, who also live in the house.
AGENTS = frozenset(('robot', 'person'))


def kitchen_folder() -> Path:
    """Return the folder of the example kitchen."""
    return Path(get_package_share_directory('world_model')) / 'worlds' / KITCHEN


def load_ours(name: str, seed: int, sources: WorldSources) -> World:
    """
    Load one of our worlds.

    Parameters
    ----------
    name : str
        `HOUSE` or `KITCHEN`.
    seed : int
        Of the house.
    sources : WorldSources

    """
    kitchen, _ = load_world(kitchen_folder() / f'{KITCHEN}.xml', sources)
    if name == KITCHEN:
        return kitchen
    agents = [each for each in kitchen.entities if each.name in AGENTS]
    return inhabited_house(generate_house(seed, HouseParameters().rooms), agents)
