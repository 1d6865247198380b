# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Who of the entities of a world may hear and speak, whatever acts for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from world_model_core.virtual_world.engine.engine import Engine

__all__ = ['speakers']

# Further entities only hear and speak by controllers.
MOST_SPEAKERS = 30


def speakers(engine: Engine, controlled: Collection[str]) -> tuple[str, ...]:
    """
    Return the names of the people and robots of a world, and of all that controllers act for.

    Who has wheels, a camera or joints may be a person or a robot.

    Parameters
    ----------
    engine : Engine
    controlled : collection of str
        Names of entities with controllers; those that are not in the world do not count.

    """
    handles = engine.physics.handles
    able = [
        each.name
        for each in engine.world.entities
        if each.name in controlled or each.wheels or each.cameras or handles[each.name].jointed
    ]
    return tuple(able[:MOST_SPEAKERS])
