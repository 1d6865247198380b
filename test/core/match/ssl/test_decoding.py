# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Units, limits and errors of the three decoders."""

from __future__ import annotations

import math
import struct
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import (
    BALL,
    CAMERA,
    FIELD,
    FRAME,
    KICK,
    LINE,
    REFEREE,
    ROBOT,
    TRACKED,
    TRACKED_BALL,
    TRACKED_ROBOT,
)

from world_model_core.errors import (
    ImplausibleValueError,
    LegacyPacketError,
    MalformedPacketError,
)
from world_model_core.match.ssl import wire
from world_model_core.match.ssl.geometry_values import Geometry, StraightModel
from world_model_core.match.ssl.referee_packets import decode_referee, encode_referee
from world_model_core.match.ssl.referee_values import Command
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.match.ssl.tracker_packets import decode_tracker, encode_tracker
from world_model_core.match.ssl.tracker_values import TrackerPacket
from world_model_core.match.ssl.vision_packets import decode_vision, encode_vision
from world_model_core.match.ssl.vision_values import VisionPacket

NON_FINITE = [math.nan, math.inf, -math.inf]


def _detection(**fields):
    """Decode a frame after changing it."""
    return decode_vision(encode_vision(VisionPacket(replace(FRAME, **fields), None)))


def _geometry(camera=CAMERA, field=FIELD, straight=None):
    """Decode a geometry made of these."""
    return decode_vision(
        encode_vision(VisionPacket(None, Geometry(field, (camera,), straight=straight)))
    )


def _tracked(**fields):
    """Decode a tracked frame after changing it."""
    return decode_tracker(encode_tracker(TrackerPacket('u', 's', replace(TRACKED, **fields))))


def _referee(**fields):
    """Decode a referee packet after changing it."""
    return decode_referee(encode_referee(replace(REFEREE, **fields)))


def test_vision_lengths_become_meters():
    """5000 mm on the wire must read as 5.0 m, for detections and for the field."""
    message = wire.WrapperPacket()
    message.ParseFromString(encode_vision(VisionPacket(FRAME, Geometry(FIELD, ()))))
    message.detection.balls[0].x = 5000.0
    message.detection.robots_blue[0].height = 150.0
    message.geometry.field.field_length = 5000
    packet = decode_vision(message.SerializeToString())
    assert packet.detection.balls[0].x == 5.0
    assert packet.detection.robots[0].height == 0.15
    assert packet.geometry.field.length == 5.0


def test_vision_times_become_nanoseconds():
    """A unix time in seconds must read as nanoseconds, rounded to microseconds."""
    message = wire.WrapperPacket()
    message.ParseFromString(encode_vision(VisionPacket(FRAME, None)))
    message.detection.t_capture = 1657689229.123457
    assert decode_vision(message.SerializeToString()).detection.capture_ns == 1657689229123457000


def test_referee_units():
    """Microseconds must read as nanoseconds and seconds, the placement's mm as meters."""
    message = wire.Referee()
    message.ParseFromString(encode_referee(REFEREE))
    message.packet_timestamp = 1657689232980237
    message.stage_time_left = -1_500_000
    message.yellow.yellow_card_times.append(90_000_000)
    message.designated_position.x = 1000.0
    message.designated_position.y = -500.0
    referee = decode_referee(message.SerializeToString())
    assert referee.sent_ns == 1657689232980237000
    assert referee.stage_time_left == -1.5
    assert referee.yellow.yellow_card_times == (90.0,)
    assert referee.designated_position == (1.0, -0.5)


def test_visibility_above_one_is_clamped():
    """The TIGERs' 1.0676 must read as 1, in tracked balls and robots."""
    packet = _tracked(
        balls=(replace(TRACKED_BALL, visibility=1.0676),),
        robots=(replace(TRACKED_ROBOT, visibility=1.0676),),
    )
    assert packet.frame.balls[0].visibility == 1.0
    assert packet.frame.robots[0].visibility == 1.0


def test_unread_pattern_and_repeated_robot():
    """A robot without a number and the same robot twice must both be decoded."""
    nameless = replace(ROBOT, number=None)
    assert _detection(robots=(nameless, ROBOT, ROBOT)).detection.robots == (nameless, ROBOT, ROBOT)


def test_unknown_values_of_the_referee_stay_numbers():
    """An unknown command, stage or next command must not read as HALT."""
    referee = _referee(command=99, stage=77, next_command=88)
    assert (referee.command, referee.stage, referee.next_command) == (99, 77, 88)
    assert not isinstance(referee.command, Command)


