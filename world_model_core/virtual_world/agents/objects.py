# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Objects of a world, as the author of a controller reads and changes them.

A value is that of the beginning of the handler, or what the controller has assigned since. The
world gets what is assigned when the handler has ended.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.frames import heading_of, quaternion_of, rotation_of
from world_model_core.virtual_world.agents.object_devices import ObjectDevices
from world_model_core.virtual_world.agents.object_parts import ObjectParts
from world_model_core.virtual_world.agents.world_access import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import ArrayLike

    from world_model_core.virtual_world.agents.read_only_array import ReadOnlyArray
    from world_model_core.virtual_world.agents.world_access import WorldAccess

__all__ = ['SimObject']

# Attributes of world files that are elements of values here.
ELEMENTS = {
    **{name: ('position', index) for index, name in enumerate(('x', 'y', 'z'))},
    **{name: ('orientation', index) for index, name in enumerate(('qx', 'qy', 'qz', 'qw'))},
    **{name: ('linear_velocity', index) for index, name in enumerate(('vx', 'vy', 'vz'))},
    **{name: ('angular_velocity', index) for index, name in enumerate(('avx', 'avy', 'avz'))},
}
# Attributes of world files that have another name here.
RENAMED = {'collision': 'collides', 'graspRadius': 'grasp_radius', 'class': 'category'}
# Attributes of world files that say how the world begins: assigning them would change nothing.
_CAMERA = 'change the camera by set_camera (setCamPos, setCamDir, setCamFOV and so on)'
FIXED = {
    **dict.fromkeys(('FOV', 'aspectRatio', 'elnk1', 'elnk2'), _CAMERA),
    **{f'{point}{axis}': _CAMERA for point in ('vp', 'vv') for axis in 'xyz'},
    **{f'{each}{axis}{n}': _CAMERA for each in ('ep', 'ev') for axis in 'xyz' for n in '12'},
    **dict.fromkeys(('fx', 'fy', 'fz'), 'push it by add_force (addForce)'),
    **dict.fromkeys(('tqx', 'tqy', 'tqz'), 'turn it by add_torque (addTorque)'),
    **dict.fromkeys(('scalex', 'scaley', 'scalez'), 'its scale stays that of the start'),
}


