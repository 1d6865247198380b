# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Systematic errors of cameras that receivers do not know: bias, calibration, clock."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from world_model_core.simulation.match.random_streams import RandomStream, random_stream

if TYPE_CHECKING:
    from world_model_core.simulation.match.overhead_camera import OverheadCamera, Vector
    from world_model_core.simulation.match.parameters import SslMatchParameters

Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class CameraBiases:
    """
    Errors of a camera's detections and of its published calibration.

    Parameters
    ----------
    bias : tuple of float
        Added to the position (x, y) of each detection [m].
    slope : tuple of tuple of float, shape (2, 2)
        Multiplied by the position relative to the camera (x, y) and added [m per m].
    position : tuple of float
        Added to the published position (x, y, z) of the camera [m].

    """

    bias: Pair = (0.0, 0.0)
    slope: tuple[Pair, Pair] = ((0.0, 0.0), (0.0, 0.0))
    position: Vector = (0.0, 0.0, 0.0)

    def displace(self, place: Pair, camera: OverheadCamera) -> Pair:
        """Return the measured position of an object at (x, y) [m]."""
        x, y = place[0] - camera.position[0], place[1] - camera.position[1]
        (xx, xy), (yx, yy) = self.slope
        return (
            place[0] + self.bias[0] + xx * x + xy * y,
            place[1] + self.bias[1] + yx * x + yy * y,
        )

    def publish(self, camera: OverheadCamera) -> OverheadCamera:
        """Return the camera with the published calibration."""
        (x, y, z), (dx, dy, dz) = camera.position, self.position
        return replace(camera, position=(x + dx, y + dy, z + dz))


def draw_biases(parameters: SslMatchParameters, camera_id: int) -> CameraBiases:
    """Draw the errors of one camera from normal distributions."""
    normal, wanted = (
        random_stream(parameters.seed, RandomStream.ERRORS, camera_id).normal,
        parameters.bias,
    )
    bx, by = (wanted.position_std * normal(size=2)).tolist()
    xx, xy, yx, yy = (wanted.position_fraction * normal(size=4)).tolist()
    x, y, z = (parameters.camera_position_error * normal(size=3)).tolist()
    return CameraBiases((bx, by), ((xx, xy), (yx, yy)), (x, y, z))


def draw_capture_error(parameters: SslMatchParameters) -> float:
    """Draw the delay of t_capture after the exposure [s]."""
    return float(
        parameters.capture_delay * random_stream(parameters.seed, RandomStream.CLOCK).normal()
    )
