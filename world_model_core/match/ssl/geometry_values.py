# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The geometry that vision sends as frozen values in SI units: field, cameras, ball models.

Positions are in the field frame of ssl-vision: origin at the center of the field, +x towards one
goal, +y to the left of +x, +z up; angles counter-clockwise from +x [rad].
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    'CameraCalibration',
    'ChipModel',
    'FieldArc',
    'FieldLine',
    'FieldSize',
    'Geometry',
    'StraightModel',
]


@dataclass(frozen=True, slots=True)
class FieldLine:
    """A straight line on the carpet: `start`, `end` (x, y) and `thickness` [m]."""

    name: str
    start: tuple[float, float]
    end: tuple[float, float]
    thickness: float


@dataclass(frozen=True, slots=True)
class FieldArc:
    """A circular line: `center` (x, y), `radius`, `thickness` [m], from `start` to `end` [rad]."""

    name: str
    center: tuple[float, float]
    radius: float
    start: float
    end: float
    thickness: float


@dataclass(frozen=True, slots=True)
class FieldSize:
    """Dimensions of the field [m]; None for optional ones that are absent."""

    length: float
    width: float
    goal_width: float
    goal_depth: float
    boundary_width: float
    lines: tuple[FieldLine, ...] = ()
    arcs: tuple[FieldArc, ...] = ()
    penalty_area_depth: float | None = None
    penalty_area_width: float | None = None
    center_circle_radius: float | None = None
    line_thickness: float | None = None
    goal_center_to_penalty_mark: float | None = None
    goal_height: float | None = None
    ball_radius: float | None = None
    max_robot_radius: float | None = None
    boundary_width_goal_line: float | None = None
    goal_substitution_area_width: float | None = None


@dataclass(frozen=True, slots=True)
class CameraCalibration:
    """
    The calibration of a camera as ssl-vision publishes it.

    `focal_length` and `principal_point` [px], `distortion` of ssl-vision's radial model,
    `rotation` quaternion xyzw field -> camera, `translation` [m] field -> camera, `position` of
    the camera in the field frame (x, y, z) [m] or None if absent, `image_size` (width,
    height) [px] or None.
    """

    camera_id: int
    focal_length: float
    principal_point: tuple[float, float]
    distortion: float
    rotation: tuple[float, float, float, float]
    translation: tuple[float, float, float]
    position: tuple[float, float, float] | None = None
    image_size: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class StraightModel:
    """
    SSL_BallModelStraightTwoPhase: sliding, then rolling.

    `slide_acceleration`, `roll_acceleration` [m/s^2], both negative; the ball rolls once its
    speed has fallen to `switch_ratio` times the kick speed.
    """

    slide_acceleration: float
    roll_acceleration: float
    switch_ratio: float


@dataclass(frozen=True, slots=True)
class ChipModel:
    """SSL_BallModelChipFixedLoss: the fraction of the velocity kept at a bounce, 0 to 1."""

    damping_xy_first_hop: float
    damping_xy_other_hops: float
    damping_z: float


@dataclass(frozen=True, slots=True)
class Geometry:
    """The field, its cameras, and the ball models if vision sends them."""

    field: FieldSize
    cameras: tuple[CameraCalibration, ...]
    straight: StraightModel | None = None
    chip: ChipModel | None = None
