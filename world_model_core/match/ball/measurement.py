# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""One camera's sight of a ball, ready to be filtered."""

from __future__ import annotations

from typing import NamedTuple


class Sight(NamedTuple):
    """
    One camera's sight of a ball, what is known of the camera's bias taken away.

    Parameters
    ----------
    stamp_ns : int
        When the picture was taken [ns, vision's clock].
    camera_id : int
    x, y : float
        Where the ray from the camera through the ball meets the carpet [m], field frame; where
        `z` is given, the ball's own place.
    z : float or None
        Measured height of the ball's lowest point [m]; only simulators give it.
    variance : float
        Of x and of y each, the part that is drawn anew in each picture [m^2].
    camera : tuple of float, or None
        Where the camera is, (x, y, z) [m], field frame; None where its calibration is not known.

    """

    stamp_ns: int
    camera_id: int
    x: float
    y: float
    z: float | None
    variance: float
    camera: tuple[float, float, float] | None
