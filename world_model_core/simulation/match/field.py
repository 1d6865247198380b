# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A division B field with cameras, and the geometry that vision sends."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from world_model_core.match.ssl.geometry_values import (
    ChipModel,
    FieldArc,
    FieldLine,
    FieldSize,
    Geometry,
    StraightModel,
)
from world_model_core.simulation.match.overhead_camera import OverheadCamera

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.match.ball.ball_constants import BallParameters

# SSL rules, division B [m].
LENGTH, WIDTH, BOUNDARY = 9.0, 6.0, 0.3
GOAL_WIDTH, GOAL_DEPTH, GOAL_HEIGHT = 1.0, 0.18, 0.155
PENALTY_DEPTH, PENALTY_WIDTH = 1.0, 2.0
CIRCLE_RADIUS, LINE_THICKNESS = 0.5, 0.01
BALL_RADIUS, ROBOT_RADIUS = 0.0215, 0.09

# The boards are made of foam, into which robots press to reach a ball in a corner [m].
FOAM = 0.03
MARGIN = BOUNDARY - FOAM - BALL_RADIUS
# Position of the center of a ball that touches the boards (x + iy) [m].
BOARDS = complex(LENGTH / 2 + MARGIN, WIDTH / 2 + MARGIN)

# Distance by which each camera sees beyond its part of the field [m]: to the boards, and into the
# parts of neighboring cameras.
OVERLAP = 0.55
CAMERA_HEIGHT = 4.0
# Resolution on the carpet in the middle of the image [px/m].
RESOLUTION = 250.0


def lay_out_cameras(
    count: int, height: float = CAMERA_HEIGHT, distortion: float = 0.0
) -> tuple[OverheadCamera, ...]:
    """
    Return cameras above the centers of equal parts of the field, in one or two rows.

    Parameters
    ----------
    count : int
        Number of cameras; an even number from four on makes two rows along the field.
    height, distortion : float
        Of each camera [m, 1].

    """
    rows = 2 if count >= 4 and count % 2 == 0 else 1
    columns = count // rows
    part_x, part_y = LENGTH / columns, WIDTH / rows
    size = round(RESOLUTION * (part_x + 2 * OVERLAP)), round(RESOLUTION * (part_y + 2 * OVERLAP))
    places = [
        (part_x * (column + 0.5) - LENGTH / 2, part_y * (row + 0.5) - WIDTH / 2, height)
        for row in range(rows)
        for column in range(columns)
    ]
    focal_length = RESOLUTION * height
    return tuple(
        OverheadCamera(index, place, focal_length, size, distortion)
        for index, place in enumerate(places)
    )


CAMERAS = lay_out_cameras(2)


def make_geometry(
    ball: BallParameters | None, cameras: Sequence[OverheadCamera] = CAMERAS
) -> Geometry:
    """
    Return the geometry of the field, the cameras and the ball models.

    Parameters
    ----------
    ball : BallParameters or None
        None for no ball models, as on many fields.
    cameras : sequence of OverheadCamera
        As published.

    """
    calibrations = tuple(camera.calibration() for camera in cameras)
    if ball is None:
        return Geometry(_make_field(), calibrations)
    straight = StraightModel(ball.slide_acceleration, ball.roll_acceleration, ball.switch_ratio)
    chip = ChipModel(ball.damping_xy_first_hop, ball.damping_xy_other_hops, ball.damping_z)
    return Geometry(_make_field(), calibrations, straight, chip)


def _make_field() -> FieldSize:
    """Return the dimensions and lines of the field."""
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
    """Return the straight lines, with ssl-vision's names."""
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
