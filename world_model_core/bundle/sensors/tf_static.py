# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
tf_static.json: a tf2_msgs/TFMessage as JSON.

It needs no version, as the message has none; one that is there is checked as that of any file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.bundle.files.json_syntax import read_json
from world_model_core.bundle.files.records import Record, optional, read_record
from world_model_core.bundle.files.shapes import Anything, Items, Number, is_unit
from world_model_core.bundle.files.versions import Version
from world_model_core.bundle.sensors.frame_names import frame_name
from world_model_core.bundle.values import StaticTransform
from world_model_core.frames import pose_transform

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from world_model_core.bundle.files.syntax import Spot
    from world_model_core.bundle.findings import Findings
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
        How the findings name it.
    findings : Findings
        Are added to.

    Returns
    -------
    tuple of StaticTransform, or None
        In the order of the file; None if there is an error.

    """
    fields = read_record(read_json(path, file, findings), _MESSAGE)
    return None if fields is None else fields['transforms']


def _make(fields: dict[str, Any], spot: Spot) -> dict[str, Any]:
    transforms: tuple[StaticTransform, ...] = fields['transforms']
    here = spot.member('transforms')
    if not transforms:
        here.note('TfStatic.Empty')
    parents: dict[str, str] = {}
    indices: dict[str, int] = {}
    for index, each in enumerate(transforms):
        child, parent = each.child_frame_id, each.frame_id
        if child == parent:
            here.member(index).note('TfStatic.OwnParent', found=child)
        elif child in parents:
            told = {'found': child, 'parent': parent, 'other': parents[child]}
            here.member(index).note('TfStatic.ChildTwice', **told)
        else:
            parents[child], indices[child] = parent, index
    for child in _circles(parents):
        told = {'found': child, 'parent': parents[child]}
        here.member(indices[child]).note('TfStatic.Cycle', **told)
    _check_roots(parents, here)
    return fields


def _circles(parents: dict[str, str]) -> Iterator[str]:
    """Name a frame of each circle, looking at every frame once."""
    walks: dict[str, int] = {}
    for walk, frame in enumerate(parents):
        above = frame
        while above in parents and above not in walks:
            walks[above] = walk
            above = parents[above]
        # Where this walk met itself, and not the end or an earlier one.
        if walks.get(above) == walk:
            yield above


def _check_roots(parents: dict[str, str], spot: Spot) -> None:
    """Look for trees that hang together with no other."""
    roots = dict.fromkeys(parent for parent in parents.values() if parent not in parents)
    if len(roots) > 1:
        spot.note('TfStatic.SeveralRoots', found=', '.join(roots))


def _static(fields: dict[str, Any], spot: Spot) -> StaticTransform:
    del spot
    parent, pose = fields['header']['frame_id'], fields['transform']
    transform = pose_transform(pose['translation'], pose['rotation'])
    return StaticTransform(parent, fields['child_frame_id'], transform)


def _vector(fields: dict[str, Any], spot: Spot) -> Array:
    del spot
    return np.array([fields[axis] for axis in 'xyz'])


def _quaternion(fields: dict[str, Any], spot: Spot) -> Array | None:
    quaternion = np.array([fields[axis] for axis in 'xyzw'])
    return quaternion if is_unit(quaternion, 'TfStatic', spot) else None


_FRAME = frame_name('TfStatic')
_HEADER = Record(
    # A static transform holds at all times; ROS 1 counted messages.
    {'frame_id': _FRAME, 'stamp': optional(Anything()), 'seq': optional(Anything())}
)
_TRANSFORM = Record(
    {
        'translation': Record({axis: Number() for axis in 'xyz'}, _vector),
        'rotation': Record({axis: Number() for axis in 'xyzw'}, _quaternion),
    }
)
_STATIC = Record({'header': _HEADER, 'child_frame_id': _FRAME, 'transform': _TRANSFORM}, _static)
_MESSAGE = Record({'version': optional(Version()), 'transforms': Items(_STATIC)}, _make)
