# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Wheels of robots in SIGVerse's files.

In SIGVerse a controller sets them, with the radius and the distance of the wheels (setWheel). Here
the class of a robot may declare them, so that it can be driven without a controller: wheelRadius,
wheelDistance, and the names of their hinges, leftWheelJoint and rightWheelJoint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.virtual_world.values import JointKind, Wheels

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from world_model_core.virtual_world.values import Attribute, Part

__all__ = ['WHEEL_ATTRIBUTES', 'read_wheels']

LENGTHS = ('wheelRadius', 'wheelDistance')
JOINTS = ('leftWheelJoint', 'rightWheelJoint')
WHEEL_ATTRIBUTES = (*LENGTHS, *JOINTS)
LIMITS = (1e-3, 10.0)  # [m]


def read_wheels(
    attributes: Mapping[str, Attribute],
    parts: Sequence[Part],
    unit: float,
    report: Callable[..., None],
) -> Wheels | None:
    """
    Read the wheels of an entity.

    Parameters
    ----------
    attributes : mapping of str to Attribute
    parts : sequence of Part
        Of the entity.
    unit : float
        Length of the files' unit [m].
    report : callable
        Adds a finding with a code and values.

    Returns
    -------
    Wheels or None
        None if the class declares none, or with a finding if a length is invalid. Without hinges,
        or with a finding if a name is not that of a hinge, the base itself is moved.

    """
    if LENGTHS[0] not in attributes:
        return None
    lengths = [_length(attributes, name, unit, report) for name in LENGTHS]
    if None in lengths:
        return None
    radius, separation = (length or 0.0 for length in lengths)
    return Wheels(radius, separation, _joints(attributes, parts, report))


def _length(
    attributes: Mapping[str, Attribute], name: str, unit: float, report: Callable[..., None]
) -> float | None:
    value = attributes[name].value if name in attributes else ''
    low, high = LIMITS
    if isinstance(value, float) and low <= value * unit <= high:
        return value * unit
    limits = f'{low / unit:g} to {high / unit:g}'
    report('Sigverse.OutOfRange', found=value, name=name, limits=limits)
    return None


def _joints(
    attributes: Mapping[str, Attribute], parts: Sequence[Part], report: Callable[..., None]
) -> tuple[str, str] | None:
    left, right = (str(attributes[name].value) if name in attributes else '' for name in JOINTS)
    if not left and not right:
        return None
    hinges = {p.joint.name for p in parts if p.joint and p.joint.kind is JointKind.HINGE}
    for name in (left, right):
        if name not in hinges:
            report('Sigverse.UnknownHinge', found=name)
            return None
    return left, right
