# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Minimal packets, to be varied with `dataclasses.replace`."""

from __future__ import annotations

from world_model_core.match.ssl.geometry_values import CameraCalibration, FieldLine, FieldSize
from world_model_core.match.ssl.referee_values import Command, Referee, Stage, TeamInfo
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.match.ssl.tracker_values import (
    KickedBall,
    TrackedBall,
    TrackedFrame,
    TrackedRobot,
)
from world_model_core.match.ssl.vision_values import BallDetection, DetectionFrame, RobotDetection

BALL = BallDetection(x=0.0, y=0.0, z=None, confidence=1.0, pixel=(0.0, 0.0))
ROBOT = RobotDetection(
    team=Team.BLUE, number=3, x=0.0, y=0.0, heading=0.0, confidence=1.0, pixel=(0.0, 0.0)
)
FRAME = DetectionFrame(
    frame_number=1, camera_id=0, capture_ns=0, sent_ns=0, balls=(BALL, BALL), robots=(ROBOT,)
)
CAMERA = CameraCalibration(
    camera_id=0,
    focal_length=500.0,
    principal_point=(0.0, 0.0),
    distortion=0.0,
    rotation=(0.0, 0.0, 0.0, 1.0),
    translation=(0.0, 0.0, 0.0),
)
FIELD = FieldSize(length=12.0, width=9.0, goal_width=1.8, goal_depth=0.18, boundary_width=0.3)
LINE = FieldLine(name='CenterLine', start=(0.0, 0.0), end=(1.0, 0.0), thickness=0.01)
TRACKED_BALL = TrackedBall(position=(0.0, 0.0, 0.0), velocity=None, visibility=None)
TRACKED_ROBOT = TrackedRobot(
    id=RobotId(Team.BLUE, 3),
    position=(0.0, 0.0),
    heading=0.0,
    velocity=None,
    angular_velocity=None,
    visibility=None,
)
KICK = KickedBall(
    position=(0.0, 0.0),
    velocity=(0.0, 0.0, 0.0),
    start_ns=0,
    stop_ns=None,
    stop_position=None,
    kicker=None,
)
TRACKED = TrackedFrame(
    frame_number=1,
    stamp_ns=0,
    balls=(TRACKED_BALL,),
    robots=(TRACKED_ROBOT,),
    kicked_ball=KICK,
    capabilities=frozenset(),
)
TEAM = TeamInfo(
    name='A',
    score=0,
    goalkeeper=0,
    red_cards=0,
    yellow_cards=0,
    yellow_card_times=(),
    timeouts=4,
    timeout_time=300.0,
)
REFEREE = Referee(
    sent_ns=0,
    stage=Stage.NORMAL_FIRST_HALF,
    command=Command.STOP,
    command_counter=0,
    command_ns=0,
    yellow=TEAM,
    blue=TEAM,
)
