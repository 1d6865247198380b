# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What is known of a virtual world at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.view.virtual_shapes import BodyPoses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.gaussian import Array
    from world_model_core.view.virtual_shapes import WorldShapes
    from world_model_core.virtual_world.values import Entity, PartContact

__all__ = ['NO_VELOCITIES', 'Utterance', 'WorldContents', 'WorldMoment']

NO_VELOCITIES = np.zeros((0, 6))


@dataclass(frozen=True, slots=True, eq=False)
class WorldContents:
    """
    What is in a world.

    Attributes
    ----------
    name : str
    ground : bool
        Whether there is an endless floor at the height 0.
    entities : mapping of str to Entity
        In their present states, by their names.
    agents : tuple of str
        Names of the people and robots.
    shapes : WorldShapes
    missing : int
        Number of meshes without triangles.

    """

    name: str
    ground: bool
    entities: Mapping[str, Entity]
    agents: tuple[str, ...]
    shapes: WorldShapes
    missing: int = 0


@dataclass(frozen=True, slots=True)
class Utterance:
    """
    What an agent has said.

    Attributes
    ----------
    time_ns : int
        [ns]
    speaker : str
        Name of the entity.
    text : str

    """

    time_ns: int
    speaker: str
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class WorldMoment:
    """
    A virtual world at a time.

    Attributes
    ----------
    contents : WorldContents
    time_ns : int
    bodies : BodyPoses
        Of entities.
    velocities : array, shape (n, 6)
        Of the entities of `bodies`: linear [m/s] and angular [rad/s].
    parts : BodyPoses
        Of parts that joints move.
    contacts : tuple of PartContact
    attributes : mapping of str to mapping of str to str, float or bool
        By entities and names.
    holders : mapping of str to tuple of str
        Entity and part of the hand that holds a thing, by its name.
    joints : mapping of str to mapping of str to float
        Positions of joints by entities and names [rad or m].
    texts : tuple of Utterance
        The newest is the last.

    """

    contents: WorldContents
    time_ns: int
    bodies: BodyPoses
    velocities: Array = field(default_factory=lambda: NO_VELOCITIES)
    parts: BodyPoses = field(default_factory=BodyPoses)
    contacts: tuple[PartContact, ...] = ()
    attributes: Mapping[str, Mapping[str, str | float | bool]] = field(default_factory=dict)
    holders: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    joints: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    texts: tuple[Utterance, ...] = ()

    def pose_of(self, item: str) -> Array | None:
        """Return the pose of an entity, shape (7,); None if it is not known."""
        if item not in self.bodies.names:
            return None
        pose: Array = self.bodies.poses[self.bodies.names.index(item)]
        return pose if np.isfinite(pose).all() else None
