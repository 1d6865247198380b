# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The detections of vision as frozen values in SI units.

Positions are in the field frame of ssl-vision: origin at the center of the field, +x towards one
goal, +y to the left of +x, +z up; headings counter-clockwise from +x [rad]. Times are integer
nanoseconds of vision's clock and not comparable with those of other senders.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.match.ssl.geometry_values import Geometry
    from world_model_core.match.ssl.robot_id import Team

__all__ = ['BallDetection', 'DetectionFrame', 'RobotDetection', 'VisionPacket']


@dataclass(frozen=True, slots=True)
class BallDetection:
    """
    The detection of a ball by one camera.

    `x`, `y`, `z` [m]; `z` only from simulators, else None: a flying ball is then reported where
    the ray from the camera through it meets the ground. `confidence` 0 to 1, `pixel` (x, y),
    `area` [px].
    """

    x: float
    y: float
    z: float | None
    confidence: float
    pixel: tuple[float, float]
    area: int | None = None


@dataclass(frozen=True, slots=True)
class RobotDetection:
    """
    The detection of a robot by one camera.

    `x`, `y` [m], `heading` [rad] or None if not measured, `height` of the pattern [m] or None,
    `confidence` 0 to 1. `number` is None if the pattern was not recognized.
    """

    team: Team
    number: int | None
    x: float
    y: float
    heading: float | None
    confidence: float
    pixel: tuple[float, float]
    height: float | None = None


@dataclass(frozen=True, slots=True)
class DetectionFrame:
    """
    The detections of one camera frame.

    Parameters
    ----------
    frame_number : int
    camera_id : int
    capture_ns : int
        Time of the exposure [ns, clock of vision].
    sent_ns : int
        Time of sending [ns, clock of vision].
    balls : tuple of BallDetection
    robots : tuple of RobotDetection

    """

    frame_number: int
    camera_id: int
    capture_ns: int
    sent_ns: int
    balls: tuple[BallDetection, ...]
    robots: tuple[RobotDetection, ...]


@dataclass(frozen=True, slots=True)
class VisionPacket:
    """One SSL_WrapperPacket: a detection, a geometry, both or neither."""

    detection: DetectionFrame | None
    geometry: Geometry | None
