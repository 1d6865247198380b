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

    def set_wheels(self, radius: float, separation: float) -> None:
        """Give it wheels: their radius, and the distance between them [m]."""
        self._write('wheels', radius, separation)

    def set_wheel_velocities(self, left: float, right: float) -> None:
        """
        Drive by the velocities of both wheels, until the next ones [rad/s].

        Raises
        ------
        WrongModeError
            It has no wheels.

        """
        if self.wheels is None:
            raise WrongModeError(f'{self._name!r} has no wheels; call set_wheels before')
        self._write('wheel_velocities', left, right)

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
