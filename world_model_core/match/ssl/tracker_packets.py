# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Decodes and encodes the packets of trackers: bytes <-> `TrackerPacket`."""

from __future__ import annotations

from typing import Any

from world_model_core.errors import ImplausibleValueError
from world_model_core.match.ssl import value_limits as limits
from world_model_core.match.ssl import wire
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.match.ssl.tracker_values import (
    KickedBall,
    TrackedBall,
    TrackedFrame,
    TrackedRobot,
    TrackerPacket,
)
from world_model_core.match.ssl.value_limits import MessageLimits, Range, clamp
from world_model_core.match.ssl.wire import nanoseconds
from world_model_core.time import to_seconds

TEAMS = {1: Team.YELLOW, 2: Team.BLUE}  # enum Team; 0 is UNKNOWN
TEAM_NUMBERS = {team: number for number, team in TEAMS.items()}
# By the numbers of team and pattern; a lookup is faster than construction.
ROBOT_IDS = {(t, n): RobotId(TEAMS[t], n) for t in TEAMS for n in range(limits.ROBOT_NUMBER + 1)}

_POS = (
    Range('pos.x', -limits.POSITION, limits.POSITION, 'm'),
    Range('pos.y', -limits.POSITION, limits.POSITION, 'm'),
)
_VEL = (
    Range('vel.x', -limits.SPEED, limits.SPEED, 'm/s'),
    Range('vel.y', -limits.SPEED, limits.SPEED, 'm/s'),
)
_VEL_Z = Range('vel.z', -limits.SPEED, limits.SPEED, 'm/s')
_VISIBILITY = Range('visibility', 0.0, limits.CONFIDENCE)
BALL = MessageLimits(
    *_POS, Range('pos.z', limits.LOWEST, limits.HIGHEST, 'm'), *_VEL, _VEL_Z, _VISIBILITY
)
ROBOT = MessageLimits(
    *_POS,
    *_VEL,
    _VISIBILITY,
    Range('orientation', -limits.ANGLE, limits.ANGLE, 'rad'),
    Range('vel_angular', -limits.TURN_RATE, limits.TURN_RATE, 'rad/s'),
    Range('robot_id.id', 0, limits.ROBOT_NUMBER),
)
KICKED_BALL = MessageLimits(
    *_POS,
    *_VEL,
    _VEL_Z,
    Range('stop_pos.x', -limits.POSITION, limits.POSITION, 'm'),
    Range('stop_pos.y', -limits.POSITION, limits.POSITION, 'm'),
    Range('robot_id.id', 0, limits.ROBOT_NUMBER),
)
TIMES = MessageLimits(
    Range('timestamp', 0.0, limits.SECONDS, 's'),
    Range('kicked_ball.start_timestamp', 0.0, limits.SECONDS, 's'),
    Range('kicked_ball.stop_timestamp', 0.0, limits.SECONDS, 's'),
)


def decode_tracker(data: bytes) -> TrackerPacket:
    """
    Decode one datagram of the tracker port.

    Parameters
    ----------
    data : bytes
        A TrackerWrapperPacket message.

    Returns
    -------
    TrackerPacket
        In SI units, field frame. A kick by an unknown robot has no kicker.

    Raises
    ------
    MalformedPacketError
        The datagram does not parse or lacks a required field.
    ImplausibleValueError
        A field is not finite or out of its range, or a robot has no number or no team. Such a
        robot cannot be identified, and ignoring it would hide a robot.

    """
    packet = wire.parse(wire.TrackerWrapperPacket, data)
    has_frame = packet.HasField('tracked_frame')
    return TrackerPacket(
        uuid=wire.text(packet.uuid),
        source_name=wire.text(packet.source_name),
        frame=_read_frame(packet.tracked_frame) if has_frame else None,
    )


def _read_frame(frame: Any) -> TrackedFrame:
    """Convert a TrackedFrame."""
    TIMES.check(frame, 'tracked_frame')
    kicked = frame.HasField('kicked_ball')
    return TrackedFrame(
        frame_number=frame.frame_number,
        stamp_ns=nanoseconds(frame.timestamp),
        balls=tuple([_read_ball(ball, index) for index, ball in enumerate(frame.balls)]),
        robots=tuple([_read_robot(robot, index) for index, robot in enumerate(frame.robots)]),
        kicked_ball=_read_kicked_ball(frame.kicked_ball) if kicked else None,
        capabilities=frozenset(frame.capabilities),
    )


def _read_ball(ball: Any, index: int) -> TrackedBall:
    """Convert a TrackedBall."""
    BALL.check(ball, 'tracked_frame.balls', index)
    has = ball.HasField
    return TrackedBall(
        position=_vector3(ball.pos),
        velocity=_vector3(ball.vel) if has('vel') else None,
        visibility=clamp(ball.visibility) if has('visibility') else None,
    )


