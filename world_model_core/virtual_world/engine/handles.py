# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Where entities, parts and joints lie in the arrays of a MuJoCo model, found by their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from world_model_core.virtual_world.values import JointKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ['Handle', 'JointHandle', 'find_handles', 'owners_of']

_KINDS = {
    int(mujoco.mjtJoint.mjJNT_HINGE): JointKind.HINGE,
    int(mujoco.mjtJoint.mjJNT_SLIDE): JointKind.SLIDE,
    int(mujoco.mjtJoint.mjJNT_BALL): JointKind.BALL,
}
_FREE = int(mujoco.mjtJoint.mjJNT_FREE)


@dataclass(frozen=True, slots=True)
class JointHandle:
    """
    Where the state of a joint lies.

    Attributes
    ----------
    name : str
        Without the name of the entity.
    index : int
        In the model's joints.
    kind : JointKind
    qpos, dof : int
        First element in data.qpos and data.qvel.

    """

    name: str
    index: int
    kind: JointKind
    qpos: int
    dof: int


@dataclass(frozen=True, slots=True)
class Handle:
    """
    Where an entity lies in the present model; valid until the next compilation.

    Attributes
    ----------
    root : int
        Body of its root part.
    bodies, geoms, joints, dofs, qpos : slice
        Its ranges in the model.
    free : bool
        Whether its root has a free joint, the first of its joints.
    parts : mapping of str to int
        Body of each part.
    jointed : mapping of str to JointHandle
        Its hinges, slides and ball joints.

    """

    root: int
    bodies: slice
    geoms: slice
    joints: slice
    dofs: slice
    qpos: slice
    free: bool
    parts: Mapping[str, int]
    jointed: Mapping[str, JointHandle]


def owners_of(model: Any) -> list[tuple[str, str]]:
    """Return the names of entity and part of each body; ("", "") of the world."""
    names = _names(model.names, model.name_bodyadr)
    return [('', ''), *(_split(name) for name in names[1:])]


def find_handles(model: Any, owners: Sequence[tuple[str, str]]) -> dict[str, Handle]:
    """
    Find all entities of a model, in its order.

    Parameters
    ----------
    model : mujoco.MjModel
        The bodies of an entity follow each other.
    owners : sequence of tuple of str
        See `owners_of`.

    """
    starts: dict[str, int] = {}
    for index, (entity, _) in enumerate(owners):
        if entity:
            starts.setdefault(entity, index)
    firsts = list(starts.values())
    ends = [*firsts[1:], model.nbody]
    joints = [_split(name)[1] for name in _names(model.names, model.name_jntadr)]
    return {
        entity: _handle(model, slice(first, end), owners, joints)
        for entity, first, end in zip(starts, firsts, ends, strict=False)
    }


def _handle(
    model: Any, bodies: slice, owners: Sequence[tuple[str, str]], joint_names: Sequence[str]
) -> Handle:
    """Find the elements of the entity that has a range of bodies."""
    joints = _range(model.jnt_bodyid, bodies)
    addresses = model.jnt_qposadr
    types = model.jnt_type[joints].tolist()
    jointed = [
        JointHandle(
            joint_names[index],
            index,
            _KINDS[kind],
            int(addresses[index]),
            int(model.jnt_dofadr[index]),
        )
        for index, kind in enumerate(types, joints.start)
        if kind != _FREE
    ]
    return Handle(
        root=bodies.start,
        bodies=bodies,
        geoms=_range(model.geom_bodyid, bodies),
        joints=joints,
        dofs=_range(model.dof_bodyid, bodies),
        qpos=slice(_at(addresses, joints.start, model.nq), _at(addresses, joints.stop, model.nq)),
        free=bool(types) and types[0] == _FREE,
        parts={owners[index][1]: index for index in range(bodies.start, bodies.stop)},
        jointed={joint.name: joint for joint in jointed},
    )


def _names(names: bytes, addresses: NDArray[np.int32]) -> list[str]:
    """Return the names at addresses in the names of a model."""
    return [names[start : names.index(0, start)].decode() for start in addresses.tolist()]


def _split(name: str) -> tuple[str, str]:
    entity, _, element = name.partition('/')
    return entity, element


def _range(bodies: NDArray[np.int32], wanted: slice) -> slice:
    """Return the range of the elements of a range of bodies; elements are sorted by body."""
    start, stop = np.searchsorted(bodies, (wanted.start, wanted.stop)).tolist()
    return slice(start, stop)


def _at(addresses: NDArray[np.int32], index: int, end: int) -> int:
    return int(addresses[index]) if index < len(addresses) else end
