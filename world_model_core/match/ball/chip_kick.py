# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Measurement model of a chip kick: arcs of flight between bounces.

A camera at C shows a ball at P where the ray through both meets the carpet,
p = C + (P - C) Cz / (Cz - Pz). Multiplied out, Px + (px - Cx) Pz / Cz = px, which is linear in
the position and velocity of the take-off, with Px = x0 + vx t and Pz = vz t + g t^2 / 2; only
the take-off time enters nonlinearly. Each row is divided by 1 - Pz / Cz to be an error of p.

An arc has the parameters (x, y, vx, vy, vz, t): position, velocity and time of its take-off. The
posterior of an arc, with the loss of velocity at the bounce, is the prior of the next; the loss
varies from bounce to bounce.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.ball_constants import FLAT_STD, LEVEL_STD
from world_model_core.match.ball.measurement_table import add_offsets, flat
from world_model_core.match.ball.motion_segment import BallMotionState, apex_height
from world_model_core.match.ball.trajectory import predict_ball

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.ball_constants import BallParameters
    from world_model_core.match.ball.measurement_table import MeasurementArrays

# Parameters of an arc; camera offsets follow them.
NUMBERS = 6
# Variation of the kept part of the velocity from bounce to bounce.
LOSS_STD = 0.1
# Standard deviations of (x, y, z, vx, vy, vz) that the fit of a flight does not know, as those
# from the error of a camera's height [m, m/s].
FLIGHT_STD = np.array((0.0, 0.0, 0.005, 0.01, 0.01, 0.02))
# Smallest standard deviation of the time of a bounce [s]. The fit states 2 to 6 ms, but errors of
# the camera's height are not in it; with 12 ms the NEES after bounces is least.
BOUNCE_TIME_STD = 0.012
# Bound of the distance to a camera, as a part of its height: Gauss-Newton may step beyond it.
NEAREST = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class BounceArcResiduals:
    """Residuals of one arc of flight for `fit_gauss_newton`."""

    measurements: MeasurementArrays
    gravity: float

    def linearized(self, mean: Array) -> tuple[Array, Array]:
        """Return the residuals (3 n,) of x, y and z, in standard deviations, and derivatives."""
        measurements, count = self.measurements, len(self.measurements.times)
        dt = measurements.times - mean[5]
        height, climb = (mean[4] + 0.5 * self.gravity * dt) * dt, mean[4] + self.gravity * dt
        weight = measurements.sharpness / np.maximum(1.0 - measurements.slants * height, NEAREST)
        velocity = mean[2:4, None]
        ahead = mean[:2, None] + velocity * dt + measurements.rays * height - measurements.places
        slopes = np.zeros((3, len(mean), count))
        slopes[0, 0] = slopes[1, 1] = weight
        slopes[0, 2] = slopes[1, 3] = weight * dt
        slopes[:2, 4] = weight * dt * measurements.rays
        slopes[:2, 5] = -weight * (velocity + measurements.rays * climb)
        slopes[2, 4] = measurements.height_sharpness * dt
        slopes[2, 5] = -measurements.height_sharpness * climb
        residuals = np.empty((3, count))
        residuals[:2] = weight * ahead
        residuals[2] = measurements.height_sharpness * (height - measurements.heights)
        add_offsets(residuals, slopes, measurements, mean[NUMBERS:], NUMBERS)
        _shift_cameras(residuals, slopes, measurements, mean[NUMBERS:], weight * height)
        return residuals.ravel(), flat(slopes)


def _shift_cameras(
    residuals: Array, slopes: Array, measurements: MeasurementArrays, errors: Array, lever: Array
) -> None:
    """Add the effect of camera position errors, which grow with the height of the ball."""
    count = len(measurements.cameras)
    shown = -lever * measurements.slants * measurements.cameras
    residuals[:2] += errors[2 * count :].reshape(2, count) @ shown
    slopes[0, -2 * count : -count] = slopes[1, -count:] = shown


def landing(numbers: Array, gravity: float) -> float:
    """Return the time at which an arc ends [s]."""
    return float(numbers[5] - 2.0 * max(numbers[4], 0.0) / gravity)


def rises(numbers: Array, parameters: BallParameters) -> bool:
    """Return whether a bounce is high enough to be an arc; otherwise the ball rolls."""
    climb = max(float(numbers[4]), 0.0)
    return apex_height(0.0, climb, parameters.gravity) >= parameters.smallest_bounce


def after_bounce(
    mean: Array, covariance: Array, bounces: int, parameters: BallParameters
) -> tuple[Array, Array]:
    """
    Return the prior of the next arc.

    Parameters
    ----------
    mean : array, shape (m,)
        Parameters of an arc and camera offsets, which do not change.
    covariance : array, shape (m, m)
    bounces : int
        Bounces before this one.
    parameters : BallParameters

    Returns
    -------
    mean : array, shape (m,)
    covariance : array, shape (m, m)

    """
    first, other = parameters.damping_xy_first_hop, parameters.damping_xy_other_hops
    kept, kept_z = first if bounces == 0 else other, parameters.damping_z
    per_speed = -2.0 / parameters.gravity
    span = per_speed * mean[4]
    flow = np.eye(len(mean))
    flow[:2, 2:4] = span * np.eye(2)
    flow[:2, 4] = per_speed * mean[2:4]
    flow[2, 2] = flow[3, 3] = kept
    flow[4, 4] = kept_z
    flow[5, 4] = per_speed
    following = mean.copy()
    following[:2] += span * mean[2:4]
    following[2:5] *= (kept, kept, kept_z)
    following[5] += span
    carried = flow @ covariance @ flow.T
    speed = float(np.hypot(*following[2:4]))
    lost = LOSS_STD * np.array((speed, speed, following[4]))
    carried[(2, 3, 4), (2, 3, 4)] += lost**2
    return following, 0.5 * (carried + carried.T)


