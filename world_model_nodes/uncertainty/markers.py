# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Markers of simulated robots for RViz and Foxglove: a fixed number of markers for any fleet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from geometry_msgs.msg import Point, Vector3
from rclpy.serialization import serialize_message
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from world_model_core.view.colors import FREE, LANDMARK, ODOMETRY, READING, STUCK, faded
from world_model_core.view.robots import LANDMARK_HEIGHT
from world_model_core.view.shapes import ROBOT_DIAMETER
from world_model_nodes.runtime.cdr import put_rows
from world_model_nodes.runtime.convert import color_of, header, point_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from std_msgs.msg import Header

    from world_model_core.gaussian import Array
    from world_model_core.simulation.robots.robot_fleet import RobotFleet
    from world_model_core.view.colors import Color

# Opacity of the lines to landmarks.
FAINT = 0.4
# Further robots are drawn as points only: their lines would hide each other and take a second.
MAX_IN_DETAIL = 100
# Placeholders for all robots: values that no position and no color has.
STAND_IN = Point(x=-1e300, y=-2e300, z=-3e300)
STAND_IN_COLOR = ColorRGBA(r=-1.0, g=-2.0, b=-3.0, a=-4.0)


def fleet_markers(
    fleet: RobotFleet, stamp_ns: int, frame_id: str, *, is_placed: bool = True
) -> bytes:
    """
    Convert a fleet to markers: true and odometry poses, landmarks, and landmark readings.

    Readings are lines from a robot to the measured position of a landmark. Headings, odometry
    and readings are drawn for the first robots only.

    Parameters
    ----------
    fleet : RobotFleet
    stamp_ns : int
    frame_id : str
        Frame of the map.
    is_placed : bool
        Whether odometry starts at the map origin; otherwise it is not drawn.

    Returns
    -------
    bytes
        A serialized MarkerArray.

    """
    head = header(stamp_ns, frame_id)
    markers = [
        _robots(head),
        _headings(head, fleet),
        _landmarks(head, fleet),
        _sightlines(head, fleet),
    ]
    if is_placed:
        markers.append(_odometry(head, fleet))
    data = serialize_message(MarkerArray(markers=markers))
    places = np.zeros((len(fleet), 3))
    places[:, :2] = fleet.truth.poses[:, :2]
    data = put_rows(data, _row(STAND_IN, 'xyz', np.float64).tobytes(), places)
    colors = np.where(
        fleet.truth.stuck[:, None],
        _row(color_of(STUCK), 'rgba', np.float32),
        _row(color_of(FREE), 'rgba', np.float32),
    )
    return put_rows(data, _row(STAND_IN_COLOR, 'rgba', np.float32).tobytes(), colors)


def _row(value: Point | ColorRGBA, names: str, kind: type[np.floating[Any]]) -> NDArray[Any]:
    """Return the fields of a value as an array, as serialized."""
    return np.array([getattr(value, name) for name in names], dtype=kind)


def _robots(head: Header) -> Marker:
    """Return a marker with one placeholder for all robots."""
    robots = _marker(head, 'robots', Marker.SPHERE_LIST, FREE, ROBOT_DIAMETER)
    robots.points, robots.colors = [STAND_IN], [STAND_IN_COLOR]
    return robots


def _odometry(head: Header, fleet: RobotFleet) -> Marker:
    odometry = _marker(head, 'odometry', Marker.SPHERE_LIST, ODOMETRY, ROBOT_DIAMETER)
    places = fleet.odometry[:MAX_IN_DETAIL, :2]
    odometry.points = [point_of(place) for place in places.tolist()]
    return odometry


def _headings(head: Header, fleet: RobotFleet) -> Marker:
    poses = fleet.truth.poses[:MAX_IN_DETAIL]
    return _lines(head, 'headings', FREE, poses[:, :2], _ahead(poses, ROBOT_DIAMETER))


def _landmarks(head: Header, fleet: RobotFleet) -> Marker:
    landmarks = _marker(head, 'landmarks', Marker.CUBE_LIST, LANDMARK, ROBOT_DIAMETER)
    landmarks.scale.z = LANDMARK_HEIGHT
    landmarks.points = [point_of(place) for place in fleet.landmarks.tolist()]
    return landmarks


def _sightlines(head: Header, fleet: RobotFleet) -> Marker:
    """Return lines from the true positions of robots to the measured landmarks."""
    if fleet.last_step is None:
        return _lines(
            head, 'landmark readings', faded(READING, FAINT), np.empty((0, 2)), np.empty((0, 2))
        )
    readings = fleet.last_step.readings[:MAX_IN_DETAIL]
    robots, seen = np.nonzero(~np.isnan(readings[:, :, 0]))
    poses = fleet.truth.poses[robots].copy()
    distances, bearings = readings[robots, seen].T
    poses[:, 2] += bearings
    return _lines(
        head, 'landmark readings', faded(READING, FAINT), poses[:, :2], _ahead(poses, distances)
    )


def _ahead(poses: Array, distance: float | Array) -> Array:
    """Return points (k, 2) at a distance ahead of poses (k, 3)."""
    x, y, theta = poses.T
    return np.column_stack((x + distance * np.cos(theta), y + distance * np.sin(theta)))


def _lines(head: Header, namespace: str, color: Color, begins: Array, ends: Array) -> Marker:
    """Return a marker with lines between points (k, 2)."""
    marker = _marker(head, namespace, Marker.LINE_LIST, color, 0.02)
    pairs = np.stack((begins, ends), axis=1).reshape(-1, 2)
    marker.points = [point_of(place) for place in pairs.tolist()]
    return marker


def _marker(head: Header, namespace: str, kind: int, color: Color, size: float) -> Marker:
    marker = Marker(header=head, ns=namespace, type=kind, action=Marker.ADD, color=color_of(color))
    marker.scale = Vector3(x=size, y=size, z=size)
    marker.pose.orientation.w = 1.0
    return marker
