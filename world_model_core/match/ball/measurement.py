# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A measured ball position of one camera, corrected and with a variance."""

from __future__ import annotations

from typing import NamedTuple


class BallMeasurement(NamedTuple):
    """
    Ball position measured by one camera, with the camera's estimated bias subtracted.

    Parameters
    ----------
    stamp_ns : int
        Capture time of the frame [ns, vision's clock].
    camera_id : int
    x, y : float
        Intersection of the camera ray through the ball with the carpet [m], field frame; the
        ball's own position where `z` is given.
    z : float or None
        Measured height of the ball's lowest point [m]; only simulators provide it.
    variance : float
        Variance of x and of y, for noise that is independent between frames [m^2].
    camera : tuple of float, or None
        Camera position (x, y, z) [m], field frame; None without a calibration.

    """

    stamp_ns: int
    camera_id: int
    x: float
    y: float
    z: float | None
    variance: float
    camera: tuple[float, float, float] | None
