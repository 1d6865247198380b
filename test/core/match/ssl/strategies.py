# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Hypothesis strategies of packets that are possible on the wire."""

from __future__ import annotations

from hypothesis import strategies as st

from world_model_core.match.ssl.geometry_values import (
    CameraCalibration,
    ChipModel,
    FieldArc,
    FieldLine,
    FieldSize,
    Geometry,
    StraightModel,
)
from world_model_core.match.ssl.referee_values import Command, Referee, Stage, TeamInfo
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.match.ssl.tracker_values import (
    KickedBall,
    TrackedBall,
    TrackedFrame,
    TrackedRobot,
    TrackerPacket,
)
from world_model_core.match.ssl.vision_values import (
    BallDetection,
    DetectionFrame,
    RobotDetection,
    VisionPacket,
)

COUNTS = st.integers(0, 2**32 - 1)
NUMBERS = st.integers(-(2**31), 2**31 - 1)
NAMES = st.text(max_size=12)
FLAGS = st.booleans()


def _floats(low: float, high: float) -> st.SearchStrategy[float]:
    """Draw numbers that a float32 holds."""
    low, high = (float(bound) for bound in (low, high))
    return st.floats(low, high, width=32)


def _meters(low: float, high: float) -> st.SearchStrategy[float]:
    """Draw lengths [m] that the wire holds as float32 millimeters."""
    return _floats(low * 1000, high * 1000).map(lambda length: length / 1000)


def _whole_meters(low: int, high: int) -> st.SearchStrategy[float]:
    """Draw lengths [m] that the wire holds as whole millimeters."""
    return st.integers(low, high).map(lambda length: length / 1000)


def _durations(low: int, high: int) -> st.SearchStrategy[float]:
    """Draw seconds that the wire holds as whole microseconds."""
    return st.integers(low, high).map(lambda duration: duration / 1e6)


def _optional(strategy):
    """Draw values that a packet may leave out."""
    return st.none() | strategy


# Until 2038; later microseconds are not exact in the wire's doubles.
TIMES = st.integers(0, 2**31 * 10**6).map(lambda microseconds: microseconds * 1000)
PLACES = st.tuples(_meters(-50, 50), _meters(-50, 50))
PIXELS = st.tuples(_floats(-1024, 4096), _floats(-1024, 4096))
HEADINGS = _floats(-4, 4)
CONFIDENCES = _floats(0, 1)
ROBOT_IDS = st.builds(RobotId, st.sampled_from(Team), st.integers(0, 15))


def ball_detections() -> st.SearchStrategy[BallDetection]:
    """Draw balls of one camera."""
    return st.builds(
        BallDetection,
        x=_meters(-50, 50),
        y=_meters(-50, 50),
        z=_optional(_meters(-1, 20)),
        confidence=CONFIDENCES,
        pixel=PIXELS,
        area=_optional(COUNTS),
    )


def robot_detections() -> st.SearchStrategy[RobotDetection]:
    """Draw robots of one camera."""
    return st.builds(
        RobotDetection,
        team=st.sampled_from(Team),
        number=_optional(st.integers(0, 15)),
        x=_meters(-50, 50),
        y=_meters(-50, 50),
        heading=_optional(HEADINGS),
        confidence=CONFIDENCES,
        pixel=PIXELS,
        height=_optional(_meters(0, 1)),
    )


def _yellow_first(robots: list[RobotDetection]) -> tuple[RobotDetection, ...]:
    """Order robots as on the wire, which has one list per color."""
    return tuple(sorted(robots, key=lambda robot: robot.team is Team.BLUE))


def detection_frames() -> st.SearchStrategy[DetectionFrame]:
    """Draw frames of one camera, also with the same robot twice."""
    return st.builds(
        DetectionFrame,
        frame_number=COUNTS,
        camera_id=st.integers(0, 63),
        capture_ns=TIMES,
        sent_ns=TIMES,
        balls=st.lists(ball_detections(), max_size=3).map(tuple),
        robots=st.lists(robot_detections(), max_size=4).map(_yellow_first),
    )


def _field_lines() -> st.SearchStrategy[FieldLine]:
    """Draw straight lines of a field."""
    return st.builds(FieldLine, NAMES, PLACES, PLACES, _meters(0, 1))


def _field_arcs() -> st.SearchStrategy[FieldArc]:
    """Draw circular lines of a field."""
    return st.builds(FieldArc, NAMES, PLACES, _meters(0, 2), HEADINGS, HEADINGS, _meters(0, 1))


def field_sizes() -> st.SearchStrategy[FieldSize]:
    """Draw fields from a table's to twice a hall's size, with optional dimensions left out."""
    lengths = _whole_meters(0, 20_000)
    return st.builds(
        FieldSize,
        length=_whole_meters(100, 20_000),
        width=_whole_meters(100, 20_000),
        goal_width=lengths,
        goal_depth=lengths,
        boundary_width=lengths,
        lines=st.lists(_field_lines(), max_size=2).map(tuple),
        arcs=st.lists(_field_arcs(), max_size=2).map(tuple),
        penalty_area_depth=_optional(lengths),
        penalty_area_width=_optional(lengths),
        center_circle_radius=_optional(lengths),
        line_thickness=_optional(lengths),
        goal_center_to_penalty_mark=_optional(lengths),
        goal_height=_optional(lengths),
        ball_radius=_optional(_meters(0, 1)),
        max_robot_radius=_optional(_meters(0, 1)),
        boundary_width_goal_line=_optional(lengths),
        goal_substitution_area_width=_optional(lengths),
    )


