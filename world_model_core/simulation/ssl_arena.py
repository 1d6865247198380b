# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A division B field under two cameras, and the geometry that vision sends of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.ssl.values import (
    CameraCalibration,
    ChipModel,
    FieldArc,
    FieldLine,
    FieldSize,
    Geometry,
    StraightModel,
)

if TYPE_CHECKING:
    from world_model_core.ball.parameters import BallParameters

Vector = tuple[float, float, float]

# SSL rules, division B [m].
LENGTH, WIDTH, BOUNDARY = 9.0, 6.0, 0.3
GOAL_WIDTH, GOAL_DEPTH, GOAL_HEIGHT = 1.0, 0.18, 0.155
PENALTY_DEPTH, PENALTY_WIDTH = 1.0, 2.0
CIRCLE_RADIUS, LINE_THICKNESS = 0.5, 0.01
BALL_RADIUS, ROBOT_RADIUS = 0.0215, 0.09

# The boards are of foam: robots press into it, which is how they get a ball out of a corner [m].
FOAM = 0.03
MARGIN = BOUNDARY - FOAM - BALL_RADIUS
# Where the boards around the carpet stop a ball's centre (x + iy) [m].
BOARDS = complex(LENGTH / 2 + MARGIN, WIDTH / 2 + MARGIN)

# Each camera hangs over the middle of its half and sees 0.55 m of the other, and everything up
# to the boards.
CAMERA_HEIGHT = 4.0
FOCAL_LENGTH = 1000.0
IMAGE_SIZE = (1400, 1800)


@dataclass(frozen=True, slots=True)
class Camera:
    """
    A pinhole camera that looks straight down.

    Parameters
    ----------
    camera_id : int
    position : tuple of float
        Its centre (x, y, z) [m], field frame.

    """

    camera_id: int
    position: Vector

    def pixel(self, point: Vector) -> tuple[float, float]:
        """Project a point (x, y, z) [m] into the image [px]; +x right, +y up in the image."""
        scale = FOCAL_LENGTH / (self.position[2] - point[2])
        column = IMAGE_SIZE[0] / 2 + scale * (point[0] - self.position[0])
        return column, IMAGE_SIZE[1] / 2 - scale * (point[1] - self.position[1])

    def sees(self, point: Vector) -> bool:
        """Tell whether a point (x, y, z) [m] below the camera is in the image."""
        column, row = self.pixel(point)
        return 0.0 <= column < IMAGE_SIZE[0] and 0.0 <= row < IMAGE_SIZE[1]

    def shadow(self, point: Vector) -> tuple[float, float]:
        """
        Find where the ray through a point (x, y, z) meets the carpet, (x, y) [m].

        With C the camera and P the point: C + (P - C) Cz / (Cz - Pz), the parallax by which
        ssl-vision sees a flying ball.
        """
        cx, cy, cz = self.position
        stretch = cz / (cz - point[2])
        return cx + (point[0] - cx) * stretch, cy + (point[1] - cy) * stretch

    def calibration(self) -> CameraCalibration:
        """Give what ssl-vision would publish of it: half a turn about x, no distortion."""
        x, y, z = self.position
        return CameraCalibration(
            camera_id=self.camera_id,
            focal_length=FOCAL_LENGTH,
            principal_point=(IMAGE_SIZE[0] / 2, IMAGE_SIZE[1] / 2),
            distortion=0.0,
            rotation=(1.0, 0.0, 0.0, 0.0),
            translation=(-x, y, z),
            position=self.position,
            image_size=IMAGE_SIZE,
        )


CAMERAS = (
    Camera(0, (-LENGTH / 4, 0.0, CAMERA_HEIGHT)),
    Camera(1, (LENGTH / 4, 0.0, CAMERA_HEIGHT)),
)


def make_geometry(ball: BallParameters) -> Geometry:
    """Describe the field, the cameras and the ball's constants."""
    straight = StraightModel(ball.slide_acceleration, ball.roll_acceleration, ball.switch_ratio)
    chip = ChipModel(ball.damping_xy_first_hop, ball.damping_xy_other_hops, ball.damping_z)
    cameras = tuple(camera.calibration() for camera in CAMERAS)
    return Geometry(_make_field(), cameras, straight, chip)


def _make_field() -> FieldSize:
    """Describe the carpet."""
    circle = FieldArc(
        'CenterCircle', (0.0, 0.0), CIRCLE_RADIUS, 0.0, 2.0 * math.pi, LINE_THICKNESS
    )
    return FieldSize(
        length=LENGTH,
        width=WIDTH,
        goal_width=GOAL_WIDTH,
        goal_depth=GOAL_DEPTH,
        boundary_width=BOUNDARY,
        lines=_make_lines(),
        arcs=(circle,),
        penalty_area_depth=PENALTY_DEPTH,
        penalty_area_width=PENALTY_WIDTH,
        center_circle_radius=CIRCLE_RADIUS,
        line_thickness=LINE_THICKNESS,
        goal_height=GOAL_HEIGHT,
        ball_radius=BALL_RADIUS,
        max_robot_radius=ROBOT_RADIUS,
    )


def _make_lines() -> tuple[FieldLine, ...]:
    """Draw the straight lines, by ssl-vision's names."""
    x, y = LENGTH / 2, WIDTH / 2
    inner, side = x - PENALTY_DEPTH, PENALTY_WIDTH / 2
    corners = {
        'TopTouchLine': (-x, y, x, y),
        'BottomTouchLine': (-x, -y, x, -y),
        'LeftGoalLine': (-x, -y, -x, y),
        'RightGoalLine': (x, -y, x, y),
        'HalfwayLine': (0.0, -y, 0.0, y),
        'CenterLine': (-x, 0.0, x, 0.0),
        'LeftPenaltyStretch': (-inner, -side, -inner, side),
        'RightPenaltyStretch': (inner, -side, inner, side),
        'LeftFieldLeftPenaltyStretch': (-x, -side, -inner, -side),
        'LeftFieldRightPenaltyStretch': (-x, side, -inner, side),
        'RightFieldRightPenaltyStretch': (x, -side, inner, -side),
        'RightFieldLeftPenaltyStretch': (x, side, inner, side),
    }
    return tuple(
        FieldLine(name, (x0, y0), (x1, y1), LINE_THICKNESS)
        for name, (x0, y0, x1, y1) in corners.items()
    )
