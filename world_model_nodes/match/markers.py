# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Markers of a match for RViz and Foxglove."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from builtin_interfaces.msg import Duration
from visualization_msgs.msg import Marker, MarkerArray

from world_model_core.match.ball.occlusion import BALL_RADIUS, ROBOT_HEIGHT, ROBOT_RADIUS
from world_model_core.view.ball import ALOFT, ARROW_TIME, KICK_LIFE
from world_model_core.view.colors import BALL, FLYING, TEAMS, WHITE, faded
from world_model_core.view.pitch import chords
from world_model_nodes.match.convert import duration_message
from world_model_nodes.runtime.convert import color_of, header, point_of, quaternion_of

if TYPE_CHECKING:
    from std_msgs.msg import Header

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.estimate import BallState, Kick
    from world_model_core.match.robots.robot_table import Robots
    from world_model_core.match.ssl.geometry_values import Geometry
    from world_model_core.view.colors import Color

# Squared radius of the 95 % ellipse of two coordinates: chi-square with 2 degrees of freedom.
# Smaller variances are drawn with the least one, so that a flat ellipse stays visible [m^2].
ELLIPSE, LEAST_VARIANCE = -2.0 * math.log(0.05), 1e-10
# Markers vanish unless they are renewed: a lost ball must not stay on the screen.
LIFETIME = Duration(nanosec=500_000_000)
KICK_LIFETIME = duration_message(KICK_LIFE)
# Opacity of the ellipse of the ball.
SHADE = 0.25


def ball_markers(ball: BallState, frame_id: str) -> MarkerArray:
    """
    Make markers of the ball, its velocity, its height and its position uncertainty.

    The arrow covers 0.2 s of motion. The ellipse contains the position with 95 % probability. The
    vertical line to the carpet shows the height.
    """
    head = header(ball.stamp_ns, frame_id)
    x, y, z = ball.position.tolist()
    color = BALL if z < ALOFT else FLYING
    center = np.array((x, y, z + BALL_RADIUS))
    sphere = _marker(head, 'ball', 0, Marker.SPHERE, color)
    sphere.pose.position = point_of(center)
    sphere.scale.x = sphere.scale.y = sphere.scale.z = 2.0 * BALL_RADIUS
    height = _marker(head, 'height', 0, Marker.LINE_LIST, color)
    height.points = [point_of(center), point_of((x, y, 0.0))]
    height.scale.x = 0.01
    arrow = _arrow(head, 'velocity', center, ball.velocity, color)
    return MarkerArray(markers=[sphere, height, arrow, _ellipse(head, ball)])


def _ellipse(head: Header, ball: BallState) -> Marker:
    """Make the 95 % ellipse of the ball's position on the field."""
    variances, axes = np.linalg.eigh(ball.covariance[:2, :2])
    lengths = 2.0 * np.sqrt(ELLIPSE * np.maximum(variances, LEAST_VARIANCE))
    disc = _marker(head, 'uncertainty', 0, Marker.CYLINDER, faded(BALL, SHADE))
    disc.pose.position = point_of((*ball.position[:2], 0.0))
    disc.pose.orientation = quaternion_of(math.atan2(axes[1, 1], axes[0, 1]))
    disc.scale.y, disc.scale.x = lengths.tolist()
    disc.scale.z = 0.002
    return disc


def kick_markers(kick: Kick, frame_id: str) -> MarkerArray:
    """Make an arrow for a kick, 0.2 s long, and a text with kicker, kind and speed."""
    head = header(kick.stamp_ns, frame_id)
    chip = kick.chip_probability > 0.5
    place = np.array((*kick.position, BALL_RADIUS))
    arrow = _arrow(head, 'kick', place, kick.velocity, FLYING if chip else WHITE)
    name = _marker(head, 'kick', 1, Marker.TEXT_VIEW_FACING, WHITE)
    name.pose.position = point_of((*kick.position, ROBOT_HEIGHT + 0.25))
    name.scale.z = 0.12
    kind, speed = 'chip' if chip else 'kick', float(np.linalg.norm(kick.velocity))
    name.text = f'{kick.kicker or ""} {kind} {speed:.1f} m/s'.lstrip()
    arrow.lifetime = name.lifetime = KICK_LIFETIME
    return MarkerArray(markers=[arrow, name])


def robot_markers(robots: Robots, frame_id: str) -> MarkerArray:
    """Make a cylinder, a heading arrow and a name for each robot."""
    message, head = MarkerArray(), header(robots.stamp_ns, frame_id)
    for robot, (x, y, heading) in zip(robots.ids, robots.poses.tolist(), strict=True):
        body = _marker(head, 'body', robot.slot, Marker.CYLINDER, TEAMS[robot.team])
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
    """Make the field lines that vision sends, and the goals."""
    head = header(0, frame_id)
    lines = _marker(head, 'lines', 0, Marker.LINE_LIST, WHITE)
    lines.lifetime = Duration()
    lines.scale.x = geometry.field.line_thickness or 0.01
    for line in geometry.field.lines:
        lines.points += [point_of(line.start), point_of(line.end)]
    for arc in geometry.field.arcs:
        lines.points += [point_of(place) for place in chords(arc).reshape(-1, 2)]
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


def _arrow(head: Header, namespace: str, start: Array, velocity: Array, color: Color) -> Marker:
    arrow = _marker(head, namespace, 0, Marker.ARROW, color)
    arrow.points = [point_of(start), point_of(start + ARROW_TIME * velocity)]
    arrow.scale.x, arrow.scale.y = 0.02, 0.05
    return arrow


def _marker(head: Header, namespace: str, key: int, kind: int, color: Color) -> Marker:
    marker = Marker(header=head, ns=namespace, id=key, type=kind)
    marker.action = Marker.ADD
    marker.color = color_of(color)
    marker.lifetime = LIFETIME
    marker.pose.orientation.w = 1.0
    return marker
