# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""One kick, fitted again with each measurement until it is over."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from world_model_core.match.ball.estimate import BallState, Kick
from world_model_core.match.ball.kick_detector import SPEED_GAIN, WINDOW_NS
from world_model_core.match.ball.kick_fit import CameraUncertainty, KickFit
from world_model_core.match.ball.track import TOP_SPEED
from world_model_core.match.cameras.projection import project_to_carpet
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.kick_detector import DetectedKick
    from world_model_core.match.ball.kick_fit import FittedKick
    from world_model_core.match.ball.measurement import BallMeasurement
    from world_model_core.match.ball.parameters import BallParameters

# For this long after a straight kick its fit is better than the filter, because it models the
# deceleration; later it does not improve [ns].
STRAIGHT_NS = NANOSECONDS_PER_SECOND * 3 // 10
# Consecutive measurements that contradict the fit: the ball hit something.
MISFITS_TO_END = 3
# Largest ratio of vertical to horizontal speed of a chip, 72 degrees: chippers of the league reach
# about 60, and first estimates vary.
STEEPEST = 3.0
# Standard deviation of published camera positions [m].
CAMERA_PLACE_STD = 0.05


class KickEvent:
    """
    One kick, fitted again with each further measurement until it is over.

    Parameters
    ----------
    detected : DetectedKick
    parameters : BallParameters
    measurements : iterable of BallMeasurement
        Measurements of the ball; those since the kick are used.
    bias_std : float
        Standard deviation of the remaining bias between cameras [m].

    Attributes
    ----------
    fit : FittedKick or None
        Latest solution; None before the first one.
    held : bool
        Whether the ball still moves with the robot that touched it (dribbled or caught).
    over : bool
        Whether further measurements add nothing: the ball rolls, or it hit something.

    """

    def __init__(
        self,
        detected: DetectedKick,
        parameters: BallParameters,
        measurements: Iterable[BallMeasurement],
        bias_std: float,
    ) -> None:
        self._detected = detected
        calibration = CameraUncertainty(bias_std, CAMERA_PLACE_STD)
        self._fit = KickFit(
            parameters, detected.earliest_ns, detected.latest_ns, detected.origin, calibration
        )
        self._misfits = 0
        self._state: BallState | None = None
        self.held = True
        self.fit: FittedKick | None = None
        self.over = False
        for measurement in measurements:
            if measurement.stamp_ns >= detected.latest_ns:
                self._fit.add(measurement)
        self._solve()

    @property
    def kick(self) -> Kick | None:
        """The kick to publish, without the kicker; None if the ball gained no speed."""
        fit = self.fit
        if fit is None or self.held:
            return None
        vx, vy, vz = fit.velocity.tolist()
        if (vx * vx + vy * vy + vz * vz) ** 0.5 - self._detected.speed < SPEED_GAIN:
            return None
        return Kick(
            stamp_ns=fit.stamp_ns,
            position=fit.position[:2],
            velocity=fit.velocity,
            covariance=fit.covariance,
            chip_probability=fit.chip_probability,
            kicker=None,
        )

    @property
    def failed(self) -> bool:
        """Whether the kick ended because the measurements contradict the fit."""
        return self._misfits >= MISFITS_TO_END

    @property
    def speed(self) -> float:
        """Speed along the carpet right after the kick [m/s]; 0 before a solution."""
        return 0.0 if self.fit is None else math.hypot(*self.fit.velocity[:2].tolist())

    @property
    def settled_ns(self) -> int:
        """End of the interval in which a gain of speed belongs to this kick [ns]."""
        return self._detected.latest_ns + WINDOW_NS

    def abandon(self) -> None:
        """End the kick, because the ball is elsewhere."""
        self._misfits, self.over = MISFITS_TO_END, True

    def supersedes_filter(self, stamp_ns: int) -> bool:
        """Return whether the fit is better than the filter at a time [ns]."""
        fit = self.fit
        if fit is None or self.held or self.over:
            return False
        return stamp_ns - fit.stamp_ns < STRAIGHT_NS

    @property
    def flies(self) -> bool:
        """Whether the kick is a chip that is not over."""
        fit = self.fit
        if fit is None or self.held or self.over:
            return False
        return fit.chip_probability > 0.5

    def add(self, measurement: BallMeasurement) -> None:
        """Add a measurement and fit again."""
        self._fit.add(measurement)
        self._solve()
        if self.flies:
            self.over = float(self.state_at(measurement.stamp_ns).velocity[2]) == 0.0
        elif measurement.stamp_ns - self._detected.latest_ns > STRAIGHT_NS:
            self.over = True

    def predicted_measurement(
        self, stamp_ns: int, camera: tuple[float, float, float] | None
    ) -> tuple[Array, Array]:
        """
        Predict where a camera will show the flying ball.

        Parameters
        ----------
        stamp_ns : int
        camera : tuple of float, or None
            Camera position (x, y, z) [m]; None where the ball's own position is measured.

        Returns
        -------
        place : array, shape (2,)
            Predicted position [m], field frame.
        covariance : array, shape (2, 2)
            Its covariance [m^2].

        """
        state = self.state_at(stamp_ns)
        if camera is None:
            return state.position[:2], state.covariance[:2, :2]
        place, slope = project_to_carpet(state.position, camera)
        return place, slope @ state.covariance[:3, :3] @ slope.T

    def state_at(self, stamp_ns: int) -> BallState:
        """Return the ball state at a time [ns]; requires a solution."""
        assert self.fit is not None  # noqa: S101 (callers check that it flies)
        state = self._state
        if state is None or state.stamp_ns != stamp_ns:
            state = self._state = self.fit.state_at(stamp_ns)
        return state

    def _may_chip(self, fit: FittedKick) -> bool:
        """Return whether a robot was there to chip, at an angle that chippers reach."""
        vx, vy, vz = fit.velocity.tolist()
        return self._detected.may_fly and vz <= STEEPEST * math.hypot(vx, vy)

    def _solve(self) -> None:
        solved = self._fit.solve()
        if solved is None:
            return
        fits = solved.fits and math.hypot(*solved.velocity.tolist()) <= TOP_SPEED
        fits = fits and (solved.chip_probability <= 0.5 or self._may_chip(solved))
        self._misfits = 0 if fits else self._misfits + 1
        if fits and solved is not self.fit:
            self.fit, self._state = solved, None
        self.over = self.failed
