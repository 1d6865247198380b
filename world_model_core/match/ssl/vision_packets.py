# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Decodes and encodes packets of ssl-vision and simulators: bytes <-> `VisionPacket`."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from world_model_core.match.ssl import value_limits as limits
from world_model_core.match.ssl import wire
from world_model_core.match.ssl.geometry_packets import geometry_fields, read_geometry
from world_model_core.match.ssl.robot_id import Team
from world_model_core.match.ssl.value_limits import MessageLimits, Range, clamp
from world_model_core.match.ssl.vision_values import (
    BallDetection,
    DetectionFrame,
    RobotDetection,
    VisionPacket,
)
from world_model_core.match.ssl.wire import MM, nanoseconds
from world_model_core.time import to_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable

_DETECTION = (
    Range('x', -limits.POSITION * MM, limits.POSITION * MM, 'mm'),
    Range('y', -limits.POSITION * MM, limits.POSITION * MM, 'mm'),
    Range('confidence', 0.0, limits.CONFIDENCE),
    Range('pixel_x', -limits.PIXEL, limits.PIXEL, 'px'),
    Range('pixel_y', -limits.PIXEL, limits.PIXEL, 'px'),
)
BALL = MessageLimits(*_DETECTION, Range('z', limits.LOWEST * MM, limits.HIGHEST * MM, 'mm'))
ROBOT = MessageLimits(
    *_DETECTION,
    Range('orientation', -limits.ANGLE, limits.ANGLE, 'rad'),
    Range('robot_id', 0, limits.ROBOT_NUMBER),
    Range('height', limits.LOWEST * MM, limits.HIGHEST * MM, 'mm'),
)
FRAME = MessageLimits(
    Range('t_capture', 0.0, limits.SECONDS, 's'),
    Range('t_sent', 0.0, limits.SECONDS, 's'),
    Range('camera_id', 0, limits.CAMERA_ID),
)


def decode_vision(data: bytes) -> VisionPacket:
    """
    Decode one datagram of the vision port.

    Parameters
    ----------
    data : bytes
        An SSL_WrapperPacket message.

    Returns
    -------
    VisionPacket
        In SI units, field frame. A frame may contain the same robot twice.

    Raises
    ------
    MalformedPacketError
        The datagram does not parse or lacks a required field.
    LegacyPacketError
        Its geometry has the layout from before 2014. The layout of detections has not changed.
    ImplausibleValueError
        A field is not finite or out of its range.

    """
    packet = wire.parse(wire.WrapperPacket, data)
    has_geometry = packet.HasField('geometry')
    return VisionPacket(
        detection=_read_frame(packet.detection) if packet.HasField('detection') else None,
        geometry=read_geometry(packet.geometry, data) if has_geometry else None,
    )


def _read_frame(frame: Any) -> DetectionFrame:
    """Convert an SSL_DetectionFrame."""
    FRAME.check(frame, 'detection')
    return DetectionFrame(
        frame_number=frame.frame_number,
        camera_id=frame.camera_id,
        capture_ns=nanoseconds(frame.t_capture),
        sent_ns=nanoseconds(frame.t_sent),
        balls=tuple([_read_ball(ball, index) for index, ball in enumerate(frame.balls)]),
        robots=tuple(
            chain(
                _read_robots(frame.robots_yellow, Team.YELLOW),
                _read_robots(frame.robots_blue, Team.BLUE),
            )
        ),
    )


def _read_ball(ball: Any, index: int) -> BallDetection:
    """Convert an SSL_DetectionBall."""
    BALL.check(ball, 'detection.balls', index)
    return BallDetection(
        x=ball.x / MM,
        y=ball.y / MM,
        z=ball.z / MM if ball.HasField('z') else None,
        confidence=clamp(ball.confidence),
        pixel=(ball.pixel_x, ball.pixel_y),
        area=ball.area if ball.HasField('area') else None,
    )


def _read_robots(robots: Iterable[Any], team: Team) -> list[RobotDetection]:
    """Convert one color's SSL_DetectionRobots."""
    path = f'detection.robots_{team.value}'
    return [_read_robot(robot, team, path, index) for index, robot in enumerate(robots)]


def _read_robot(robot: Any, team: Team, path: str, index: int) -> RobotDetection:
    """Convert an SSL_DetectionRobot."""
    x, y, confidence, pixel_x, pixel_y, heading, number, height = ROBOT.check(robot, path, index)
    has = robot.HasField  # checked for zeros only: an absent field reads as 0
    return RobotDetection(
        team,
        number if number or has('robot_id') else None,
        x / MM,
        y / MM,
        heading if heading or has('orientation') else None,
        clamp(confidence),
        (pixel_x, pixel_y),
        height / MM if height or has('height') else None,
    )


def encode_vision(packet: VisionPacket) -> bytes:
    """Encode a packet as ssl-vision does; the inverse of `decode_vision`."""
    detection, geometry = packet.detection, packet.geometry
    message = wire.WrapperPacket(
        detection=None if detection is None else _frame_fields(detection),
        geometry=None if geometry is None else geometry_fields(geometry),
    )
    return bytes(message.SerializeToString())


def _frame_fields(frame: DetectionFrame) -> dict[str, Any]:
    """Return the fields of an SSL_DetectionFrame; yellow robots come first on the wire."""
    return {
        'frame_number': frame.frame_number,
        't_capture': to_seconds(frame.capture_ns),
        't_sent': to_seconds(frame.sent_ns),
        'camera_id': frame.camera_id,
        'balls': [_ball_fields(ball) for ball in frame.balls],
        'robots_yellow': [_robot_fields(r) for r in frame.robots if r.team is Team.YELLOW],
        'robots_blue': [_robot_fields(r) for r in frame.robots if r.team is Team.BLUE],
    }


def _ball_fields(ball: BallDetection) -> dict[str, Any]:
    """Return the fields of an SSL_DetectionBall."""
    return {
        'confidence': ball.confidence,
        'area': ball.area,
        'x': ball.x * MM,
        'y': ball.y * MM,
        'z': None if ball.z is None else ball.z * MM,
        'pixel_x': ball.pixel[0],
        'pixel_y': ball.pixel[1],
    }


def _robot_fields(robot: RobotDetection) -> dict[str, Any]:
    """Return the fields of an SSL_DetectionRobot."""
    return {
        'confidence': robot.confidence,
        'robot_id': robot.number,
        'x': robot.x * MM,
        'y': robot.y * MM,
        'orientation': robot.heading,
        'pixel_x': robot.pixel[0],
        'pixel_y': robot.pixel[1],
        'height': None if robot.height is None else robot.height * MM,
    }
