# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Hands, wheels, cameras and connections of an object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.virtual_world.agents.object_access import ObjectAccess
from world_model_core.virtual_world.agents.world_access import nearest
from world_model_core.virtual_world.engine.errors import (
    GraspError,
    GraspReason,
    InvalidStateError,
    UnknownPartError,
    WrongModeError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

    from world_model_core.virtual_world.values import Camera, Wheels

__all__ = ['ObjectDevices']


class ObjectDevices(ObjectAccess):
    """Hands, wheels, cameras and connections of an object: a part of SimObject."""

    @property
    def grasps(self) -> Mapping[str, str]:
        """Names of the things that it holds, by the names of its parts that hold them."""
        return dict(self._properties.grasps)

    @property
    def holder(self) -> str:
        """Name of the object that holds it; empty: none does."""
        return next(
            (
                name
                for name in self._access.names
                if self._name in self._access.state_of(name).properties.grasps.values()
            ),
            '',
        )

    def grasp(self, thing: str, part: str) -> None:
        """
        Hold a thing by a part.

        Parameters
        ----------
        thing : str
            Name of the thing.
        part : str
            Name of the hand.

        Raises
        ------
        GraspError
            It does not exist, cannot be grasped, is held or too far away; or the hand holds
            another one.

        """
        self._require('part', part, self._properties.parts)
        obstacle = self._query('grasp_obstacle', part=part, thing=thing)
        if obstacle is not None:
            reason, message = obstacle
            raise GraspError(GraspReason(reason), message)
        self._write('grasp', part, thing)

    def release(self, part: str) -> None:
        """Let the thing go that a part holds; nothing happens if it holds none."""
        self._require('part', part, self._properties.parts)
        self._write('release', part)

    def connect(self, name: str, other: str, *, part: str = '', other_part: str = '') -> None:
        """
        Hold a part of this object and one of another together, until they are disconnected.

        Parameters
        ----------
        name : str
            Of the connection.
        other : str
            Name of the other object.
        part, other_part : str
            Names of the parts; empty: the roots.

        """
        self._require('part', part, (*self._properties.parts, ''))
        parts = self._access.state_of(other).properties.parts
        if other_part and other_part not in parts:
            raise UnknownPartError(
                f'{other!r} has no part {other_part!r}; there are {nearest(other_part, parts)}'
            )
        self._write('connection', name, part, other, other_part)

    def disconnect(self, name: str) -> None:
        """Let the parts of a connection go."""
        self._write('disconnection', name)

    @property
    def wheels(self) -> Wheels | None:
        """Its wheels."""
        return self._properties.wheels

    def set_wheels(
        self,
        radius: float,
        separation: float,
        *,
        joints: tuple[str, str] | None = None,
        slip: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """
        Give it wheels.

        Parameters
        ----------
        radius, separation : float
            Of the wheels, and between them [m].
        joints : tuple of str, optional
            Hinges of the left and the right wheel, which are driven with dynamics; None: those
            that it has. Without dynamics the base itself is moved.
        slip : tuple of float
            Each time that velocities are set, a wheel loses a share of its velocity from 0 to
            this, uniformly distributed [0 to 1].

        Raises
        ------
        InvalidStateError
            A slip is not from 0 to 1.

        """
        left_slip, right_slip = slip
        if not (0.0 <= left_slip <= 1.0 and 0.0 <= right_slip <= 1.0):
            raise InvalidStateError(
                f'slip of the wheels of {self._name!r} is {slip}; both must be from 0 to 1'
            )
        for joint in joints or ():
            self._require('joint', joint, self._properties.joints)
        if joints is None and self.wheels is not None:
            joints = self.wheels.joints
        left, right = joints or ('', '')
        self._write('wheels', radius, separation, left, right)
        self._access.slips[self._name] = (left_slip, right_slip)

    def set_wheel_velocities(self, left: float, right: float) -> None:
        """
        Drive by the velocities of both wheels, until the next ones [rad/s].

        Raises
        ------
        WrongModeError
            It has no wheels, or it has dynamics and its wheels have no joints.

        """
        if self.wheels is None:
            raise WrongModeError(f'{self._name!r} has no wheels; call set_wheels before')
        if self._properties.dynamics and self.wheels.joints is None:
            error = (
                f'wheels of {self._name!r} have no joints: set dynamics = False before, so that '
                'its base is moved'
            )
            self._access.refuse('wheel_velocities', WrongModeError(error))
            return
        left_slip, right_slip = self._access.slips.get(self._name, (0.0, 0.0))
        self._write(
            'wheel_velocities',
            left * (1.0 - left_slip * self._access.draw(f'slip.{self._name}.left')),
            right * (1.0 - right_slip * self._access.draw(f'slip.{self._name}.right')),
        )

    @property
    def cameras(self) -> tuple[int, ...]:
        """Numbers of its cameras, 1 to 9."""
        return tuple(each.id for each in self._properties.cameras)

    def camera(self, number: int = 1) -> Camera:
        """
        Return a camera.

        Raises
        ------
        UnknownPartError
            There is no camera of this number.

        """
        for each in self._properties.cameras:
            if each.id == number:
                return each
        there = ', '.join(map(str, self.cameras)) or 'none'
        raise UnknownPartError(f'{self._name!r} has no camera {number}; there are {there}')

    def set_camera(
        self,
        number: int = 1,
        *,
        part: str | None = None,
        position: ArrayLike | None = None,
        orientation: ArrayLike | None = None,
        vertical_fov: float | None = None,
        aspect_ratio: float | None = None,
    ) -> None:
        """
        Change some values of a camera.

        Parameters
        ----------
        number : int
            1 to 9.
        part : str, optional
            Which carries it; empty: the root.
        position : array_like, optional
            In the frame of the part [m].
        orientation : array_like, optional
            Quaternion xyzw in the frame of the part; the camera looks along x.
        vertical_fov : float, optional
            [rad]
        aspect_ratio : float, optional
            Width per height.

        """
        camera = self.camera(number)
        self._require('part', part or '', (*self._properties.parts, ''))
        given = (part, position, orientation, vertical_fov, aspect_ratio)
        present = (
            camera.part,
            camera.pose.position,
            camera.pose.orientation,
            camera.vertical_fov,
            camera.aspect_ratio,
        )
        values = (old if new is None else new for new, old in zip(given, present, strict=True))
        self._write('camera', number, *values)
