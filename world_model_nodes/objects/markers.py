# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion of objects to markers, for RViz and Foxglove."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from geometry_msgs.msg import Quaternion, Vector3
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from world_model_core.frames import quaternion_of
from world_model_core.gaussian import chi_square_gate
from world_model_core.objects.values import ObjectState
from world_model_core.view.house_objects import object_color
from world_model_nodes.runtime.convert import color_of, header, point_of
from world_model_nodes.runtime.convert import quaternion_of as turn_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from std_msgs.msg import Header

    from world_model_core.gaussian import Array
    from world_model_core.objects.values import MapObject

# Squared radius of the 95 % ellipsoid in three dimensions, and the least variance that is drawn
# [m^2].
ELLIPSOID, LEAST_VARIANCE = chi_square_gate(3, 0.95), 1e-8
LETTERS = 0.12  # height of labels [m]
UNCERTAINTY_OPACITY = 0.3


def object_markers(objects: Sequence[MapObject], stamp_ns: int, frame_id: str) -> MarkerArray:
    """
    Convert objects to markers: box if the size is known, ellipsoid of the position, and name.

    The first marker deletes all previous ones, so that no marker of a deleted object stays,
    even if messages were missed.
    """
    head = header(stamp_ns, frame_id)
    message = MarkerArray(markers=[Marker(header=head, action=Marker.DELETEALL)])
    for number, thing in enumerate(objects):
        message.markers += _draw(head, number, thing)
    return message


def box_marker(thing: MapObject, stamp_ns: int, frame_id: str) -> Marker:
    """Return an object's box in the format of the challenge's answers: `ns` is its label."""
    box = _box(header(stamp_ns, frame_id), 0, thing)
    box.ns = thing.label
    return box


def _draw(head: Header, number: int, thing: MapObject) -> Iterable[Marker]:
    if thing.size is not None:
        yield _box(head, number, thing)
    yield _ellipsoid(head, number, thing)
    yield _name(head, number, thing)


def _box(head: Header, number: int, thing: MapObject) -> Marker:
    box = _marker(head, 'box', number, Marker.CUBE, thing)
    box.pose.orientation = turn_of(thing.heading or 0.0)
    box.scale = _vector(np.full(3, LETTERS) if thing.size is None else thing.size)
    return box


def _ellipsoid(head: Header, number: int, thing: MapObject) -> Marker:
    """Return the ellipsoid that contains the object's center with 95 % probability."""
    variances, axes = np.linalg.eigh(thing.covariance)
    axes[:, 0] *= np.sign(np.linalg.det(axes))  # a turn, not a reflection
    x, y, z, w = quaternion_of(axes).tolist()
    ball = _marker(head, 'uncertainty', number, Marker.SPHERE, thing)
    ball.pose.orientation = Quaternion(x=x, y=y, z=z, w=w)
    ball.scale = _vector(2.0 * np.sqrt(ELLIPSOID * np.maximum(variances, LEAST_VARIANCE)))
    ball.color.a = UNCERTAINTY_OPACITY
    return ball


def _name(head: Header, number: int, thing: MapObject) -> Marker:
    name = _marker(head, 'name', number, Marker.TEXT_VIEW_FACING, thing)
    name.pose.position.z += LETTERS + (0.0 if thing.size is None else float(thing.size[2]) / 2.0)
    name.scale.z = LETTERS
    name.color = ColorRGBA(r=1.0, g=1.0, b=1.0, a=1.0)
    state = '' if thing.state is ObjectState.CONFIRMED else f' ({thing.state.value})'
    name.text = f'{thing.label} {thing.id}{state}'
    return name


def _marker(head: Header, namespace: str, number: int, kind: int, thing: MapObject) -> Marker:
    marker = Marker(header=head, ns=namespace, id=number, type=kind, action=Marker.ADD)
    marker.pose.position = point_of(thing.position)
    marker.pose.orientation.w = 1.0
    marker.color = color_of(object_color(thing))
    return marker


def _vector(values: Array) -> Vector3:
    x, y, z = (float(value) for value in values)
    return Vector3(x=x, y=y, z=z)
