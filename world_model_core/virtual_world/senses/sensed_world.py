# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A world as robots sense it: its landmarks, and what stands before them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.virtual_world.engine.poses import compose, inverse
from world_model_core.virtual_world.rendering.distances import cast_rays
from world_model_core.virtual_world.rendering.true_objects import true_objects

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.rendering.true_objects import TrueObjects
    from world_model_core.virtual_world.senses.landmarks import Landmarks
    from world_model_core.virtual_world.values import Camera, Entity, Pose

__all__ = ['SensedWorld']


class SensedWorld:
    """
    What all robots of a world share.

    Parameters
    ----------
    engine : Engine
    landmarks : Landmarks
    height : float
        Of the sensor of landmarks above the frame of a robot [m].

    """

    def __init__(self, engine: Engine, landmarks: Landmarks, height: float) -> None:
        self.engine, self.landmarks = engine, landmarks
        self._height = height
        self._objects: TrueObjects | None = None

    def hidden(self, name: str) -> NDArray[np.bool_]:
        """Return which landmarks, shape (m,), something else stands before, seen by an entity."""
        x, y, z = self.engine.root_state_of(name).pose.position
        ways = self.landmarks.places - (x, y)
        apart = np.hypot(*ways.T)
        level = np.column_stack((ways, np.zeros(len(ways))))
        directions = level / np.maximum(apart, np.finfo(float).tiny)[:, None]
        origin: Array = np.array((x, y, z + self._height))
        farthest = float(apart.max(initial=0.0))
        found = cast_rays(self.engine, origin, directions, farthest, name)
        hidden: NDArray[np.bool_] = found < apart - self.landmarks.radii
        return hidden

    def camera_in_world(self, entity: Entity, camera: Camera) -> Pose:
        """Return the present pose of a camera in the frame `world`."""
        return compose(self.engine.part_pose(entity.name, camera.part), camera.pose)

    def camera_pose(self, entity: Entity, camera: Camera) -> Pose:
        """Return the present pose of a camera in the frame of its entity."""
        frame = self.engine.root_state_of(entity.name).pose
        return compose(inverse(frame), self.camera_in_world(entity, camera))

    def begin_instant(self) -> None:
        """Forget what was found at another instant."""
        self._objects = None

    @property
    def objects(self) -> TrueObjects:
        """The entities as objects at this instant, found once for all robots."""
        if self._objects is None:
            self._objects = true_objects(self.engine)
        return self._objects
