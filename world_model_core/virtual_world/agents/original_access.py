# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What the functions of SIGVerse's names of objects work on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.virtual_world.agents.original_units import OriginalUnits

if TYPE_CHECKING:
    from world_model_core.virtual_world.agents.controller import AgentWorld

__all__ = ['OriginalAccess']


class OriginalAccess:
    """
    An object and the units of its file: a part of OriginalObject.

    Parameters
    ----------
    world : AgentWorld
    name : str

    Attributes
    ----------
    world : AgentWorld
    object : SimObject
        The same by the names of this package.
    units : OriginalUnits

    """

    def __init__(self, world: AgentWorld, name: str) -> None:
        self.world = world
        self.object = world.get_object(name)
        self.units = OriginalUnits(world.length_unit)
