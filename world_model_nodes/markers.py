# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A match as markers, for RViz and Foxglove."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from builtin_interfaces.msg import Duration
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from world_model_core.ball.occlusion import ROBOT_HEIGHT, ROBOT_RADIUS
from world_model_core.ssl.values import Team
from world_model_nodes.convert import header, point_of, quaternion_of

if TYPE_CHECKING:
    from geometry_msgs.msg import Point
    from std_msgs.msg import Header

    from world_model_core.ball.estimate import BallState
    from world_model_core.robots.estimate import Robots
    from world_model_core.ssl.values import FieldArc, Geometry

ORANGE = ColorRGBA(r=1.0, g=0.45, b=0.0, a=1.0)
SHADE = ColorRGBA(r=1.0, g=0.45, b=0.0, a=0.25)
WHITE = ColorRGBA(r=1.0, g=1.0, b=1.0, a=1.0)
COLOURS = {
    Team.BLUE: ColorRGBA(r=0.1, g=0.3, b=1.0, a=1.0),
    Team.YELLOW: ColorRGBA(r=1.0, g=0.9, b=0.1, a=1.0),
}
BALL_DIAMETER = 0.043
# Markers that are not renewed vanish: a ball nobody believes in any more must not stay in sight.
LIFETIME = Duration(nanosec=500_000_000)
ARC_STEP = math.radians(6.0)


def ball_markers(ball: BallState, frame_id: str) -> MarkerArray:
    """Draw the ball, an arrow of 0.2 s of its way, and the circle of two standard deviations."""
    head = header(ball.stamp_ns, frame_id)
    sphere = _marker(head, 'ball', 0, Marker.SPHERE, ORANGE)
    sphere.pose.position = point_of(ball.position)
    sphere.scale.x = sphere.scale.y = sphere.scale.z = BALL_DIAMETER
    arrow = _marker(head, 'velocity', 0, Marker.ARROW, ORANGE)
    arrow.points = [point_of(ball.position), point_of(ball.position + 0.2 * ball.velocity)]
    arrow.scale.x, arrow.scale.y = 0.02, 0.05
    disc = _marker(head, 'uncertainty', 0, Marker.CYLINDER, SHADE)
    disc.pose.position = point_of(ball.position)
    deviation = math.sqrt(float(np.linalg.eigvalsh(ball.covariance[:2, :2])[-1]))
    disc.scale.x = disc.scale.y = 4.0 * deviation
    disc.scale.z = 0.002
    return MarkerArray(markers=[sphere, arrow, disc])


def robot_markers(robots: Robots, frame_id: str) -> MarkerArray:
    """Draw each robot as a cylinder with its number and an arrow to where it looks."""
    message, head = MarkerArray(), header(robots.stamp_ns, frame_id)
    for robot, (x, y, heading) in zip(robots.ids, robots.poses.tolist(), strict=True):
        body = _marker(head, 'body', robot.slot, Marker.CYLINDER, COLOURS[robot.team])
        body.pose.position = point_of((x, y, ROBOT_HEIGHT / 2.0))
        body.scale.x = body.scale.y = 2.0 * ROBOT_RADIUS
        body.scale.z = ROBOT_HEIGHT
        front = _marker(head, 'heading', robot.slot, Marker.ARROW, WHITE)
        front.pose.position = point_of((x, y, ROBOT_HEIGHT + 0.01))
        front.pose.orientation = quaternion_of(heading)
        front.scale.x, front.scale.y, front.scale.z = 1.5 * ROBOT_RADIUS, 0.02, 0.02
        name = _marker(head, 'name', robot.slot, Marker.TEXT_VIEW_FACING, WHITE)
        name.pose.position = point_of((x, y, ROBOT_HEIGHT + 0.1))
        name.scale.z = 0.12
        name.text = str(robot)
        message.markers += [body, front, name]
    return message


def field_markers(geometry: Geometry, frame_id: str) -> MarkerArray:
    """Draw the lines as the vision system sends them, and the goals."""
    head = header(0, frame_id)
    lines = _marker(head, 'lines', 0, Marker.LINE_LIST, WHITE)
    lines.lifetime = Duration()
    lines.scale.x = geometry.field.line_thickness or 0.01
    for line in geometry.field.lines:
        lines.points += [point_of(line.start), point_of(line.end)]
    for arc in geometry.field.arcs:
        lines.points += _chords(arc)
    half, width = geometry.field.length / 2.0, geometry.field.goal_width / 2.0
    message = MarkerArray(markers=[lines])
    for key, side in enumerate((-1.0, 1.0)):
        goal = _marker(head, 'goals', key, Marker.LINE_STRIP, WHITE)
        goal.lifetime, goal.scale.x = Duration(), 0.02
        back = side * (half + geometry.field.goal_depth)
        corners = ((side * half, -width), (back, -width), (back, width), (side * half, width))
        goal.points = [point_of(corner) for corner in corners]
        message.markers.append(goal)
    return message


def _chords(arc: FieldArc) -> list[Point]:
    """Cut an arc into chords, as pairs of points."""
    count = max(2, math.ceil(abs(arc.end - arc.start) / ARC_STEP) + 1)
    angles = np.linspace(arc.start, arc.end, count)
    x = arc.center[0] + arc.radius * np.cos(angles)
    y = arc.center[1] + arc.radius * np.sin(angles)
    points = [point_of(place) for place in zip(x, y, strict=True)]
    return [point for pair in pairwise(points) for point in pair]


def _marker(head: Header, namespace: str, key: int, kind: int, colour: ColorRGBA) -> Marker:
    marker = Marker(header=head, ns=namespace, id=key, type=kind)
    marker.action = Marker.ADD
    marker.color = colour
    marker.lifetime = LIFETIME
    marker.pose.orientation.w = 1.0
    return marker
