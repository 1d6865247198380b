# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Poses of bodies and frames in MJCF, in all forms of its orientations."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial.transform import Rotation

from world_model_core.frames import (
    FrameError,
    Transform,
    compose,
    quaternion_of,
    rotation_of,
)
from world_model_core.virtual_world.values import Pose
from world_model_core.virtual_world.worlds.model_numbers import numbers
from world_model_core.virtual_world.xml_files import place

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lxml.etree import _Element as Element

    from world_model_core.files.file_findings import FileFindings
    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.worlds.mjcf_settings import CompilerSettings

__all__ = ['ORIENTATIONS', 'pose_in_world']

# Attributes of an orientation (MuJoCo's documentation, "Frame orientations"), and their numbers.
ORIENTATIONS = {'quat': 4, 'axisangle': 4, 'euler': 3, 'xyaxes': 6, 'zaxis': 3}
SHORTEST = 1e-10


def pose_in_world(
    chain: Sequence[Element], settings: CompilerSettings, notes: FileFindings
) -> Pose:
    """
    Return the pose of a body.

    Parameters
    ----------
    chain : sequence of Element
        The body, and the frames around it from the innermost on.
    settings : CompilerSettings
        Unit of angles and order of Euler angles.
    notes : FileFindings
        Receives invalid numbers.

    """
    found = reduce(compose, (_transform(each, settings, notes) for each in chain))
    x, y, z = found.translation.tolist()
    qx, qy, qz, qw = quaternion_of(found.rotation).tolist()
    return Pose((x, y, z), (qx, qy, qz, qw))


def _transform(element: Element, settings: CompilerSettings, notes: FileFindings) -> Transform:
    position = np.array(numbers(element, 'pos', (0.0, 0.0, 0.0), notes))
    name = next((each for each in ORIENTATIONS if each in element.attrib), None)
    if name is None:
        return Transform(np.eye(3), position)
    values = np.array(numbers(element, name, (0.0,) * ORIENTATIONS[name], notes))
    try:
        return Transform(_ROTATIONS[name](values, settings), position)
    except (FrameError, ValueError):
        notes.add('Model.NumberInvalid', place(element), name=name, found=element.get(name))
        return Transform(np.eye(3), position)


def _from_quaternion(values: Array, _settings: CompilerSettings) -> Array:
    return rotation_of(values[[1, 2, 3, 0]])


def _from_axis_angle(values: Array, settings: CompilerSettings) -> Array:
    return _matrix(Rotation.from_rotvec(_unit(values[:3]) * values[3] * settings.angle_unit))


def _from_euler(values: Array, settings: CompilerSettings) -> Array:
    rotation = Rotation.identity()
    for letter, angle in zip(settings.kept.get('eulerseq', 'xyz'), values, strict=True):
        one = Rotation.from_euler(letter.lower(), angle * settings.angle_unit)
        # In lower case: about the axis that turned with the body; else about the fixed one.
        rotation = rotation * one if letter.islower() else one * rotation
    return _matrix(rotation)


def _from_two_axes(values: Array, _settings: CompilerSettings) -> Array:
    x = _unit(values[:3])
    y = _unit(values[3:] - x * (x @ values[3:]))
    return np.column_stack((x, y, np.cross(x, y)))


def _from_z_axis(values: Array, _settings: CompilerSettings) -> Array:
    """Return the smallest rotation from z to an axis."""
    axis = _unit(values)
    across = np.cross((0.0, 0.0, 1.0), axis)
    length = float(np.linalg.norm(across))
    direction = across / length if length > SHORTEST else np.array((1.0, 0.0, 0.0))
    return _matrix(Rotation.from_rotvec(direction * np.arctan2(length, axis[2])))


_ROTATIONS: dict[str, Callable[[Array, CompilerSettings], Array]] = {
    'quat': _from_quaternion,
    'axisangle': _from_axis_angle,
    'euler': _from_euler,
    'xyaxes': _from_two_axes,
    'zaxis': _from_z_axis,
}


def _unit(vector: Array) -> Array:
    length = float(np.linalg.norm(vector))
    if length < SHORTEST:
        raise FrameError('an axis is zero')
    return vector / length


def _matrix(rotation: Rotation) -> Array:
    return np.asarray(rotation.as_matrix(), dtype=np.float64)