def test_bad_text_does_not_reject_the_packet():
    """A team name that is not UTF-8 must decode as text, and the rest of the packet unchanged."""
    message = wire.Referee()
    message.ParseFromString(encode_referee(REFEREE))
    message.yellow.name = b'\xff\xfeKIKS'
    referee = decode_referee(message.SerializeToString())
    assert referee.yellow.name.endswith('KIKS')
    assert referee.command is Command.STOP


def test_kick_by_an_unknown_robot_has_no_kicker():
    """A kick by a robot of an unknown team must be decoded without a kicker."""
    message = wire.TrackerWrapperPacket()
    message.ParseFromString(encode_tracker(TrackerPacket('u', 's', TRACKED)))
    message.tracked_frame.kicked_ball.robot_id.id = 3
    assert decode_tracker(message.SerializeToString()).frame.kicked_ball.kicker is None


@pytest.mark.parametrize('set_id', ['id', 'team', None])
def test_robot_without_identity_is_rejected(set_id):
    """A tracked robot without number or team must be rejected and named, not left out."""
    message = wire.TrackerWrapperPacket()
    message.ParseFromString(encode_tracker(TrackerPacket('u', 's', TRACKED)))
    robot_id = message.tracked_frame.robots[0].robot_id
    robot_id.Clear()
    if set_id:
        setattr(robot_id, set_id, 1)
    with pytest.raises(ImplausibleValueError, match=r'tracked_frame\.robots\[0\]\.robot_id'):
        decode_tracker(message.SerializeToString())


@pytest.mark.parametrize('decode', [decode_vision, decode_tracker, decode_referee])
def test_empty_datagram_is_malformed(decode):
    """An empty datagram is a valid protobuf message but not a packet."""
    with pytest.raises(MalformedPacketError, match='empty'):
        decode(b'')


def test_missing_fields_are_named():
    """A packet that parses without its required fields must give an error that names them."""
    message = wire.WrapperPacket()
    message.detection.balls.add(x=1.0, y=1.0, pixel_x=1.0, pixel_y=1.0)
    with pytest.raises(MalformedPacketError, match=r'detection\.balls\[0\]\.confidence') as error:
        decode_vision(message.SerializePartialToString())
    assert 'detection.t_capture' in str(error.value)


def test_legacy_geometry_is_recognized():
    """A field from before 2014 parses as a current one with one line; it must be rejected."""
    numbers = bytes(n for field in range(1, 15) for n in (field << 3, 10))
    field = b'\x0a' + bytes([len(numbers)]) + numbers
    with pytest.raises(LegacyPacketError, match='2014'):
        decode_vision(b'\x12' + bytes([len(field)]) + field)


@pytest.mark.parametrize('value', [*NON_FINITE, 51.0, 1e30])
@pytest.mark.parametrize('name', ['x', 'y'])
def test_detection_off_any_field_is_rejected(name, value):
    """An impossible position must give an error with its field, value and limit."""
    ball, robot = replace(BALL, **{name: value}), replace(ROBOT, **{name: value})
    with pytest.raises(ImplausibleValueError, match=rf'detection\.balls\[1\]\.{name}: .*50000'):
        _detection(balls=(BALL, ball))
    with pytest.raises(ImplausibleValueError, match=rf'robots_blue\[0\]\.{name}: .*50000'):
        _detection(robots=(robot,))


def test_error_names_path_value_and_limits():
    """The message must name the path, the value with its unit, and the limits."""
    with pytest.raises(ImplausibleValueError) as error:
        _detection(balls=(BALL, replace(BALL, x=60.0)))
    assert str(error.value) == (
        'detection.balls[1].x: 60000.0 mm is not within -50000 to 50000 mm'
    )


@pytest.mark.parametrize(
    ('path', 'fields'),
    [
        ('balls[0].z', {'balls': (replace(BALL, z=21.0),)}),
        ('balls[0].confidence', {'balls': (replace(BALL, confidence=-0.1),)}),
        ('balls[0].pixel_y', {'balls': (replace(BALL, pixel=(0.0, 1e6)),)}),
        ('robots_blue[0].robot_id', {'robots': (replace(ROBOT, number=16),)}),
        ('robots_blue[0].robot_id', {'robots': (replace(ROBOT, number=4294967295),)}),
        ('robots_blue[0].orientation', {'robots': (replace(ROBOT, heading=math.nan),)}),
        ('robots_blue[0].height', {'robots': (replace(ROBOT, height=-2.0),)}),
        ('camera_id', {'camera_id': 64}),
        ('t_capture', {'capture_ns': -1}),
        ('t_sent', {'sent_ns': 2**63}),
    ],
)
def test_implausible_detections(path, fields):
    """Each number of a detection must be bounded."""
    with pytest.raises(ImplausibleValueError) as error:
        _detection(**fields)
    assert str(error.value).startswith(f'detection.{path}: ')