def _read_robot(robot: Any, index: int) -> TrackedRobot:
    """Convert a TrackedRobot."""
    x, y, vx, vy, visibility, heading, turning, _ = ROBOT.check(
        robot, 'tracked_frame.robots', index
    )
    has = robot.HasField
    return TrackedRobot(
        id=_read_id(robot.robot_id, index),
        position=(x, y),
        heading=heading,
        velocity=(vx, vy) if has('vel') else None,
        angular_velocity=turning if has('vel_angular') else None,
        visibility=clamp(visibility) if has('visibility') else None,
    )


def _read_id(robot_id: Any, index: int) -> RobotId:
    """Convert the RobotId, with a checked number, of a tracked robot."""
    known = ROBOT_IDS.get((robot_id.team, robot_id.id))
    if known is None or not robot_id.HasField('id'):
        path = f'tracked_frame.robots[{index}].robot_id'
        found = str(robot_id).replace('\n', ' ').strip() or 'empty'
        raise ImplausibleValueError(f'{path} is {found}, not an id with team 1 or 2')
    return known


def _read_kicked_ball(kicked: Any) -> KickedBall:
    """Convert a KickedBall."""
    KICKED_BALL.check(kicked, 'tracked_frame.kicked_ball')
    has = kicked.HasField
    kicker, team = kicked.robot_id, TEAMS.get(kicked.robot_id.team)
    return KickedBall(
        position=_vector2(kicked.pos),
        velocity=_vector3(kicked.vel),
        start_ns=nanoseconds(kicked.start_timestamp),
        stop_ns=nanoseconds(kicked.stop_timestamp) if has('stop_timestamp') else None,
        stop_position=_vector2(kicked.stop_pos) if has('stop_pos') else None,
        kicker=RobotId(team, kicker.id) if team and kicker.HasField('id') else None,
    )


def _vector2(vector: Any) -> tuple[float, float]:
    """Convert a Vector2, or the ground part of a Vector3."""
    return vector.x, vector.y


def _vector3(vector: Any) -> tuple[float, float, float]:
    """Convert a Vector3."""
    return vector.x, vector.y, vector.z


def encode_tracker(packet: TrackerPacket) -> bytes:
    """Encode a packet as a tracker does; the inverse of `decode_tracker`."""
    message = wire.TrackerWrapperPacket(
        uuid=packet.uuid.encode(),
        source_name=packet.source_name.encode(),
        tracked_frame=None if packet.frame is None else _frame_fields(packet.frame),
    )
    return bytes(message.SerializeToString())


def _frame_fields(frame: TrackedFrame) -> dict[str, Any]:
    """Return the fields of a TrackedFrame."""
    kicked = frame.kicked_ball
    return {
        'frame_number': frame.frame_number,
        'timestamp': to_seconds(frame.stamp_ns),
        'balls': [_ball_fields(ball) for ball in frame.balls],
        'robots': [_robot_fields(robot) for robot in frame.robots],
        'kicked_ball': None if kicked is None else _kicked_ball_fields(kicked),
        'capabilities': sorted(frame.capabilities),
    }


def _ball_fields(ball: TrackedBall) -> dict[str, Any]:
    """Return the fields of a TrackedBall."""
    return {
        'pos': _vector_fields(ball.position),
        'vel': _vector_fields(ball.velocity),
        'visibility': ball.visibility,
    }


def _robot_fields(robot: TrackedRobot) -> dict[str, Any]:
    """Return the fields of a TrackedRobot."""
    return {
        'robot_id': _id_fields(robot.id),
        'pos': _vector_fields(robot.position),
        'orientation': robot.heading,
        'vel': _vector_fields(robot.velocity),
        'vel_angular': robot.angular_velocity,
        'visibility': robot.visibility,
    }


def _kicked_ball_fields(kicked: KickedBall) -> dict[str, Any]:
    """Return the fields of a KickedBall."""
    return {
        'pos': _vector_fields(kicked.position),
        'vel': _vector_fields(kicked.velocity),
        'start_timestamp': to_seconds(kicked.start_ns),
        'stop_timestamp': None if kicked.stop_ns is None else to_seconds(kicked.stop_ns),
        'stop_pos': _vector_fields(kicked.stop_position),
        'robot_id': None if kicked.kicker is None else _id_fields(kicked.kicker),
    }


def _id_fields(robot: RobotId) -> dict[str, int]:
    """Return the fields of a RobotId."""
    return {'id': robot.number, 'team': TEAM_NUMBERS[robot.team]}


def _vector_fields(vector: tuple[float, ...] | None) -> dict[str, float] | None:
    """Return the fields of a Vector2 or Vector3."""
    return None if vector is None else dict(zip('xyz', vector, strict=False))
