# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A camera above the field, with the lens model of ssl-vision."""

from __future__ import annotations

import math
from dataclasses import dataclass

from world_model_core.match.ssl.geometry_values import CameraCalibration

Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class OverheadCamera:
    """
    A camera that points straight down, rotated by pi about x: in the image +x is right, +y is up.

    Parameters
    ----------
    camera_id : int
    position : tuple of float
        Optical center (x, y, z) [m], field frame.
    focal_length : float
        [px].
    image_size : tuple of int
        Width and height [px]; the principal point is the middle.
    distortion : float
        Radial distortion k: a ray at the angle a from the optical axis, with tan(a) =
        r (1 + k r^2), has the image radius r [focal lengths]. The pixels and positions of robots
        in the RoboCup 2022 recording agree with this model.

    """

    camera_id: int
    position: Vector
    focal_length: float
    image_size: tuple[int, int]
    distortion: float = 0.0

    def pixel(self, point: Vector) -> tuple[float, float]:
        """Project a point (x, y, z) [m] below the camera into the image [px]."""
        depth = self.position[2] - point[2]
        right = (point[0] - self.position[0]) / depth
        up = (point[1] - self.position[1]) / depth
        scale = self.focal_length * self._shrink(math.hypot(right, up))
        width, height = self.image_size
        return width / 2 + scale * right, height / 2 - scale * up

    def point(self, pixel: tuple[float, float], height: float = 0.0) -> tuple[float, float]:
        """Return the point (x, y) [m] at a height [m] whose image is `pixel` [px]."""
        right = (pixel[0] - self.image_size[0] / 2) / self.focal_length
        up = (self.image_size[1] / 2 - pixel[1]) / self.focal_length
        reach = 1.0 + self.distortion * (right * right + up * up)
        reach *= self.position[2] - height
        return self.position[0] + reach * right, self.position[1] + reach * up

    def covers(self, point: Vector) -> bool:
        """Return whether a point (x, y, z) [m] below the camera is in the image."""
        column, row = self.pixel(point)
        return 0.0 <= column < self.image_size[0] and 0.0 <= row < self.image_size[1]

    def project_to_ground(self, point: Vector) -> tuple[float, float]:
        """
        Return the intersection (x, y) [m] of the ray through a point (x, y, z) with the ground.

        For camera C and point P: C + (P - C) Cz / (Cz - Pz). At this position ssl-vision reports a
        flying ball.
        """
        cx, cy, cz = self.position
        stretch = cz / (cz - point[2])
        return cx + (point[0] - cx) * stretch, cy + (point[1] - cy) * stretch

    def calibration(self) -> CameraCalibration:
        """Return the calibration that ssl-vision would publish."""
        x, y, z = self.position
        return CameraCalibration(
            camera_id=self.camera_id,
            focal_length=self.focal_length,
            principal_point=(self.image_size[0] / 2, self.image_size[1] / 2),
            distortion=self.distortion,
            rotation=(1.0, 0.0, 0.0, 0.0),
            translation=(-x, y, z),
            position=self.position,
            image_size=self.image_size,
        )

    def _shrink(self, tangent: float) -> float:
        """Solve r (1 + k r^2) = tangent for r / tangent, by the hyperbolic solution of a cubic."""
        if self.distortion == 0.0 or tangent == 0.0:
            return 1.0
        root = math.sqrt(3.0 * self.distortion)
        return 2.0 / root * math.sinh(math.asinh(1.5 * root * tangent) / 3.0) / tangent
