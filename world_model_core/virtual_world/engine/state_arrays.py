# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The states of all entities as one array, read in a few operations on MuJoCo's arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.virtual_world.engine.poses import inverse, wxyz
from world_model_core.virtual_world.values import JointKind, Pose

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.engine.handles import Handle, JointHandle
    from world_model_core.virtual_world.engine.physics import Physics

__all__ = ['MOTION_NUMBERS', 'StateArrays', 'StateLayout']

# Pose, linear and angular velocity of an entity.
MOTION_NUMBERS = 13
_XYZW = (1, 2, 3, 0)


@dataclass(frozen=True, eq=False)
class StateLayout:
    """
    Where the numbers of each entity are.

    Attributes
    ----------
    names : tuple of str
        Of the entities.
    starts : array of int, shape (n + 1,)
        First number of each entity, and the end of all.

    """

    names: tuple[str, ...]
    starts: NDArray[np.intp]


class StateArrays:
    """
    Reads the states of all entities.

    The numbers of an entity are: position [m], orientation xyzw, linear velocity [m/s] and angular
    velocity [rad/s] in the frame `world`; position and velocity of each joint (a ball joint: 4 and
    3 numbers, others 1 and 1); and position and orientation of each part in the frame `world`.

    Parameters
    ----------
    physics : Physics
    offsets, part_frames : mapping of str to Pose
        See Builder.

    Attributes
    ----------
    layout : StateLayout
        A new one after each compilation.

    """

    def __init__(
        self, physics: Physics, offsets: Mapping[str, Pose], part_frames: Mapping[str, Pose]
    ) -> None:
        self._physics = physics
        self._offsets, self._part_frames = offsets, part_frames
        physics.compiled.append(self._bind)
        self._bind()

    def read(self) -> Array:
        """Return the numbers of all entities, shape (n,), see `layout`."""
        positions, quaternions = self._bodies()
        data = self._physics.data
        motions = self._motions(data)
        source = np.concatenate(
            [motions.ravel(), data.qpos, data.qvel, positions.ravel(), quaternions.ravel()]
        )
        return source[self._order]

    def part_poses(self, parts: Iterable[tuple[str, str]]) -> Array:
        """
        Return poses of parts in the frame `world`.

        Parameters
        ----------
        parts : iterable of tuple of str
            Names of entity and part.

        Returns
        -------
        array, shape (n, 7)
            x, y, z [m] and quaternion xyzw.

        """
        handles = self._physics.handles
        bodies = [handles[entity].parts[part] for entity, part in parts]
        positions, quaternions = self._bodies()
        return np.hstack((positions[bodies], quaternions[bodies][:, _XYZW])).reshape(-1, 7)

    def motions(self) -> Array:
        """Return pose and velocities of all entities, shape (n, 13); orientations wxyz."""
        self._physics.update_poses()
        return self._motions(self._physics.data)

    def masses(self) -> Array:
        """Return the mass of each entity [kg], shape (n,)."""
        masses: Array = np.add.reduceat(self._physics.model.body_mass, self._roots)
        return masses

    def _bodies(self) -> tuple[Array, Array]:
        """Return position and quaternion wxyz of the frames of all parts, by their bodies."""
        self._physics.update_poses()
        data = self._physics.data
        positions, quaternions = data.xpos.copy(), data.xquat.copy()
        self._part_shifts.apply(positions, quaternions, data.xmat)
        return positions, quaternions

    def _motions(self, data: Any) -> Array:
        """Return pose and velocities of all entities, shape (n, 13); orientations wxyz."""
        roots, free = self._roots, self._free
        motions = np.zeros((len(roots), MOTION_NUMBERS))
        motions[:, :3], motions[:, 3:7] = data.xpos[roots], data.xquat[roots]
        rotations = data.xmat[roots]
        velocities = data.qvel[self._dofs]
        motions[free, 7:10] = velocities[:, :3]
        # MuJoCo has angular velocities in the frame of the body.
        motions[free, 10:] = _rotated(rotations[free], velocities[:, 3:])
        shifts = self._entity_shifts
        if len(shifts.rows):
            shifts.apply(motions[:, :3], motions[:, 3:7], rotations)
            arms = motions[shifts.rows, :3] - data.xpos[roots[shifts.rows]]
            motions[shifts.rows, 7:10] += np.cross(motions[shifts.rows, 10:], arms)
        return motions

    def _bind(self) -> None:
        """Find all entities in a model that was compiled."""
        physics = self._physics
        handles = physics.handles
        self._roots = np.array([each.root for each in handles.values()], dtype=np.intp)
        free = [number for number, each in enumerate(handles.values()) if each.free]
        self._free = np.array(free, dtype=np.intp)
        first_dofs = [each.dofs.start for each in handles.values() if each.free]
        self._dofs = np.array(first_dofs, dtype=np.intp)[:, None] + np.arange(6)
        shifted = [self._offsets[name] for name in handles]
        self._entity_shifts = _Shifts(
            [number for number, offset in enumerate(shifted) if offset != Pose()],
            [inverse(offset) for offset in shifted if offset != Pose()],
        )
        self._part_shifts = _Shifts(
            [handles[name].root for name in self._part_frames], list(self._part_frames.values())
        )
        self._find_order(handles)

    def _find_order(self, handles: Mapping[str, Handle]) -> None:
        """Find where each number is in all arrays, one after the other."""
        model = self._physics.model
        qpos = MOTION_NUMBERS * len(handles)
        qvel = qpos + model.nq
        positions = qvel + model.nv
        quaternions = positions + 3 * model.nbody
        order: list[int] = []
        starts = [0]
        for number, handle in enumerate(handles.values()):
            first = MOTION_NUMBERS * number
            order += [first, first + 1, first + 2, *(first + 3 + each for each in _XYZW)]
            order += range(first + 7, first + MOTION_NUMBERS)
            for joint in handle.jointed.values():
                order += _joint_places(joint, qpos, qvel)
            for body in handle.parts.values():
                order += range(positions + 3 * body, positions + 3 * body + 3)
                order += [quaternions + 4 * body + each for each in _XYZW]
            starts.append(len(order))
        self._order = np.array(order, dtype=np.intp)
        self.layout = StateLayout(tuple(handles), np.array(starts, dtype=np.intp))


