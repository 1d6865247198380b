# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Poses, velocities and contacts of a world: MuJoCo's arrays as values and back."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from world_model_core.frames import SHORTEST_QUATERNION
from world_model_core.virtual_world.engine.errors import InvalidStateError, WrongModeError
from world_model_core.virtual_world.engine.poses import compose, inverse, pose_of, wxyz, xyzw
from world_model_core.virtual_world.values import (
    EntityState,
    JointKind,
    JointState,
    PartContact,
    Pose,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.engine.handles import Handle, JointHandle
    from world_model_core.virtual_world.engine.physics import Physics
    from world_model_core.virtual_world.engine.welds import PartName
    from world_model_core.virtual_world.values import Vector

__all__ = ['States']

# Rounding of poses of entities that cannot move [m, 1].
SAME_POSE = 1e-9


class States:
    """
    Reads and writes the states of entities.

    Parameters
    ----------
    physics : Physics
    offsets, part_frames : mapping of str to Pose
        See Builder.

    """

    def __init__(
        self, physics: Physics, offsets: Mapping[str, Pose], part_frames: Mapping[str, Pose]
    ) -> None:
        self._physics = physics
        self._offsets = offsets
        self._part_frames = part_frames

    def all(self) -> dict[str, EntityState]:
        """Return the states of all entities."""
        handles = self._physics.handles
        return dict(zip(handles, self._read(handles), strict=True))

    def of(self, name: str) -> EntityState:
        """Return the state of an entity."""
        self._physics.handle(name)
        return next(iter(self._read([name])))

    def root_of(self, name: str) -> EntityState:
        """Return pose and velocities of an entity without its joints, in a tenth of the time."""
        physics, handle = self._physics, self._physics.handle(name)
        physics.update_poses()
        data, dof = physics.data, handle.dofs.start
        root = pose_of(data.xpos[handle.root].tolist(), data.xquat[handle.root].tolist())
        velocities = data.qvel[dof : dof + 6].tolist() if handle.free else [0.0] * 6
        return EntityState(*self._of_frame(name, root, velocities))

    def set(self, name: str, state: EntityState) -> None:
        """
        Set pose, velocities and the given joints of an entity.

        Raises
        ------
        InvalidStateError
            A number is not finite, or a quaternion is zero.
        UnknownPartError
            A joint does not exist.
        WrongModeError
            The entity is fixed to the world, and the pose differs.

        """
        physics, handle = self._physics, self._physics.handle(name)
        joints = [(physics.joint(name, joint), each) for joint, each in state.joints.items()]
        _check(name, 'pose', (*state.pose.position, *_unit(name, state.pose.orientation)))
        _check(name, 'velocity', (*state.linear_velocity, *state.angular_velocity))
        for joint, each in joints:
            _check_joint(name, joint, each)
        if handle.free:
            self._set_root(name, handle, state)
        else:
            self._require_same_pose(name, state.pose)
        for joint, each in joints:
            self._set_joint(joint, each)
        physics.mark_changed()

    def part_pose(self, name: str, part: str) -> Pose:
        """Return the pose of a part in the frame `world`."""
        body = self._physics.body(name, part)
        self._physics.update_poses()
        data = self._physics.data
        pose = pose_of(data.xpos[body].tolist(), data.xquat[body].tolist())
        if body == self._physics.handle(name).root and name in self._part_frames:
            return compose(pose, self._part_frames[name])
        return pose

    def bounds(self, name: str) -> tuple[Vector, Vector]:
        """
        Return the lower and upper corner of a box around an entity in the frame `world` [m].

        Endless planes and shapes that its state hides do not count; an entity without shapes has
        its position as both corners.
        """
        boxes = self.shape_boxes(name)
        if not len(boxes):
            x, y, z = self._physics.data.xpos[self._physics.handle(name).root].tolist()
            return (x, y, z), (x, y, z)
        return _vector(boxes[:, 0].min(axis=0).tolist()), _vector(boxes[:, 1].max(axis=0).tolist())

    def shape_boxes(self, name: str) -> Array:
        """
        Return the boxes around the shapes of an entity that `bounds` joins.

        Returns
        -------
        array, shape (n, 2, 3)
            Lower and upper corners in the frame `world` [m].

        """
        physics, handle = self._physics, self._physics.handle(name)
        physics.update_poses()
        model, data = physics.model, physics.data
        geoms = np.arange(handle.geoms.start, handle.geoms.stop)
        geoms = geoms[model.geom_type[geoms] != int(mujoco.mjtGeom.mjGEOM_PLANE)]
        rotations = data.geom_xmat[geoms].reshape(-1, 3, 3)
        centers, halves = model.geom_aabb[geoms, :3], model.geom_aabb[geoms, 3:]
        middles = data.geom_xpos[geoms] + np.einsum('nij,nj->ni', rotations, centers)
        extents = np.einsum('nij,nj->ni', np.abs(rotations), halves)
        return np.stack((middles - extents, middles + extents), axis=1)

    def contacts(self) -> tuple[PartContact, ...]:
        """Return the contacts of the last physics step."""
        data, owners = self._physics.data, self._physics.owners
        contact = data.contact
        # Contacts that the solver has left out have the row -1.
        active = np.flatnonzero(contact.efc_address >= 0)
        forces = data.efc_force[contact.efc_address[active]].tolist()
        bodies = self._physics.model.geom_bodyid[contact.geom[active]].tolist()
        positions, normals = contact.pos[active].tolist(), contact.frame[active, :3].tolist()
        depths = (-contact.dist[active]).tolist()
        return tuple(
            PartContact(
                owners[first],
                owners[second],
                _vector(positions[number]),
                _vector(normals[number]),
                forces[number],
                depths[number],
            )
            for number, (first, second) in enumerate(bodies)
        )

    def touching(self) -> tuple[tuple[PartName, PartName], ...]:
        """Return each pair of parts that touch in the last physics step; without the ground."""
        contact, owners = self._physics.data.contact, self._physics.owners
        geoms = contact.geom[contact.efc_address >= 0]
        bodies = self._physics.model.geom_bodyid[geoms]
        # Body 0 is the ground, on which most things rest.
        pairs = np.unique(np.sort(bodies[bodies.all(axis=1)], axis=1), axis=0)
        return tuple((owners[first], owners[second]) for first, second in pairs.tolist())

    def _read(self, names: Iterable[str]) -> Iterable[EntityState]:
        """Return the states of entities; arrays are read once for all."""
        physics = self._physics
        physics.update_poses()
        data = physics.data
        qpos, qvel = data.qpos.tolist(), data.qvel.tolist()
        positions, quaternions = data.xpos.tolist(), data.xquat.tolist()
        for name in names:
            handle = physics.handles[name]
            root = pose_of(positions[handle.root], quaternions[handle.root])
            dof = handle.dofs.start
            velocities = qvel[dof : dof + 6] if handle.free else [0.0] * 6
            frame = self._of_frame(name, root, velocities)
            joints = {
                joint.name: _joint_state(joint, qpos, qvel) for joint in handle.jointed.values()
            }
            yield EntityState(*frame, joints)

    def _of_frame(
        self, name: str, root: Pose, velocities: Sequence[float]
    ) -> tuple[Pose, Vector, Vector]:
        """Return pose and velocities of the frame of an entity from those of its root."""
        offset, linear = self._offsets[name], _vector(velocities[:3])
        angular = _turned(root, velocities[3:]) if any(velocities[3:]) else (0.0, 0.0, 0.0)
        if offset == Pose():
            return root, linear, angular
        pose = compose(root, inverse(offset))
        return pose, _moved(linear, angular, pose.position, root.position), angular

    def _set_root(self, name: str, handle: Handle, state: EntityState) -> None:
        data = self._physics.data
        frame = Pose(state.pose.position, _unit(name, state.pose.orientation))
        root = compose(frame, self._offsets[name])
        quaternion = np.array(wxyz(root.orientation))
        arm = np.subtract(root.position, frame.position)
        start, dof = handle.qpos.start, handle.dofs.start
        data.qpos[start : start + 3] = root.position
        data.qpos[start + 3 : start + 7] = quaternion
        data.qvel[dof : dof + 3] = state.linear_velocity + np.cross(state.angular_velocity, arm)
        # MuJoCo has angular velocities in the frame of the body.
        local, back = np.empty(3), np.empty(4)
        mujoco.mju_negQuat(back, quaternion)
        mujoco.mju_rotVecQuat(local, np.array(state.angular_velocity), back)
        data.qvel[dof + 3 : dof + 6] = local

    def _require_same_pose(self, name: str, pose: Pose) -> None:
        present = self.of(name).pose
        moved = np.abs(np.subtract(pose.position, present.position)).max()
        turned = 1.0 - abs(np.dot(_unit(name, pose.orientation), present.orientation))
        if max(moved, turned) > SAME_POSE:
            raise WrongModeError(f'entity {name!r} is fixed to the world and cannot be moved')

    def _set_joint(self, joint: JointHandle, state: JointState) -> None:
        data, width = self._physics.data, len(state.velocity)
        if joint.kind is JointKind.BALL:
            x, y, z, w = _unit(joint.name, state.position)
            data.qpos[joint.qpos : joint.qpos + 4] = (w, x, y, z)
        else:
            data.qpos[joint.qpos] = state.position[0]
        data.qvel[joint.dof : joint.dof + width] = state.velocity


def _joint_state(joint: JointHandle, qpos: Sequence[float], qvel: Sequence[float]) -> JointState:
    if joint.kind is JointKind.BALL:
        position = xyzw(qpos[joint.qpos : joint.qpos + 4])
        return JointState(position, tuple(qvel[joint.dof : joint.dof + 3]))
    return JointState((qpos[joint.qpos],), (qvel[joint.dof],))


def _check_joint(name: str, joint: JointHandle, state: JointState) -> None:
    widths = (4, 3) if joint.kind is JointKind.BALL else (1, 1)
    if (len(state.position), len(state.velocity)) != widths:
        raise InvalidStateError(
            f'joint {joint.name!r} of {name!r} has {len(state.position)} positions and '
            f'{len(state.velocity)} velocities; a {joint.kind.value} has {widths[0]} and '
            f'{widths[1]}'
        )
    _check(name, f'joint {joint.name!r}', (*state.position, *state.velocity))
    if joint.kind is JointKind.BALL:
        _unit(name, state.position)


def _check(name: str, what: str, values: Sequence[float]) -> None:
    if not all(map(math.isfinite, values)):
        raise InvalidStateError(f'{what} of {name!r} is {list(values)}; it must be finite')


def _unit(name: str, quaternion: Sequence[float]) -> Any:
    """Return a quaternion of length 1."""
    length = math.hypot(*quaternion)
    if not SHORTEST_QUATERNION < length < math.inf:
        raise InvalidStateError(
            f'quaternion of {name!r} is {list(quaternion)}; it must be finite and not zero'
        )
    return tuple(value / length for value in quaternion)


def _turned(pose: Pose, vector: Sequence[float]) -> Vector:
    """Rotate a vector from the frame of a pose to its parent's."""
    result = np.empty(3)
    mujoco.mju_rotVecQuat(result, np.array(vector), np.array(wxyz(pose.orientation)))
    return _vector(result.tolist())


def _moved(linear: Vector, angular: Vector, place: Vector, center: Vector) -> Vector:
    """Return the velocity of a place on a body that turns: v + w x r; numpy takes ten times."""
    x, y, z = (a - b for a, b in zip(place, center, strict=True))
    p, q, r = angular
    u, v, w = linear
    return u + q * z - r * y, v + r * x - p * z, w + p * y - q * x


def _vector(values: Sequence[float]) -> Vector:
    x, y, z = values
    return x, y, z
