# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
What controllers write: one table of the attributes, their values and the modes that allow them.

The modes are those of SIGVerse (its manual, mode.html): without dynamics an object is moved by its
position, orientation and joint angles; with dynamics it moves by forces, torques and velocities.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.virtual_world.agents.value_kinds import ValueKind, check_values
from world_model_core.virtual_world.engine.errors import UnknownPartError, WrongModeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.virtual_world.agents.value_kinds import ValueTypes

__all__ = ['WRITABLE', 'Mode', 'Writable', 'Write', 'check_mode', 'checked_values']


@dataclass(frozen=True, slots=True)
class Write:
    """
    What a controller has written to one attribute of an entity.

    Attributes
    ----------
    entity : str
    attribute : str
        One of `WRITABLE`.
    value : tuple
        As many values as `WRITABLE` says: texts, numbers, flags, tuples of numbers or None.

    """

    entity: str
    attribute: str
    value: tuple[object, ...]


class Mode(Enum):
    """In which mode of the entity an attribute can be written."""

    ALWAYS = 'always'
    WITH_DYNAMICS = 'with dynamics'
    WITHOUT_DYNAMICS = 'without dynamics'


class Writable(NamedTuple):
    """
    How an attribute is written.

    Attributes
    ----------
    mode : Mode
    values : tuple of tuple
        Name and kind of each.

    """

    mode: Mode
    values: ValueTypes


def _writable(mode: Mode, **values: ValueKind) -> Writable:
    return Writable(mode, tuple(values.items()))


_TEXT, _FLAG, _NUMBER, _VECTOR = (
    ValueKind.TEXT,
    ValueKind.FLAG,
    ValueKind.NUMBER,
    ValueKind.VECTOR,
)
_QUATERNION = ValueKind.QUATERNION

# SI units, the frame `world`, quaternions xyzw.
WRITABLE: dict[str, Writable] = {
    'position': _writable(Mode.WITHOUT_DYNAMICS, position=_VECTOR),
    'orientation': _writable(Mode.WITHOUT_DYNAMICS, orientation=_QUATERNION),
    'linear_velocity': _writable(Mode.WITH_DYNAMICS, velocity=_VECTOR),
    'angular_velocity': _writable(Mode.WITH_DYNAMICS, velocity=_VECTOR),
    'dynamics': _writable(Mode.ALWAYS, dynamics=_FLAG),
    'gravity': _writable(Mode.ALWAYS, gravity=_FLAG),
    'collides': _writable(Mode.ALWAYS, collides=_FLAG),
    'mass': _writable(Mode.ALWAYS, mass=_NUMBER),
    'graspable': _writable(Mode.ALWAYS, graspable=_FLAG),
    'grasp_radius': _writable(Mode.ALWAYS, radius=_NUMBER),
    'attribute': _writable(Mode.ALWAYS, name=_TEXT, value=ValueKind.ATTRIBUTE),
    'state': _writable(Mode.ALWAYS, name=_TEXT, value=_TEXT),
    'wrench': _writable(
        Mode.WITH_DYNAMICS, part=_TEXT, force=_VECTOR, torque=_VECTOR, at=ValueKind.POINT
    ),
    'joint_angle': _writable(Mode.WITHOUT_DYNAMICS, joint=_TEXT, angle=_NUMBER),
    'joint_quaternion': _writable(Mode.WITHOUT_DYNAMICS, joint=_TEXT, orientation=_QUATERNION),
    'joint_target': _writable(Mode.WITH_DYNAMICS, joint=_TEXT, angle=_NUMBER),
    'joint_velocity': _writable(Mode.ALWAYS, joint=_TEXT, velocity=_NUMBER),
    'joint_torque': _writable(Mode.WITH_DYNAMICS, joint=_TEXT, torque=_NUMBER),
    'connection': _writable(Mode.ALWAYS, name=_TEXT, part=_TEXT, other=_TEXT, other_part=_TEXT),
    'disconnection': _writable(Mode.ALWAYS, name=_TEXT),
    'grasp': _writable(Mode.ALWAYS, part=_TEXT, thing=_TEXT),
    'release': _writable(Mode.ALWAYS, part=_TEXT),
    'camera': _writable(
        Mode.ALWAYS,
        id=ValueKind.WHOLE,
        part=_TEXT,
        position=_VECTOR,
        orientation=_QUATERNION,
        vertical_fov=_NUMBER,
        aspect_ratio=_NUMBER,
    ),
    'wheels': _writable(
        Mode.ALWAYS, radius=_NUMBER, separation=_NUMBER, left_joint=_TEXT, right_joint=_TEXT
    ),
    'wheel_velocities': _writable(Mode.ALWAYS, left=_NUMBER, right=_NUMBER),
}

_REMEDIES = {
    Mode.WITH_DYNAMICS: 'has no dynamics; set dynamics = True before',
    Mode.WITHOUT_DYNAMICS: 'has dynamics; set dynamics = False before',
}


def check_mode(entity: str, attribute: str, *, dynamics: bool) -> None:
    """
    Check that the mode of an entity allows to write an attribute.

    Raises
    ------
    WrongModeError

    """
    mode = WRITABLE[attribute].mode
    if mode is not Mode.ALWAYS and dynamics is not (mode is Mode.WITH_DYNAMICS):
        raise WrongModeError(
            f'{attribute} of {entity!r} can be set {mode.value} only: {entity!r} {_REMEDIES[mode]}'
        )


def checked_values(entity: str, attribute: str, values: Sequence[object]) -> tuple[object, ...]:
    """
    Check and convert the values of a write.

    Parameters
    ----------
    entity, attribute : str
    values : sequence
        May come from others.

    Returns
    -------
    tuple
        Texts, floats, flags, tuples of floats, None.

    Raises
    ------
    UnknownPartError
        There is no such attribute.
    InvalidStateError
        The number of values or one of them is wrong.

    """
    writable = WRITABLE.get(attribute)
    if writable is None:
        raise UnknownPartError(f'entity {entity!r} has no attribute {attribute!r} to be written')
    return check_values(f'{attribute} of {entity!r}', writable.values, values)