class SimObject(ObjectParts, ObjectDevices):
    """
    An object of the world: a thing, person, robot or building.

    Lengths are in meters, angles in radians, quaternions are xyzw, in the frame `world`, whose z
    axis points upward. Besides the fields listed here it has all attributes of its world file, and
    its visible states, as fields: `tv.switch = 'on'`.

    Parameters
    ----------
    access : WorldAccess
    name : str

    """

    def __init__(self, access: WorldAccess, name: str) -> None:
        object.__setattr__(self, '_access', access)
        object.__setattr__(self, '_name', name)

    @property
    def category(self) -> str:
        """Class of the object, such as "cup"."""
        return self._properties.category

    @property
    def position(self) -> ReadOnlyArray:
        """Its position [m]; set without dynamics."""
        return self._array('position', self._state.pose.position)

    @position.setter
    def position(self, position: ArrayLike) -> None:
        self._write('position', position)

    @property
    def orientation(self) -> ReadOnlyArray:
        """Its orientation, a quaternion xyzw; set without dynamics."""
        return self._array('orientation', self._state.pose.orientation)

    @orientation.setter
    def orientation(self, orientation: ArrayLike) -> None:
        self._write('orientation', orientation)

    @property
    def heading(self) -> float:
        """Direction of its x axis about the vertical [rad]; set without dynamics."""
        return float(heading_of(rotation_of(self._state.pose.orientation)))

    @heading.setter
    def heading(self, heading: float) -> None:
        self.rotate((0.0, 0.0, 1.0), heading - self.heading)

    def rotate(self, axis: ArrayLike, angle: float, *, relative: bool = False) -> None:
        """
        Rotate about its position; without dynamics.

        Parameters
        ----------
        axis : array_like
            Of any length but 0, in the frame `world`.
        angle : float
            [rad]
        relative : bool
            Whether the axis is in the frame of the object instead.

        """
        direction = np.asarray(axis, dtype=np.float64)
        direction = direction / np.linalg.norm(direction)
        turn = rotation_of((*(np.sin(angle / 2.0) * direction), np.cos(angle / 2.0)))
        present = rotation_of(self._state.pose.orientation)
        self.orientation = quaternion_of(present @ turn if relative else turn @ present)

    @property
    def linear_velocity(self) -> ReadOnlyArray:
        """Its velocity [m/s]; set with dynamics."""
        return self._array('linear_velocity', self._state.linear_velocity)

    @linear_velocity.setter
    def linear_velocity(self, velocity: ArrayLike) -> None:
        self._write('linear_velocity', velocity)

    @property
    def angular_velocity(self) -> ReadOnlyArray:
        """Its angular velocity [rad/s]; set with dynamics."""
        return self._array('angular_velocity', self._state.angular_velocity)

    @angular_velocity.setter
    def angular_velocity(self, velocity: ArrayLike) -> None:
        self._write('angular_velocity', velocity)

    @property
    def movable(self) -> bool:
        """Whether it can move at all; a wall cannot."""
        return self._properties.movable

    @property
    def dynamics(self) -> bool:
        """Whether it moves by forces; otherwise its position and joint angles are set."""
        return self._properties.dynamics

    @dynamics.setter
    def dynamics(self, on: bool) -> None:
        self._write('dynamics', on)

    @property
    def gravity(self) -> bool:
        """Whether it has weight."""
        return self._properties.gravity

    @gravity.setter
    def gravity(self, on: bool) -> None:
        self._write('gravity', on)

    @property
    def collides(self) -> bool:
        """Whether it collides."""
        return self._properties.collides

    @collides.setter
    def collides(self, on: bool) -> None:
        self._write('collides', on)

    @property
    def mass(self) -> float:
        """Mass of all its parts [kg]."""
        return self._properties.mass

    @mass.setter
    def mass(self, mass: float) -> None:
        self._write('mass', mass)

    @property
    def graspable(self) -> bool:
        """Whether hands can grasp it."""
        return self._properties.graspable

    @graspable.setter
    def graspable(self, on: bool) -> None:
        self._write('graspable', on)

    @property
    def grasp_radius(self) -> float:
        """Largest distance of a hand that can grasp it [m]."""
        return self._properties.grasp_radius

    @grasp_radius.setter
    def grasp_radius(self, radius: float) -> None:
        self._write('grasp_radius', radius)

    @property
    def attributes(self) -> Mapping[str, str | float | bool]:
        """Attributes of its world file that are no fields here, in the units of the file."""
        return MappingProxyType(dict(self._properties.attributes))

    @property
    def states(self) -> Mapping[str, str]:
        """Values of its visible states, such as "switch"."""
        return MappingProxyType(dict(self._properties.states))

    def __getattr__(self, name: str) -> Any:
        """
        Return an attribute of the world file, or a visible state.

        Raises
        ------
        AttributeError
            It names those there are, the most similar one first.

        """
        if name.startswith('_'):
            raise AttributeError(f'{type(self).__name__} has no {name!r}')
        if name in ELEMENTS:
            field, index = ELEMENTS[name]
            return float(getattr(self, field)[index])
        if name in RENAMED:
            return getattr(self, RENAMED[name])
        for values in (self._properties.attributes, self._properties.states):
            if name in values:
                return values[name]
        raise self._unknown(name)

    def __setattr__(self, name: str, value: Any) -> None:
        """
        Assign a field, an attribute of the world file or a visible state.

        Raises
        ------
        AttributeError
            There is none of this name, or it cannot be assigned.

        """
        if name in ELEMENTS:
            field, index = ELEMENTS[name]
            values = getattr(self, field).tolist()
            values[index] = value
            setattr(self, field, values)
        elif name in RENAMED:
            setattr(self, RENAMED[name], value)
        elif isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        elif name in self._properties.attributes:
            if name in FIXED:
                raise AttributeError(f'{name} of {self._name!r} cannot be assigned: {FIXED[name]}')
            self._write('attribute', name, value)
        elif name in self._properties.states:
            self._write('state', name, value)
        else:
            raise self._unknown(name)

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same object of the world."""
        return isinstance(other, SimObject) and self._name == other._name

    def __hash__(self) -> int:
        """Return the hash of the name."""
        return hash(self._name)

    def __dir__(self) -> list[str]:
        """List the fields, attributes and states."""
        own = (each for each in super().__dir__() if not each.startswith('_'))
        return sorted({*own, *self._fields()})

    def __repr__(self) -> str:
        """Return name and class."""
        return f'SimObject({self._name!r}, category={self.category!r})'

    def _fields(self) -> set[str]:
        """Return the names of all that can be read."""
        return {
            *(name for name, each in _members(type(self)) if isinstance(each, property)),
            *ELEMENTS,
            *RENAMED,
            *self._properties.attributes,
            *self._properties.states,
        } - {'_state', '_properties', 'class'}

    def _unknown(self, name: str) -> AttributeError:
        there = nearest(name, self._fields(), most=200)
        return AttributeError(f'{self._name!r} has no attribute {name!r}; there are {there}')


def _members(kind: type) -> Iterator[tuple[str, object]]:
    """Return all attributes of a class by their names."""
    return ((name, getattr(kind, name)) for name in dir(kind))
