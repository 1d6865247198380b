# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion of detections and objects to standard messages and back."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from geometry_msgs.msg import Quaternion, Vector3
from vision_msgs.msg import Detection3D, Detection3DArray, ObjectHypothesisWithPose
from visualization_msgs.msg import Marker

from world_model_core.errors import MalformedPacketError
from world_model_core.frames import quaternion_of, rotation_about_z
from world_model_core.objects.mapping.raw_detections import RawDetections
from world_model_core.objects.values import UNKNOWN, MapObject
from world_model_nodes.runtime.convert import header, point_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from std_msgs.msg import Header
    from visualization_msgs.msg import MarkerArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.values import Detections

# Prefix of the class of a hypothesis that contains a color.
COLOR = 'color:'
# Maximum number of detections in a frame; reading more would delay the node's other work.
MOST_DETECTIONS = 10_000
# Number of classes published for an object.
MOST_CLASSES = 5


def raw_detections_of(message: Detection3DArray) -> RawDetections:
    """
    Convert a detector's frame.

    The position of a detection is the center of its box, if it has one, or else that of its
    most likely hypothesis. The covariance is that of the hypothesis in both cases.

    Raises
    ------
    MalformedPacketError
        If there are more than `MOST_DETECTIONS`.

    """
    _check_count(len(message.detections))
    best = [_best(detection.results) for detection in message.detections]
    boxes = [detection.bbox for detection in message.detections]
    sizes = _rows([_xyz(box.size) for box in boxes], 3)
    centers = _rows([_xyz(box.center.position) for box in boxes], 3)
    places = _rows([_xyz(found.pose.pose.position) for found in best], 3)
    covariances = _rows([found.pose.covariance for found in best], 36)
    return RawDetections(
        labels=tuple(found.hypothesis.class_id for found in best),
        colors=tuple(_color(detection.results) for detection in message.detections),
        scores=np.array([found.hypothesis.score for found in best], dtype=np.float64),
        positions=np.where(np.any(sizes, axis=1, keepdims=True), centers, places),
        covariances=covariances.reshape(-1, 6, 6)[:, :3, :3],
        quaternions=_rows([_xyzw(box.center.orientation) for box in boxes], 4),
        sizes=sizes,
    )


def marker_detections(
    message: MarkerArray, deviation: float
) -> tuple[Header | None, RawDetections]:
    """
    Convert boxes that represent objects: `ns` is the label, `scale` length, width and height.

    Parameters
    ----------
    message : MarkerArray
    deviation : float
        Standard deviation of their positions along each axis [m].

    Returns
    -------
    Header or None
        That of the first box, which applies to all; None if there is none.
    RawDetections

    Raises
    ------
    MalformedPacketError
        If there are more than `MOST_DETECTIONS`, or their frames differ.

    """
    boxes = [m for m in message.markers if (m.type, m.action) == (Marker.CUBE, Marker.ADD)]
    _check_count(len(boxes))
    frames = {box.header.frame_id for box in boxes}
    if len(frames) > 1:
        raise MalformedPacketError(f'markers have different frames: {sorted(frames)[:3]}')
    count = len(boxes)
    raw = RawDetections(
        labels=tuple(box.ns for box in boxes),
        colors=(UNKNOWN,) * count,
        scores=np.ones(count),
        positions=_rows([_xyz(box.pose.position) for box in boxes], 3),
        covariances=np.tile(deviation**2 * np.eye(3), (count, 1, 1)),
        quaternions=_rows([_xyzw(box.pose.orientation) for box in boxes], 4),
        sizes=_rows([_xyz(box.scale) for box in boxes], 3),
    )
    return (boxes[0].header if boxes else None), raw


def detections_message(
    detections: Detections, frame_id: str, axes: Array | None = None
) -> Detection3DArray:
    """
    Convert detections to a message.

    Parameters
    ----------
    detections : Detections
        In a frame with z up.
    frame_id : str
        Frame of the message.
    axes : array, shape (3, 3), optional
        Rotation from the axes of the detections to those of the message's frame, with the same
        origin.

    """
    turn = np.eye(3) if axes is None else axes
    positions = detections.positions @ turn.T
    covariances = turn @ detections.covariances @ turn.T
    known = np.isfinite(detections.headings)
    boxes = turn @ rotation_about_z(np.where(known, detections.headings, 0.0))
    quaternions = np.where(known[:, None], quaternion_of(boxes), 0.0)
    message = Detection3DArray(header=header(detections.stamp_ns, frame_id))
    for index, label in enumerate(detections.labels):
        classes, color = {label: float(detections.scores[index])}, detections.colors[index]
        detection = _detection(
            message.header, classes, color, positions[index], covariances[index]
        )
        if np.isfinite(detections.sizes[index]).all():
            _set_box(detection, detections.sizes[index], quaternions[index])
        message.detections.append(detection)
    return message


