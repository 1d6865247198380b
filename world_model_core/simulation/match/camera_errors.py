# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What is wrong with the cameras' calibration and clock, and nobody on the wire knows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from world_model_core.simulation.match.random_streams import RandomStream, random_stream

if TYPE_CHECKING:
    from world_model_core.simulation.match.overhead_camera import OverheadCamera, Vector
    from world_model_core.simulation.match.parameters import SslMatchParameters

Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class CameraErrors:
    """
    How a camera's detections and its calibration on the wire differ from the truth.

    Parameters
    ----------
    bias : tuple of float
        Added to the place (x, y) of every detection [m].
    slope : tuple of tuple of float, shape (2, 2)
        Times the way from below the camera (x, y), added likewise [m per m].
    position : tuple of float
        Added to the camera's position (x, y, z) on the wire [m].

    """

    bias: Pair = (0.0, 0.0)
    slope: tuple[Pair, Pair] = ((0.0, 0.0), (0.0, 0.0))
    position: Vector = (0.0, 0.0, 0.0)

    def displace(self, place: Pair, camera: OverheadCamera) -> Pair:
        """Find where a camera has what is at a place (x, y) [m]."""
        x, y = place[0] - camera.position[0], place[1] - camera.position[1]
        (xx, xy), (yx, yy) = self.slope
        return (
            place[0] + self.bias[0] + xx * x + xy * y,
            place[1] + self.bias[1] + yx * x + yy * y,
        )

    def publish(self, camera: OverheadCamera) -> OverheadCamera:
        """Give the camera that the wire tells of."""
        (x, y, z), (dx, dy, dz) = camera.position, self.position
        return replace(camera, position=(x + dx, y + dy, z + dz))


def draw_errors(parameters: SslMatchParameters, camera_id: int) -> CameraErrors:
    """Draw one camera's errors, from normal distributions with the parameters' deviations."""
    normal, wanted = (
        random_stream(parameters.seed, RandomStream.ERRORS, camera_id).normal,
        parameters.bias,
    )
    bx, by = (wanted.position_std * normal(size=2)).tolist()
    xx, xy, yx, yy = (wanted.position_fraction * normal(size=4)).tolist()
    x, y, z = (parameters.camera_position_error * normal(size=3)).tolist()
    return CameraErrors((bx, by), ((xx, xy), (yx, yy)), (x, y, z))


def draw_capture_error(parameters: SslMatchParameters) -> float:
    """Draw by how much every t_capture is later than its picture [s]."""
    return float(
        parameters.capture_delay * random_stream(parameters.seed, RandomStream.CLOCK).normal()
    )
