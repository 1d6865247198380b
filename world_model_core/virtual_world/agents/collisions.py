# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Contacts of the physics as collisions of agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.virtual_world.agents.events import Collision

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from world_model_core.virtual_world.values import PartContact

__all__ = ['collisions_of']


def collisions_of(
    agents: Collection[str], contacts: Iterable[PartContact]
) -> dict[str, tuple[Collision, ...]]:
    """
    Return the collisions of each agent that touches something, each pair of parts once, by name.

    Contacts with the ground and of an entity with itself do not count.
    """
    found: dict[str, set[tuple[str, str, str]]] = {}
    for contact in contacts:
        for own, other in ((contact.first, contact.second), (contact.second, contact.first)):
            if own[0] in agents and other[0] not in {'', own[0]}:
                found.setdefault(own[0], set()).add((*other, own[1]))
    return {
        agent: tuple(Collision(*each) for each in sorted(pairs)) for agent, pairs in found.items()
    }
