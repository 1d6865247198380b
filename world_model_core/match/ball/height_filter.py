# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Kalman filter of the ball height, for simulators that measure it."""

from __future__ import annotations

# Power spectral density of the vertical acceleration in flight, besides gravity [m^2/s^3].
DENSITY = 1.0
# A measured height above this [m] means flight; the noise of grSim is a few millimeters.
AIRBORNE = 0.02
# Standard deviations of height and vertical speed of a ball on the carpet [m], [m/s].
LYING = (1e-3, 1e-2)
# Standard deviation of the vertical speed at the first height or after a bounce [m/s].
UNKNOWN_SPEED = 3.0
# Standard deviation of a height [m]: simulators differ in the point of the ball they report.
MEASURED_STD = 0.01
# Squared Mahalanobis distance above which a height does not belong to the flight (4 sigma).
GATE = 16.0


class HeightFilter:
    """
    Kalman filter of height and vertical speed of a ball.

    Attributes
    ----------
    z, speed : float
        Height of the ball's lowest point [m] and vertical speed [m/s], upwards.
    pp, pv, vv : float
        Covariance of both [m^2, m^2/s, m^2/s^2].

    """

    def __init__(self) -> None:
        self._land()

    @property
    def flies(self) -> bool:
        """Whether the ball is off the carpet."""
        return self.z > 0.0

    def predict(self, dt: float, gravity: float) -> None:
        """Predict over `dt` [s] under `gravity` [m/s^2], negative, if the ball flies."""
        if not self.flies:
            return
        self.z += dt * self.speed + 0.5 * gravity * dt * dt
        self.speed += gravity * dt
        self.pp += dt * (2.0 * self.pv + dt * self.vv) + DENSITY * dt**3 / 3.0
        self.pv += dt * self.vv + DENSITY * dt * dt / 2.0
        self.vv += DENSITY * dt
        if self.z <= 0.0:  # a bounce or the landing, which the next measurement decides
            self._land()

    def update(self, measured: float, variance: float) -> None:
        """Update with a measured height [m] of a variance [m^2]."""
        variance += MEASURED_STD**2
        if not self.flies:
            if measured > AIRBORNE:
                self._take_off(measured, variance)
            return
        if measured <= 0.0:
            self._land()
            return
        spread = self.pp + variance
        innovation = measured - self.z
        if innovation * innovation > GATE * spread:  # otherwise the speed would diverge
            self._take_off(measured, variance)
            return
        gain, speed_gain = self.pp / spread, self.pv / spread
        self.z += gain * innovation
        self.speed += speed_gain * innovation
        self.vv -= speed_gain * self.pv
        self.pv -= gain * self.pv
        self.pp -= gain * self.pp

    def _take_off(self, measured: float, variance: float) -> None:
        """Start a flight with unknown vertical speed."""
        self.z, self.speed = measured, 0.0
        self.pp, self.pv, self.vv = variance, 0.0, UNKNOWN_SPEED**2

    def _land(self) -> None:
        self.z = self.speed = self.pv = 0.0
        self.pp, self.vv = LYING[0] ** 2, LYING[1] ** 2
