# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated robots as markers, for RViz and Foxglove: a few large ones, however many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from geometry_msgs.msg import Vector3
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from world_model_nodes.convert import header, point_of

if TYPE_CHECKING:
    from std_msgs.msg import Header

    from world_model_core.gaussian import Array
    from world_model_core.simulation.robot_fleet import RobotFleet

FREE = ColorRGBA(r=0.2, g=0.6, b=1.0, a=1.0)
STUCK = ColorRGBA(r=1.0, g=0.2, b=0.2, a=1.0)
BELIEVED = ColorRGBA(r=0.6, g=0.6, b=0.6, a=0.5)
SIGHT = ColorRGBA(r=1.0, g=0.8, b=0.2, a=0.4)
PLACE = ColorRGBA(r=0.3, g=0.9, b=0.4, a=1.0)
# Of robots and landmarks [m].
DIAMETER, HEIGHT = 0.2, 0.4
# Of more robots only the places are drawn: their lines would hide each other, and take a second.
MOST_IN_DETAIL = 100


def fleet_markers(fleet: RobotFleet, stamp_ns: int, frame_id: str) -> MarkerArray:
    """
    Draw robots where they truly are, and faintly where odometry has them; landmarks; sights.

    A sight goes from the robot to where it sees a landmark, right or wrong. Headings, odometry
    and sights are those of the first robots.
    """
    head = header(stamp_ns, frame_id)
    poses = fleet.state.poses
    robots = _marker(head, 'robots', Marker.SPHERE_LIST, FREE, DIAMETER)
    robots.points = [point_of(place) for place in poses[:, :2].tolist()]
    robots.colors = [STUCK if stuck else FREE for stuck in fleet.state.stuck.tolist()]
    believed = _marker(head, 'odometry', Marker.SPHERE_LIST, BELIEVED, DIAMETER)
    told = slice(MOST_IN_DETAIL)
    believed.points = [point_of(place) for place in fleet.odometry[told, :2].tolist()]
    ahead = _ahead(poses[told], DIAMETER)
    headings = _lines(head, 'headings', FREE, poses[told, :2], ahead)
    landmarks = _marker(head, 'landmarks', Marker.CUBE_LIST, PLACE, DIAMETER)
    landmarks.scale.z = HEIGHT
    landmarks.points = [point_of(place) for place in fleet.landmarks.tolist()]
    return MarkerArray(markers=[robots, believed, headings, landmarks, _sights(head, fleet)])


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