def cameras() -> st.SearchStrategy[CameraCalibration]:
    """Draw calibrations; their quaternions need not be rotations."""
    length = _meters(-20, 20)
    return st.builds(
        CameraCalibration,
        camera_id=st.integers(0, 63),
        focal_length=_floats(0, 4096),
        principal_point=PIXELS,
        distortion=_floats(-1, 1),
        rotation=st.tuples(*[_floats(-1, 1)] * 4),
        translation=st.tuples(length, length, length),
        position=_optional(st.tuples(length, length, length)),
        image_size=_optional(st.tuples(st.integers(0, 8192), st.integers(0, 8192))),
    )


def geometries() -> st.SearchStrategy[Geometry]:
    """Draw geometries with and without models of the ball."""
    decelerations, ratios = st.floats(-10, -0.01), st.floats(0, 1)
    return st.builds(
        Geometry,
        field=field_sizes(),
        cameras=st.lists(cameras(), max_size=3).map(tuple),
        straight=_optional(st.builds(StraightModel, decelerations, decelerations, ratios)),
        chip=_optional(st.builds(ChipModel, ratios, ratios, ratios)),
    )


def vision_packets() -> st.SearchStrategy[VisionPacket]:
    """Draw packets with at least one part; an empty one has no bytes."""
    frames, fields = detection_frames(), geometries()
    return (
        st.builds(VisionPacket, frames, st.none())
        | st.builds(VisionPacket, st.none(), fields)
        | st.builds(VisionPacket, frames, fields)
    )


def _vectors2(limit: float) -> st.SearchStrategy[tuple[float, float]]:
    """Draw vectors in the plane."""
    return st.tuples(_floats(-limit, limit), _floats(-limit, limit))


def _vectors3(limit: float, low: float, high: float):
    """Draw vectors in space."""
    return st.tuples(_floats(-limit, limit), _floats(-limit, limit), _floats(low, high))


def tracked_balls() -> st.SearchStrategy[TrackedBall]:
    """Draw balls of a tracker."""
    return st.builds(
        TrackedBall,
        position=_vectors3(50, -1, 20),
        velocity=_optional(_vectors3(15, -15, 15)),
        visibility=_optional(CONFIDENCES),
    )


def tracked_robots() -> st.SearchStrategy[TrackedRobot]:
    """Draw robots of a tracker."""
    return st.builds(
        TrackedRobot,
        id=ROBOT_IDS,
        position=_vectors2(50),
        heading=HEADINGS,
        velocity=_optional(_vectors2(15)),
        angular_velocity=_optional(_floats(-100, 100)),
        visibility=_optional(CONFIDENCES),
    )


def kicked_balls() -> st.SearchStrategy[KickedBall]:
    """Draw kicks."""
    return st.builds(
        KickedBall,
        position=_vectors2(50),
        velocity=_vectors3(15, -15, 15),
        start_ns=TIMES,
        stop_ns=_optional(TIMES),
        stop_position=_optional(_vectors2(50)),
        kicker=_optional(ROBOT_IDS),
    )


def tracked_frames() -> st.SearchStrategy[TrackedFrame]:
    """Draw frames of a tracker, also with unknown capabilities."""
    return st.builds(
        TrackedFrame,
        frame_number=COUNTS,
        stamp_ns=TIMES,
        balls=st.lists(tracked_balls(), max_size=3).map(tuple),
        robots=st.lists(tracked_robots(), max_size=4).map(tuple),
        kicked_ball=_optional(kicked_balls()),
        capabilities=st.frozensets(st.integers(0, 3) | NUMBERS, max_size=4),
    )


def tracker_packets() -> st.SearchStrategy[TrackerPacket]:
    """Draw packets of trackers with any name."""
    return st.builds(TrackerPacket, NAMES, NAMES, _optional(tracked_frames()))


def team_infos() -> st.SearchStrategy[TeamInfo]:
    """Draw teams of the referee."""
    return st.builds(
        TeamInfo,
        name=NAMES,
        score=COUNTS,
        goalkeeper=st.integers(0, 15),
        red_cards=COUNTS,
        yellow_cards=COUNTS,
        yellow_card_times=st.lists(_durations(0, 2**32 - 1), max_size=3).map(tuple),
        timeouts=COUNTS,
        timeout_time=_durations(0, 2**32 - 1),
        max_allowed_bots=_optional(COUNTS),
        foul_counter=_optional(COUNTS),
        ball_placement_failures=_optional(COUNTS),
        can_place_ball=_optional(FLAGS),
        bot_substitution_intent=_optional(FLAGS),
    )


def referees() -> st.SearchStrategy[Referee]:
    """Draw referee packets, also with unknown stages and commands."""
    commands = st.sampled_from(Command) | st.integers(18, 2**31 - 1)
    remaining = _optional(_durations(-(10**10), 10**10))
    return st.builds(
        Referee,
        sent_ns=TIMES,
        stage=st.sampled_from(Stage) | st.integers(14, 2**31 - 1),
        command=commands,
        command_counter=COUNTS,
        command_ns=TIMES,
        yellow=team_infos(),
        blue=team_infos(),
        stage_time_left=remaining,
        designated_position=_optional(PLACES),
        blue_team_on_positive_half=_optional(FLAGS),
        next_command=_optional(commands),
        action_time_left=remaining,
        source_identifier=NAMES,
        match_type=NUMBERS,
        status_message=NAMES,
    )