def objects_message(
    objects: Sequence[MapObject], stamp_ns: int, frame_id: str
) -> Detection3DArray:
    """Convert objects of a map to a message with their ids and class probabilities."""
    message = Detection3DArray(header=header(stamp_ns, frame_id))
    for thing in objects:
        likeliest = sorted(thing.classes.items(), key=lambda pair: -pair[1])[:MOST_CLASSES]
        classes = dict(likeliest) or {thing.label: 1.0}
        detection = _detection(
            message.header, classes, thing.color, thing.position, thing.covariance
        )
        detection.id = thing.id
        if thing.size is not None:
            _set_box(detection, thing.size, _quaternion(thing.heading))
        message.detections.append(detection)
    return message


def objects_of(message: Detection3DArray) -> tuple[MapObject, ...]:
    """
    Convert a message of true objects, as `objects_message` writes it.

    Raises
    ------
    MalformedPacketError
        There are more than `MOST_DETECTIONS`, or a position or size is not finite.

    """
    raw = raw_detections_of(message)
    if not (np.isfinite(raw.positions).all() and np.isfinite(raw.sizes).all()):
        raise MalformedPacketError('positions and sizes of true objects must be finite')
    return tuple(
        MapObject(
            detection.id,
            raw.labels[index],
            raw.positions[index],
            raw.covariances[index],
            raw.sizes[index] if raw.sizes[index].any() else None,
            _heading(raw.quaternions[index]),
        )
        for index, detection in enumerate(message.detections)
    )


def _heading(quaternion: Array) -> float | None:
    """Return the heading [rad] of a rotation about z; None if it is unknown."""
    if not quaternion.any():
        return None
    _, _, z, w = quaternion.tolist()
    return 2.0 * math.atan2(z, w)


def _detection(
    head: Header, classes: Mapping[str, float], color: str, position: Array, covariance: Array
) -> Detection3D:
    """Create a detection with a box of size zero."""
    detection = Detection3D(header=head)
    words = classes if color == UNKNOWN else {**classes, COLOR + color: 1.0}
    wide = np.zeros((6, 6))
    wide[:3, :3] = covariance
    for word, score in words.items():
        result = ObjectHypothesisWithPose()
        result.hypothesis.class_id, result.hypothesis.score = word, score
        result.pose.pose.position = point_of(position)
        result.pose.covariance = wide.ravel()
        detection.results.append(result)
    detection.bbox.center.position = point_of(position)
    return detection


def _set_box(detection: Detection3D, size: Array, quaternion: Array) -> None:
    length, width, height = size.tolist()
    x, y, z, w = quaternion.tolist()
    detection.bbox.size = Vector3(x=length, y=width, z=height)
    detection.bbox.center.orientation = Quaternion(x=x, y=y, z=z, w=w)


def _quaternion(heading: float | None) -> Array:
    """Return the rotation about z by a heading [rad]; zeros if it is unknown."""
    if heading is None:
        return np.zeros(4)
    return quaternion_of(rotation_about_z(heading))


def _best(results: Sequence[ObjectHypothesisWithPose]) -> ObjectHypothesisWithPose:
    """Return the most likely class; an empty hypothesis if there is none."""
    named = [found for found in results if not found.hypothesis.class_id.startswith(COLOR)]
    return max(named, key=_score, default=ObjectHypothesisWithPose())


def _color(results: Sequence[ObjectHypothesisWithPose]) -> str:
    colors = [found for found in results if found.hypothesis.class_id.startswith(COLOR)]
    if not colors:
        return UNKNOWN
    name: str = max(colors, key=_score).hypothesis.class_id
    return name.removeprefix(COLOR) or UNKNOWN


def _score(result: ObjectHypothesisWithPose) -> float:
    return float(result.hypothesis.score)


def _check_count(count: int) -> None:
    if count > MOST_DETECTIONS:
        raise MalformedPacketError(
            f'a frame has {count} detections; the maximum is {MOST_DETECTIONS}'
        )


def _rows(values: Sequence[Sequence[float]], columns: int) -> Array:
    """Stack rows; no rows give shape (0, columns)."""
    stacked: Array = np.array(values, dtype=np.float64).reshape(-1, columns)
    return stacked


def _xyz(place: Vector3) -> tuple[float, float, float]:
    return place.x, place.y, place.z


def _xyzw(turn: Quaternion) -> tuple[float, float, float, float]:
    return turn.x, turn.y, turn.z, turn.w
