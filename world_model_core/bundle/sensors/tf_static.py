# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Reader of tf_static.json, a tf2_msgs/TFMessage as JSON.

The version is optional, because the message has none; if present, it is checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.bundle.bundle_paths import Version
from world_model_core.bundle.sensors.frame_names import frame_name
from world_model_core.bundle.values import StaticTransform
from world_model_core.files.json_reader import read_json
from world_model_core.files.mapping_schemas import MappingSchema, optional, read_mapping
from world_model_core.files.value_schemas import METERS, AnyValue, ListOf, Number, is_unit
from world_model_core.frames import pose_transform

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from world_model_core.files.parsed_document import ValueLocation
    from world_model_core.findings import Findings
    from world_model_core.gaussian import Array


def read_tf_static(
    path: Path, file: str, findings: Findings
) -> tuple[StaticTransform, ...] | None:
    """
    Read tf_static.json.

    Parameters
    ----------
    path : Path
    file : str
        Name of the file in findings.
    findings : Findings
        Receives the findings.

    Returns
    -------
    tuple of StaticTransform, or None
        In the order of the file; None after an error.

    """
    fields = read_mapping(read_json(path, file, findings), _MESSAGE)
    return None if fields is None else fields['transforms']


def _check_tree(fields: dict[str, Any], location: ValueLocation) -> dict[str, Any]:
    transforms: tuple[StaticTransform, ...] = fields['transforms']
    here = location.member('transforms')
    if not transforms:
        here.report('TfStatic.Empty')
    parents: dict[str, str] = {}
    indices: dict[str, int] = {}
    for index, each in enumerate(transforms):
        child, parent = each.child_frame_id, each.frame_id
        if child == parent:
            here.member(index).report('TfStatic.OwnParent', found=child)
        elif child in parents:
            values = {'found': child, 'parent': parent, 'other': parents[child]}
            here.member(index).report('TfStatic.ChildTwice', **values)
        else:
            parents[child], indices[child] = parent, index
    for child in _cycles(parents):
        values = {'found': child, 'parent': parents[child]}
        here.member(indices[child]).report('TfStatic.Cycle', **values)
    _check_roots(parents, here)
    return fields


def _cycles(parents: dict[str, str]) -> Iterator[str]:
    """Yield a frame of each cycle; every frame is visited once."""
    walks: dict[str, int] = {}
    for walk, frame in enumerate(parents):
        above = frame
        while above in parents and above not in walks:
            walks[above] = walk
            above = parents[above]
        # This walk reached itself, not the end or an earlier walk.
        if walks.get(above) == walk:
            yield above


def _check_roots(parents: dict[str, str], location: ValueLocation) -> None:
    """Report more than one tree of transforms."""
    roots = dict.fromkeys(parent for parent in parents.values() if parent not in parents)
    if len(roots) > 1:
        location.report('TfStatic.SeveralRoots', found=', '.join(roots))


def _static(fields: dict[str, Any], location: ValueLocation) -> StaticTransform:
    del location
    parent, pose = fields['header']['frame_id'], fields['transform']
    transform = pose_transform(pose['translation'], pose['rotation'])
    return StaticTransform(parent, fields['child_frame_id'], transform)


def _vector(fields: dict[str, Any], location: ValueLocation) -> Array:
    del location
    return np.array([fields[axis] for axis in 'xyz'])


def _quaternion(fields: dict[str, Any], location: ValueLocation) -> Array | None:
    quaternion = np.array([fields[axis] for axis in 'xyzw'])
    return quaternion if is_unit(quaternion, 'TfStatic', location) else None


_FRAME = frame_name('TfStatic')
_HEADER = MappingSchema(
    # The stamp of a static transform is not used; seq is a counter of ROS 1.
    {'frame_id': _FRAME, 'stamp': optional(AnyValue()), 'seq': optional(AnyValue())}
)
_TRANSFORM = MappingSchema(
    {
        'translation': MappingSchema(dict.fromkeys('xyz', METERS), _vector),
        'rotation': MappingSchema({axis: Number() for axis in 'xyzw'}, _quaternion),
    }
)
_STATIC = MappingSchema(
    {'header': _HEADER, 'child_frame_id': _FRAME, 'transform': _TRANSFORM}, _static
)
_MESSAGE = MappingSchema(
    {'version': optional(Version()), 'transforms': ListOf(_STATIC)}, _check_tree
)