def state_in_flight(
    mean: Array, covariance: Array, time: float, gravity: float
) -> tuple[Array, Array]:
    """
    Return the ball state at a time within an arc.

    Returns
    -------
    state : array, shape (6,)
        (x, y, z, vx, vy, vz) [m, m/s].
    covariance : array, shape (6, 6)

    """
    dt = time - mean[5]
    climb = mean[4] + gravity * dt
    flow = np.zeros((6, NUMBERS))
    flow[0, 0] = flow[1, 1] = flow[3, 2] = flow[4, 3] = flow[5, 4] = 1.0
    flow[0, 2] = flow[1, 3] = flow[2, 4] = dt
    flow[:3, 5] = -mean[2], -mean[3], -climb
    flow[5, 5] = -gravity
    height = (mean[4] + 0.5 * gravity * dt) * dt
    place = mean[:2] + dt * mean[2:4]
    state = np.array((place[0], place[1], height, mean[2], mean[3], climb))
    return state, flow @ covariance[:NUMBERS, :NUMBERS] @ flow.T


def _unseen_bounce(before: Array, after: tuple[Array, Array], time: float) -> Array:
    """
    Return the covariance, (6, 6), of a state that may have bounced, or may not have yet.

    Parameters
    ----------
    before : array, shape (m,)
        Parameters of the arc that ends with the bounce.
    after : tuple of array, shapes (m,) and (m, m)
        Parameters of the arc that starts with it, and their covariance.
    time : float
        [s].

    """
    mean, covariance = after
    spread = max(math.sqrt(max(covariance[5, 5], 0.0)), BOUNCE_TIME_STD)
    chance = 0.5 * math.erfc(abs(time - mean[5]) / (spread * math.sqrt(2.0)))
    # The ball lands as fast as it took off.
    jump = np.append(mean[2:4] - before[2:4], mean[4] + before[4])
    possible = np.diag(np.append(0.25 * spread**2 * jump**2, np.zeros(3)))
    possible[3:, 3:] = np.outer(jump, jump) + covariance[2:5, 2:5]
    return chance * possible


@dataclass(frozen=True, slots=True, eq=False)
class ChipKickTrajectory:
    """
    Trajectory of a chip from the kick to rest, with covariances.

    Parameters
    ----------
    arcs : tuple of (array, array)
        Parameters of each fitted arc, shape (m,), and their covariance (m, m).
    parameters : BallParameters

    """

    arcs: tuple[tuple[Array, Array], ...]
    parameters: BallParameters

    @property
    def kick_time(self) -> float:
        """Time of the kick [s]."""
        return float(self.arcs[0][0][5])

    def touchdown(self) -> tuple[Array, Array]:
        """Return (x, y, t) of the first touchdown, shape (3,) [m, s], and their covariance."""
        mean, covariance = after_bounce(*self.arcs[0], 0, self.parameters)
        chosen = [0, 1, 5]
        return mean[chosen], covariance[np.ix_(chosen, chosen)]

    def at(self, time: float) -> tuple[Array, Array]:
        """Return the state (6,) [m, m/s] and its covariance (6, 6) at a time [s]."""
        gravity, number = self.parameters.gravity, 0
        arc, unseen = self.arcs[0], np.diag(FLIGHT_STD**2)
        while True:
            following = self._following(arc, number)
            unseen += _unseen_bounce(arc[0], following, time)
            if time <= landing(arc[0], gravity):
                state, covariance = state_in_flight(*arc, time, gravity)
                break
            arc, number = following, number + 1
            if number >= len(self.arcs) and not rises(arc[0], self.parameters):
                state, covariance = self._rolling(*arc, time)
                break
        return state, covariance + unseen

    def _following(self, arc: tuple[Array, Array], number: int) -> tuple[Array, Array]:
        """Return the arc after the one with a number: the fitted one, or else the predicted."""
        if number + 1 < len(self.arcs):
            return self.arcs[number + 1]
        return after_bounce(*arc, number, self.parameters)

    def _rolling(self, mean: Array, covariance: Array, time: float) -> tuple[Array, Array]:
        """Return the state of the ball rolling after its last touchdown."""
        state, covariance = state_in_flight(mean, covariance, mean[5], self.parameters.gravity)
        covariance[(2, 5), :] = covariance[:, (2, 5)] = 0.0
        covariance[(2, 5), (2, 5)] = FLAT_STD**2, LEVEL_STD**2
        rolling = BallMotionState((*state[:2], 0.0), (*state[3:5], 0.0))
        trajectory = predict_ball(rolling, self.parameters)
        times = [max(time - mean[5], 0.0)]
        places, velocities = trajectory.at(times)
        carried = trajectory.covariances_at(times, covariance, density=0.0)
        return np.concatenate((places[0], velocities[0])), carried[0]
