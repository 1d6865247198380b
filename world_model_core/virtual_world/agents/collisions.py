# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Contacts of the physics as collisions of agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.virtual_world.agents.events import Collision

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from world_model_core.virtual_world.engine.welds import PartName

__all__ = ['collisions_of']


def collisions_of(
    agents: Collection[str], touching: Iterable[tuple[PartName, PartName]]
) -> dict[str, tuple[Collision, ...]]:
    """
    Return the collisions of each agent that touches another entity, by name.

    Parameters
    ----------
    agents : collection of str
    touching : iterable of tuple
        Pairs of parts that touch, see `Engine.touching`.

    """
    found: dict[str, set[tuple[str, str, str]]] = {}
    for first, second in touching:
        for own, other in ((first, second), (second, first)):
            if own[0] in agents and other[0] != own[0]:
                found.setdefault(own[0], set()).add((*other, own[1]))
    return {
        agent: tuple(Collision(*each) for each in sorted(pairs)) for agent, pairs in found.items()
    }
