# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Attributes of world files by their names, in the units and axes of the file.

Most are those that the object keeps; those of position, rotation and modes are values of the
physics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from world_model_core.virtual_world.agents.world_access import nearest
from world_model_core.virtual_world.shapes.file_axes import (
    orientation_from_wxyz,
    orientation_to_wxyz,
)

if TYPE_CHECKING:
    from world_model_core.virtual_world.agents.objects import SimObject
    from world_model_core.virtual_world.agents.original_units import OriginalUnits

__all__ = ['FILE_ATTRIBUTES', 'attribute_names', 'read_attribute', 'write_attribute']


class _Element(NamedTuple):
    """Element of a vector of an object: its field, axis and dimension of length."""

    field: str
    axis: int
    dimension: int


ELEMENTS = {
    **{name: _Element('position', index, 1) for index, name in enumerate(('x', 'y', 'z'))},
    **{
        name: _Element('linear_velocity', index, 1)
        for index, name in enumerate(('vx', 'vy', 'vz'))
    },
    **{
        name: _Element('angular_velocity', index, 0)
        for index, name in enumerate(('avx', 'avy', 'avz'))
    },
}
ROTATION = ('qw', 'qx', 'qy', 'qz')
# Fields of the same value, and those that are lengths.
SAME = {
    'name': 'name',
    'class': 'category',
    'mass': 'mass',
    'dynamics': 'dynamics',
    'collision': 'collides',
    'graspable': 'graspable',
}
LENGTHS = {'graspRadius': 'grasp_radius'}
# Names of the attributes that are fields of an object.
FILE_ATTRIBUTES = (*ELEMENTS, *ROTATION, *SAME, *LENGTHS)


def attribute_names(thing: SimObject) -> tuple[str, ...]:
    """Return the names of all attributes and visible states of an object."""
    return (*FILE_ATTRIBUTES, *thing.attributes, *thing.states)


def read_attribute(thing: SimObject, units: OriginalUnits, name: str) -> Any:
    """
    Return the value of an attribute.

    Raises
    ------
    AttributeError
        There is none of this name.

    """
    if name in ELEMENTS:
        field, axis, dimension = ELEMENTS[name]
        return units.from_si(getattr(thing, field), dimension)[axis]
    if name in ROTATION:
        return orientation_to_wxyz(thing.orientation)[ROTATION.index(name)]
    if name in LENGTHS:
        return getattr(thing, LENGTHS[name]) / units.length
    if name in SAME:
        return getattr(thing, SAME[name])
    return {**thing.states, **thing.attributes}[_kept(thing, name)]


def write_attribute(thing: SimObject, units: OriginalUnits, name: str, value: Any) -> None:
    """
    Set the value of an attribute.

    Raises
    ------
    AttributeError
        There is none of this name, or it cannot be set.

    """
    if name in ELEMENTS:
        field, axis, dimension = ELEMENTS[name]
        vector = list(units.from_si(getattr(thing, field), dimension))
        vector[axis] = value
        setattr(thing, field, units.to_si(vector, dimension))
    elif name in ROTATION:
        rotation = list(orientation_to_wxyz(thing.orientation))
        rotation[ROTATION.index(name)] = value
        thing.orientation = orientation_from_wxyz(rotation)
    elif name in LENGTHS:
        setattr(thing, LENGTHS[name], value * units.length)
    elif name in SAME:
        setattr(thing, SAME[name], value)
    else:
        setattr(thing, _kept(thing, name), value)


def _kept(thing: SimObject, name: str) -> str:
    """Check that an object keeps an attribute or a visible state."""
    if name not in {*thing.attributes, *thing.states}:
        there = nearest(name, attribute_names(thing), most=200)
        raise AttributeError(f'{thing.name!r} has no attribute {name!r}; there are {there}')
    return name
