# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A Kalman filter on the height of a ball, where a simulator measures it."""

from __future__ import annotations

# Of vertical acceleration beside gravity, in flight [m^2/s^3].
DENSITY = 1.0
# A measured height above this [m] is flight; grSim's noise is a few millimetres.
AIRBORNE = 0.02
# Of the height and the vertical speed of a ball that lies on the carpet [m], [m/s].
LYING = (1e-3, 1e-2)
# Of the vertical speed when a height is measured first, or after a bounce [m/s].
UNKNOWN_SPEED = 3.0
# Simulators differ in the point of the ball of which they give the height [m].
MEASURED_STD = 0.01
# Squared Mahalanobis distance of a height that the flight does not explain: four deviations.
GATE = 16.0


class Height:
    """
    Height and vertical speed of a ball.

    Attributes
    ----------
    z, speed : float
        Of the ball's lowest point [m], [m/s], up.
    pp, pv, vv : float
        Their covariance [m^2, m^2/s, m^2/s^2].

    """

    def __init__(self) -> None:
        self._lie()

    @property
    def flies(self) -> bool:
        """Whether the ball is off the carpet."""
        return self.z > 0.0

    def predict(self, dt: float, gravity: float) -> None:
        """Go on for `dt` [s] under `gravity` [m/s^2], negative, if it flies."""
        if not self.flies:
            return
        self.z += dt * self.speed + 0.5 * gravity * dt * dt
        self.speed += gravity * dt
        self.pp += dt * (2.0 * self.pv + dt * self.vv) + DENSITY * dt**3 / 3.0
        self.pv += dt * self.vv + DENSITY * dt * dt / 2.0
        self.vv += DENSITY * dt
        if self.z <= 0.0:  # at a bounce or a landing: the next measurement tells which
            self._lie()

    def update(self, measured: float, variance: float) -> None:
        """Take a measured height [m] of this variance [m^2] in."""
        variance += MEASURED_STD**2
        if not self.flies:
            if measured > AIRBORNE:
                self._rise(measured, variance)
            return
        if measured <= 0.0:
            self._lie()
            return
        spread = self.pp + variance
        surprise = measured - self.z
        if surprise * surprise > GATE * spread:  # else the speed would grow without bound
            self._rise(measured, variance)
            return
        gain, speed_gain = self.pp / spread, self.pv / spread
        self.z += gain * surprise
        self.speed += speed_gain * surprise
        self.vv -= speed_gain * self.pv
        self.pv -= gain * self.pv
        self.pp -= gain * self.pp

    def _rise(self, measured: float, variance: float) -> None:
        """Begin a flight of which nothing is known but where it is."""
        self.z, self.speed = measured, 0.0
        self.pp, self.pv, self.vv = variance, 0.0, UNKNOWN_SPEED**2

    def _lie(self) -> None:
        self.z = self.speed = self.pv = 0.0
        self.pp, self.vv = LYING[0] ** 2, LYING[1] ** 2
