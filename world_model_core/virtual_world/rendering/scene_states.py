# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What images of a world show: a copy of its state at one instant, for another thread."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from world_model_core.virtual_world.engine.geoms import HIDDEN
from world_model_core.virtual_world.engine.surfaces import SUN_NAME

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.engine.engine import Engine

__all__ = ['SceneModel', 'SceneState', 'SceneStates']

# How much lower the ground is drawn, so that it does not show through floors. A depth buffer of 24
# bits separates both up to 25 m; the distance of the ground itself errs by 1 mm at 20 m [m].
UNDER_FLOORS = 5e-5

_POSES = (
    int(mujoco.mjtState.mjSTATE_QPOS)
    | int(mujoco.mjtState.mjSTATE_MOCAP_POS)
    | int(mujoco.mjtState.mjSTATE_MOCAP_QUAT)
)


@dataclass(frozen=True, eq=False, slots=True)
class SceneModel:
    """
    The entities of a world between two changes of them.

    Attributes
    ----------
    model : mujoco.MjModel
        A copy, for images alone.
    parts : tuple of tuple of str
        Names of entity and part, in the order of the model; the ground, ("", ""), is the first.
    names : tuple of str
        Names of the entities.

    """

    model: Any
    parts: tuple[tuple[str, str], ...]
    names: tuple[str, ...] = field(init=False)
    _entities: NDArray[np.int32] = field(init=False)

    def __post_init__(self) -> None:
        """Give each entity an index."""
        names = tuple(dict.fromkeys(entity for entity, _ in self.parts if entity))
        indices = {'': -1} | {name: index for index, name in enumerate(names)}
        # The last one is that of the part -1.
        entities = [*(indices[entity] for entity, _ in self.parts), -1]
        object.__setattr__(self, 'names', names)
        object.__setattr__(self, '_entities', np.array(entities, np.int32))

    def entities_of(self, parts: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return indices in `names` of indices in `parts`; -1 of -1 and of the ground."""
        return self._entities[parts]


@dataclass(frozen=True, eq=False, slots=True)
class SceneState:
    """
    A world as images show it at one instant; nothing changes it, so that threads can share it.

    Attributes
    ----------
    scene : SceneModel
    time_ns : int
        Simulated time since the start [ns].
    poses : array
        Joints and poses, in the order of MuJoCo.
    groups : array of int32, shape (geoms,)
        Which geoms are visible, as the states of entities select them.

    """

    scene: SceneModel
    time_ns: int
    poses: Array
    groups: NDArray[np.int32]

    def alone(self, name: str) -> SceneState:
        """Return the same instant with one entity, and nothing else of the world."""
        entities = self.scene.entities_of(self.scene.model.geom_bodyid)
        own = entities == self.scene.names.index(name)
        return replace(self, groups=np.where(own, self.groups, HIDDEN).astype(np.int32))

    def restore(self, data: Any) -> None:
        """Set all poses in MuJoCo's data of the model, and which geoms are visible."""
        model = self.scene.model
        model.geom_group[:] = self.groups
        mujoco.mj_setState(model, data, self.poses, _POSES)
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_camlight(model, data)
        if model.nflex:
            mujoco.mj_flex(model, data)
        if model.ntendon:
            mujoco.mj_tendon(model, data)


class SceneStates:
    """Copies the states of a world; its model is copied when entities were added or removed."""

    def __init__(self) -> None:
        self._compiled: Any = None
        self._scene: SceneModel | None = None

    def copy(self, engine: Engine) -> SceneState:
        """Copy the present state."""
        physics = engine.physics
        if self._scene is None or physics.model is not self._compiled:
            self._compiled = physics.model
            self._scene = SceneModel(_copied(physics.model), tuple(physics.owners))
        poses = np.empty(mujoco.mj_stateSize(physics.model, _POSES))
        mujoco.mj_getState(physics.model, physics.data, poses, _POSES)
        return SceneState(self._scene, physics.time_ns, poses, physics.model.geom_group.copy())


def _copied(model: Any) -> Any:
    """Copy a model, with its ground under all floors that lie at the same height."""
    copied = copy.copy(model)
    ground = (model.geom_bodyid == 0) & (model.geom_type == int(mujoco.mjtGeom.mjGEOM_PLANE))
    copied.geom_pos[ground, 2] -= UNDER_FLOORS
    copied.geom_sameframe[ground] = int(mujoco.mjtSameFrame.mjSAMEFRAME_NONE)
    _move_sun(copied)
    return copied


def _move_sun(model: Any) -> None:
    """Move the sun behind all things: nothing behind a light has a shadow in MuJoCo."""
    sun = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_LIGHT, SUN_NAME)
    if sun >= 0:
        model.light_pos[sun] = model.stat.center - model.stat.extent * model.light_dir[sun]
