# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated robots as markers, for RViz and Foxglove: a few large ones, however many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from geometry_msgs.msg import Point, Vector3
from rclpy.serialization import serialize_message
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from world_model_nodes.runtime.cdr import put_rows
from world_model_nodes.runtime.convert import header, point_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from std_msgs.msg import Header

    from world_model_core.gaussian import Array
    from world_model_core.simulation.robots.fleet import RobotFleet

FREE = ColorRGBA(r=0.2, g=0.6, b=1.0, a=1.0)
STUCK = ColorRGBA(r=1.0, g=0.2, b=0.2, a=1.0)
BELIEVED = ColorRGBA(r=0.6, g=0.6, b=0.6, a=0.5)
SIGHT = ColorRGBA(r=1.0, g=0.8, b=0.2, a=0.4)
PLACE = ColorRGBA(r=0.3, g=0.9, b=0.4, a=1.0)
# Of robots and landmarks [m].
DIAMETER, HEIGHT = 0.2, 0.4
# Of more robots only the places are drawn: their lines would hide each other, and take a second.
MOST_IN_DETAIL = 100
# In place of all robots: what no place and no colour is.
STAND_IN = Point(x=-1e300, y=-2e300, z=-3e300)
STAND_IN_COLOR = ColorRGBA(r=-1.0, g=-2.0, b=-3.0, a=-4.0)


def fleet_markers(
    fleet: RobotFleet, stamp_ns: int, frame_id: str, *, is_placed: bool = True
) -> bytes:
    """
    Draw robots where they truly are, and faintly where odometry has them; landmarks; sights.

    A sight goes from the robot to where it sees a landmark, right or wrong. Headings, odometry
    and sights are those of the first robots.

    Parameters
    ----------
    fleet : RobotFleet
    stamp_ns : int
    frame_id : str
        Of the map.
    is_placed : bool
        Whether odometry begins at the map's origin; else nobody knows where to draw it.

    Returns
    -------
    bytes
        A MarkerArray, as it is sent.

    """
    head = header(stamp_ns, frame_id)
    markers = [
        _robots(head),
        _headings(head, fleet),
        _landmarks(head, fleet),
        _sights(head, fleet),
    ]
    if is_placed:
        markers.append(_believed(head, fleet))
    data = serialize_message(MarkerArray(markers=markers))
    places = np.zeros((len(fleet), 3))
    places[:, :2] = fleet.state.poses[:, :2]
    data = put_rows(data, _row(STAND_IN, 'xyz', np.float64).tobytes(), places)
    colors = np.where(
        fleet.state.stuck[:, None],
        _row(STUCK, 'rgba', np.float32),
        _row(FREE, 'rgba', np.float32),
    )
    return put_rows(data, _row(STAND_IN_COLOR, 'rgba', np.float32).tobytes(), colors)


def _row(value: Point | ColorRGBA, names: str, kind: type[np.floating[Any]]) -> NDArray[Any]:
    """Make an array of the fields of a value, as it is sent."""
    return np.array([getattr(value, name) for name in names], dtype=kind)


def _robots(head: Header) -> Marker:
    """Draw one, which stands for all."""
    robots = _marker(head, 'robots', Marker.SPHERE_LIST, FREE, DIAMETER)
    robots.points, robots.colors = [STAND_IN], [STAND_IN_COLOR]
    return robots


def _believed(head: Header, fleet: RobotFleet) -> Marker:
    believed = _marker(head, 'odometry', Marker.SPHERE_LIST, BELIEVED, DIAMETER)
    places = fleet.odometry[:MOST_IN_DETAIL, :2]
    believed.points = [point_of(place) for place in places.tolist()]
    return believed


def _headings(head: Header, fleet: RobotFleet) -> Marker:
    poses = fleet.state.poses[:MOST_IN_DETAIL]
    return _lines(head, 'headings', FREE, poses[:, :2], _ahead(poses, DIAMETER))


def _landmarks(head: Header, fleet: RobotFleet) -> Marker:
    landmarks = _marker(head, 'landmarks', Marker.CUBE_LIST, PLACE, DIAMETER)
    landmarks.scale.z = HEIGHT
    landmarks.points = [point_of(place) for place in fleet.landmarks.tolist()]
    return landmarks


def _sights(head: Header, fleet: RobotFleet) -> Marker:
    """Draw what is seen from where the robots truly are."""
    if fleet.sensed is None:
        return _lines(head, 'sights', SIGHT, np.empty((0, 2)), np.empty((0, 2)))
    readings = fleet.sensed.readings[:MOST_IN_DETAIL]
    robots, seen = np.nonzero(~np.isnan(readings[:, :, 0]))
    poses = fleet.state.poses[robots].copy()
    distances, bearings = readings[robots, seen].T
    poses[:, 2] += bearings
    return _lines(head, 'sights', SIGHT, poses[:, :2], _ahead(poses, distances))


def _ahead(poses: Array, distance: float | Array) -> Array:
    """Find places (k, 2) that far ahead of poses (k, 3)."""
    x, y, theta = poses.T
    return np.column_stack((x + distance * np.cos(theta), y + distance * np.sin(theta)))


def _lines(head: Header, namespace: str, color: ColorRGBA, begins: Array, ends: Array) -> Marker:
    """Draw lines from places (k, 2) to others."""
    marker = _marker(head, namespace, Marker.LINE_LIST, color, 0.02)
    pairs = np.stack((begins, ends), axis=1).reshape(-1, 2)
    marker.points = [point_of(place) for place in pairs.tolist()]
    return marker


def _marker(head: Header, namespace: str, kind: int, color: ColorRGBA, size: float) -> Marker:
    marker = Marker(header=head, ns=namespace, type=kind, action=Marker.ADD, color=color)
    marker.scale = Vector3(x=size, y=size, z=size)
    marker.pose.orientation.w = 1.0
    return marker
