# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How noisy each camera's sights of a ball are, learnt from how well they were foreseen."""

from __future__ import annotations

# Of a resting ball at RoboCup 2022 [m]: 0.3 mm, and what a calibration adds from place to place.
REST_STD = 0.0005
# The instant of a picture is known to this [s]: sights along the way of that ball scattered by
# 1.5 mm at 1.5 m/s, those across it by 0.5 mm.
STAMP_STD = 0.0007
# Noise before anything is learnt, and how far it may be off, as factors of the variance.
FIRST, LEAST, MOST = 4.0, 0.1, 100.0
# Sights that the factor is the mean of, about.
MEMORY = 100.0


class SightNoise:
    """The variance of each camera's sights, as a factor of what a good camera shows."""

    def __init__(self) -> None:
        self._factors: dict[int, float] = {}

    def variance(self, camera_id: int, speed: float) -> float:
        """Tell the variance of a coordinate [m^2] of a ball that moves at `speed` [m/s]."""
        return self._factors.get(camera_id, FIRST) * _unit(speed)

    def learn(self, camera_id: int, speed: float, squared: float, foreseen: float) -> None:
        """
        Compare a sight with where it was foreseen.

        Parameters
        ----------
        camera_id : int
        speed : float
            Of the ball [m/s].
        squared : float
            Distance between sight and prediction, squared and halved [m^2].
        foreseen : float
            Variance of the prediction itself, per axis [m^2].

        """
        factor = self._factors.get(camera_id, FIRST)
        shown = min((squared - foreseen) / _unit(speed), MOST)
        factor += (shown - factor) / MEMORY
        self._factors[camera_id] = min(max(factor, LEAST), MOST)


def _unit(speed: float) -> float:
    """Find the variance of a good camera's sights: half of what a wrong instant adds, per axis."""
    return REST_STD**2 + 0.5 * (STAMP_STD * speed) ** 2