@pytest.mark.parametrize(
    ('path', 'parts'),
    [
        ('field.field_length', {'field': replace(FIELD, length=0.01)}),
        ('field.field_width', {'field': replace(FIELD, width=101.0)}),
        ('field.goal_height', {'field': replace(FIELD, goal_height=-0.1)}),
        ('field.ball_radius', {'field': replace(FIELD, ball_radius=math.nan)}),
        (
            'field.field_lines[0].p2.y',
            {'field': replace(FIELD, lines=(replace(LINE, end=(0.0, math.inf)),))},
        ),
        ('calib[0].camera_id', {'camera': replace(CAMERA, camera_id=64)}),
        ('calib[0].q3', {'camera': replace(CAMERA, rotation=(0.0, 0.0, 0.0, math.nan))}),
        (
            'calib[0].derived_camera_world_tz',
            {'camera': replace(CAMERA, position=(0.0, 0.0, 1e9))},
        ),
        ('models.straight_two_phase.acc_roll', {'straight': StraightModel(-3.0, 0.0, 0.7)}),
    ],
)
def test_implausible_geometries(path, parts):
    """Each number of a geometry must be bounded, and a rolling ball must slow down."""
    with pytest.raises(ImplausibleValueError) as error:
        _geometry(**parts)
    assert str(error.value).startswith(f'geometry.{path}: ')


@pytest.mark.parametrize(
    ('path', 'fields'),
    [
        ('timestamp', {'stamp_ns': -1}),
        ('kicked_ball.stop_timestamp', {'kicked_ball': replace(KICK, stop_ns=-1)}),
        ('kicked_ball.vel.z', {'kicked_ball': replace(KICK, velocity=(0.0, 0.0, math.inf))}),
        ('kicked_ball.stop_pos.x', {'kicked_ball': replace(KICK, stop_position=(51.0, 0.0))}),
        ('balls[0].pos.z', {'balls': (replace(TRACKED_BALL, position=(0.0, 0.0, -2.0)),)}),
        ('balls[0].vel.x', {'balls': (replace(TRACKED_BALL, velocity=(101.0, 0.0, 0.0)),)}),
        ('balls[0].visibility', {'balls': (replace(TRACKED_BALL, visibility=11.0),)}),
        ('robots[0].pos.y', {'robots': (replace(TRACKED_ROBOT, position=(0.0, math.nan)),)}),
        ('robots[0].vel_angular', {'robots': (replace(TRACKED_ROBOT, angular_velocity=2e3),)}),
        (
            'robots[0].robot_id.id',
            {'robots': (replace(TRACKED_ROBOT, id=RobotId(Team.BLUE, 16)),)},
        ),
    ],
)
def test_implausible_tracked_frames(path, fields):
    """Each number of a tracked frame must be bounded."""
    with pytest.raises(ImplausibleValueError) as error:
        _tracked(**fields)
    assert str(error.value).startswith(f'tracked_frame.{path}: ')


@pytest.mark.parametrize(
    ('path', 'fields'),
    [
        ('packet_timestamp', {'sent_ns': 2**63}),
        ('command_timestamp', {'command_ns': 2**63}),
        ('designated_position.y', {'designated_position': (0.0, math.nan)}),
    ],
)
def test_implausible_referees(path, fields):
    """Each number of a referee packet that is used must be bounded."""
    with pytest.raises(ImplausibleValueError) as error:
        _referee(**fields)
    assert str(error.value).startswith(f'referee.{path}: ')


def test_an_impossible_goalkeeper_keeps_the_command():
    """A goalkeeper number beyond the patterns must decode as None, and the command be kept."""
    message = wire.Referee.FromString(encode_referee(REFEREE))
    message.blue.goalkeeper = 4294967295
    packet = decode_referee(message.SerializeToString())
    assert packet.blue.goalkeeper is None
    assert packet.yellow.goalkeeper == REFEREE.yellow.goalkeeper
    assert packet.command is REFEREE.command


@given(st.floats(width=64))
def test_every_time_fits_into_int64_or_is_rejected(seconds):
    """Any double as a time must fit into ROS's int64 nanoseconds once decoded."""
    message = wire.WrapperPacket()
    message.ParseFromString(encode_vision(VisionPacket(FRAME, None)))
    message.detection.t_capture = seconds
    try:
        capture_ns = decode_vision(message.SerializeToString()).detection.capture_ns
    except ImplausibleValueError:
        assert not 0.0 <= seconds <= 4_000_000_000
    else:
        struct.pack('>q', capture_ns)
        assert capture_ns >= 0
