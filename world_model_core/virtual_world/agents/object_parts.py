# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parts and joints of an object, and forces on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.frames import rotation_of
from world_model_core.virtual_world.agents.events import Collision
from world_model_core.virtual_world.agents.object_access import ObjectAccess
from world_model_core.virtual_world.engine.errors import WrongModeError
from world_model_core.virtual_world.values import JointForce, JointKind

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from world_model_core.virtual_world.agents.read_only_array import ReadOnlyArray
    from world_model_core.virtual_world.values import Pose

__all__ = ['ObjectParts']

NOTHING = (0.0, 0.0, 0.0)


class ObjectParts(ObjectAccess):
    """Parts, joints and forces of an object: a part of SimObject."""

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of its parts, the root first."""
        return self._properties.parts

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of its hinges, slides and ball joints."""
        return tuple(self._properties.joints)

    def part_position(self, part: str) -> ReadOnlyArray:
        """Return the position of a part [m]."""
        return self._array(f'part_position({part!r})', self._part(part).position)

    def part_orientation(self, part: str) -> ReadOnlyArray:
        """Return the orientation of a part, a quaternion xyzw."""
        return self._array(f'part_orientation({part!r})', self._part(part).orientation)

    def joint_kind(self, joint: str) -> JointKind:
        """Return whether a joint is a hinge, a slide or a ball joint."""
        self._require('joint', joint, self.joints)
        return self._properties.joints[joint]

    def joint_of(self, part: str) -> str:
        """Return the name of the joint that moves a part; empty: it is fixed to its parent."""
        self._part(part)
        return str(self._query('joint_of', part=part))

    def part_radius(self, part: str) -> float:
        """Return the radius of the first cylinder or sphere of a part [m]; 0: it has none."""
        self._part(part)
        return float(self._query('part_radius', part=part))

    @property
    def joint_angles(self) -> dict[str, float]:
        """Angles of all hinges [rad], and positions of all slides [m]."""
        kinds = self._properties.joints
        return {
            name: each.position[0]
            for name, each in self._state.joints.items()
            if kinds[name] is not JointKind.BALL
        }

    def joint_angle(self, joint: str) -> float:
        """Return the angle of a hinge [rad], or the position of a slide [m]."""
        self._check_joint(joint, ball=False)
        return self._state.joints[joint].position[0]

    def joint_velocity(self, joint: str) -> float:
        """Return the velocity of a hinge [rad/s] or of a slide [m/s]."""
        self._check_joint(joint, ball=False)
        return self._state.joints[joint].velocity[0]

    def joint_quaternion(self, joint: str) -> ReadOnlyArray:
        """Return the rotation of a ball joint, a quaternion xyzw."""
        self._check_joint(joint, ball=True)
        return self._array(f'joint_quaternion({joint!r})', self._state.joints[joint].position)

    def joint_position(self, joint: str) -> ReadOnlyArray:
        """Return where a joint is, in the frame `world` [m]."""
        self._require('joint', joint, self.joints)
        found = self._query('joint_position', joint=joint)
        return self._array(f'joint_position({joint!r})', found)

    def joint_force(self, joint: str) -> tuple[JointForce, JointForce]:
        """Return what a joint exerted in the last physics step on its child and parent part."""
        self._require('joint', joint, self.joints)
        child, parent = self._query('joint_force', joint=joint)
        return JointForce(*child), JointForce(*parent)

    def set_joint_angle(self, joint: str, angle: float) -> None:
        """Set the angle of a hinge [rad] or the position of a slide [m]; without dynamics."""
        self._check_joint(joint, ball=False)
        self._write('joint_angle', joint, angle)

    def set_joint_quaternion(self, joint: str, orientation: ArrayLike) -> None:
        """Set the rotation of a ball joint, a quaternion xyzw; without dynamics."""
        self._check_joint(joint, ball=True)
        self._write('joint_quaternion', joint, orientation)

    def set_joint_target(self, joint: str, angle: float) -> None:
        """Drive a hinge to an angle [rad] or a slide to a position [m]; with dynamics."""
        self._check_joint(joint, ball=False)
        self._write('joint_target', joint, angle)

    def set_joint_velocity(self, joint: str, velocity: float) -> None:
        """Drive a hinge [rad/s] or slide [m/s] until its next velocity or target."""
        self._check_joint(joint, ball=False)
        self._write('joint_velocity', joint, velocity)

    def add_joint_torque(self, joint: str, torque: float) -> None:
        """Add a torque [N m] to a hinge or a force [N] to a slide for one step; with dynamics."""
        self._check_joint(joint, ball=False)
        self._write('joint_torque', joint, torque)

    def add_force(
        self,
        force: ArrayLike,
        at: ArrayLike | None = None,
        *,
        part: str = '',
        relative: bool = False,
        at_relative: bool = False,
    ) -> None:
        """
        Add a force for the next physics step; with dynamics.

        Parameters
        ----------
        force : array_like
            In the frame `world` [N].
        at : array_like, optional
            Where it acts, in the frame `world` [m]; None: at the center of mass.
        part : str
            On which part; empty: the root.
        relative, at_relative : bool
            Whether force and point are in the frame of the part instead.

        """
        pose = self._part(part)
        rotation = rotation_of(pose.orientation)
        if relative:
            force = rotation @ np.asarray(force)
        if at is not None and at_relative:
            at = rotation @ np.asarray(at) + pose.position
        self._write('wrench', part, force, NOTHING, at)

    def add_torque(self, torque: ArrayLike, *, part: str = '') -> None:
        """Add a torque in the frame `world` [N m] for the next physics step; with dynamics."""
        self._part(part)
        self._write('wrench', part, NOTHING, torque, None)

    def contacts(self) -> tuple[Collision, ...]:
        """Return what the object touched in the last physics step; the ground does not count."""
        return tuple(Collision(*each) for each in self._query('contacts'))

    def pointing_vector(self, first_joint: str, second_joint: str) -> ReadOnlyArray:
        """
        Return the direction from a joint to another one.

        Returns
        -------
        array, shape (3,)
            Of length 1, or 0 if both are at one place, in the frame `world`.

        """
        ahead = self.joint_position(second_joint) - self.joint_position(first_joint)
        length = float(np.linalg.norm(ahead))
        name = f'pointing_vector({first_joint!r}, {second_joint!r})'
        return self._array(name, (ahead / length if length else ahead).tolist())

    def pointed_objects(self, first_joint: str, second_joint: str) -> tuple[str, ...]:
        """
        Return the objects ahead of a pointing arm, the best first.

        They are ordered by the distance from the line through both joints to the sphere around
        each object (SIGVerse's getPointedObject, type 1). The object itself does not count.
        """
        for joint in (first_joint, second_joint):
            self._require('joint', joint, self.joints)
        return tuple(self._query('pointed_objects', first=first_joint, second=second_joint))

    def _part(self, part: str) -> Pose:
        """Return the pose of a part; of the root if its name is empty."""
        poses = self._state.parts
        self._require('part', part, (*poses, ''))
        return poses[part] if part else next(iter(poses.values()))

    def _check_joint(self, joint: str, *, ball: bool) -> None:
        kinds = self._properties.joints
        self._require('joint', joint, kinds)
        if ball is not (kinds[joint] is JointKind.BALL):
            has = 'a quaternion' if not ball else 'an angle'
            raise WrongModeError(
                f'joint {joint!r} of {self._name!r} is a {kinds[joint].value}: it has {has}'
            )