class _Shifts:
    """
    Frames that are fixed in others, by their rows in arrays.

    Parameters
    ----------
    rows : sequence of int
    poses : sequence of Pose
        In the frames of the rows.

    """

    def __init__(self, rows: Sequence[int], poses: Sequence[Pose]) -> None:
        self.rows = np.array(rows, dtype=np.intp)
        self._positions = np.array([each.position for each in poses]).reshape(-1, 3)
        products = [_right_product(*wxyz(each.orientation)) for each in poses]
        self._products = np.array(products).reshape(-1, 4, 4)

    def apply(self, positions: Array, quaternions: Array, rotations: Array) -> None:
        """
        Replace frames by those that are fixed in them.

        Parameters
        ----------
        positions : array, shape (n, 3)
        quaternions : array, shape (n, 4)
            wxyz
        rotations : array, shape (n, 9)
            The same as matrices, row by row; these are not replaced.

        """
        rows = self.rows
        positions[rows] += _rotated(rotations[rows], self._positions)
        quaternions[rows] = np.einsum('nij,nj->ni', self._products, quaternions[rows])


def _joint_places(joint: JointHandle, qpos: int, qvel: int) -> list[int]:
    first, dof = qpos + joint.qpos, qvel + joint.dof
    if joint.kind is JointKind.BALL:
        return [*(first + each for each in _XYZW), dof, dof + 1, dof + 2]
    return [first, dof]


def _rotated(rotations: Array, vectors: Array) -> Array:
    """Rotate vectors, shape (n, 3), by matrices row by row, shape (n, 9)."""
    rotated: Array = np.einsum('nij,nj->ni', rotations.reshape(-1, 3, 3), vectors)
    return rotated


def _right_product(w: float, x: float, y: float, z: float) -> list[list[float]]:
    """Return the matrix that multiplies a quaternion wxyz by this one from the right."""
    return [[w, -x, -y, -z], [x, w, z, -y], [y, -z, w, x], [z, y, -x, w]]
