# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
A ball's flights, hop by hop, as the cameras see them.

A camera at C shows a ball at P where the ray through both meets the carpet,
p = C + (P - C) Cz / (Cz - Pz). Multiplied out, Px + (px - Cx) Pz / Cz = px, which is linear in
where the ball took off and how fast, for Px = x0 + vx t and Pz = vz t + g t^2 / 2; only the
instant of take-off is not. Each row is divided by 1 - Pz / Cz to be an error of p.

A hop has the numbers (x, y, vx, vy, vz, t): place, velocity and instant of its take-off. What is
known of it when it ends is what is known of the next one when it begins, but for the loss at the
bounce, which differs from bounce to bounce.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.motion_segment import MotionState, hop_height
from world_model_core.match.ball.trajectory import predict_ball

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.measurement_table import Sights
    from world_model_core.match.ball.parameters import BallParameters

# Numbers of a hop; those of the cameras' offsets follow.
NUMBERS = 6
# Of the velocity that is kept at a bounce, the part that differs from bounce to bounce.
LOSS_STD = 0.1
# Of a ball that lies on the carpet [m, m/s].
FLAT_STD, LEVEL_STD = 1e-3, 1e-2
# A ball is no nearer to a camera than this part of the camera's height: Gauss-Newton may try.
NEAREST = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Hop:
    """One hop of a ball, seen by cameras; the model of `least_squares.fit`."""

    sights: Sights
    gravity: float

    def linearised(self, mean: Array) -> tuple[Array, Array]:
        """Give the residuals (2 n + n,) of x, y and z, in standard deviations, and derivatives."""
        sights, count = self.sights, len(self.sights.times)
        dt = sights.times - mean[5]
        height, climb = (mean[4] + 0.5 * self.gravity * dt) * dt, mean[4] + self.gravity * dt
        weight = sights.sharpness / np.maximum(1.0 - sights.slants * height, NEAREST)
        velocity = mean[2:4, None]
        ahead = mean[:2, None] + velocity * dt + sights.rays * height - sights.places
        slopes = np.zeros((3, len(mean), count))
        slopes[0, 0] = slopes[1, 1] = weight
        slopes[0, 2] = slopes[1, 3] = weight * dt
        slopes[:2, 4] = weight * dt * sights.rays
        slopes[:2, 5] = -weight * (velocity + sights.rays * climb)
        slopes[2, 4] = sights.height_sharpness * dt
        slopes[2, 5] = -sights.height_sharpness * climb
        residuals = np.empty((3, count))
        residuals[:2] = weight * ahead
        residuals[2] = sights.height_sharpness * (height - sights.heights)
        add_offsets(residuals, slopes, sights, mean[NUMBERS:], NUMBERS)
        _shift_cameras(residuals, slopes, sights, mean[NUMBERS:], weight * height)
        return residuals.ravel(), flat(slopes)


def _shift_cameras(
    residuals: Array, slopes: Array, sights: Sights, errors: Array, lever: Array
) -> None:
    """Let each camera hang a little beside its place: it sees what is high up elsewhere."""
    count = len(sights.cameras)
    shown = -lever * sights.slants * sights.cameras
    residuals[:2] += errors[2 * count :].reshape(2, count) @ shown
    slopes[0, -2 * count : -count] = slopes[1, -count:] = shown


def add_offsets(
    residuals: Array, slopes: Array, sights: Sights, errors: Array, first: int
) -> None:
    """
    Let each camera show the ball a little beside its place.

    Parameters
    ----------
    residuals : array, shape (3, n)
        Of x, y and z; changed.
    slopes : array, shape (3, m, n)
        Their derivatives; changed.
    sights : Sights
    errors : array, shape (2 c, ...)
        In x of each camera, then in y [m].
    first : int
        Number of the first of them among the m.

    """
    count = len(sights.cameras)
    residuals[:2] += sights.sharpness * (errors[: 2 * count].reshape(2, count) @ sights.cameras)
    shown = sights.sharpness * sights.cameras
    slopes[0, first : first + count] = shown
    slopes[1, first + count : first + 2 * count] = shown


def flat(slopes: Array) -> Array:
    """Put derivatives (3, m, n) of n sights by m numbers into one matrix (3 n, m)."""
    result: Array = slopes.transpose(0, 2, 1).reshape(-1, slopes.shape[1])
    return result


def landing(numbers: Array, gravity: float) -> float:
    """Find when a hop ends, in the time of its take-off [s]."""
    return float(numbers[5] - 2.0 * max(numbers[4], 0.0) / gravity)


def rises(numbers: Array, parameters: BallParameters) -> bool:
    """Tell whether a hop is one, and not rolling already."""
    climb = max(float(numbers[4]), 0.0)
    return hop_height(0.0, climb, parameters.gravity) >= parameters.smallest_hop


def after_bounce(
    mean: Array, covariance: Array, hops: int, parameters: BallParameters
) -> tuple[Array, Array]:
    """
    Tell what is known of the next hop.

    Parameters
    ----------
    mean : array, shape (m,)
        Numbers of a hop, and the cameras' offsets, which stay.
    covariance : array, shape (m, m)
    hops : int
        Bounces before this one.
    parameters : BallParameters

    Returns
    -------
    mean : array, shape (m,)
    covariance : array, shape (m, m)

    """
    first, other = parameters.damping_xy_first_hop, parameters.damping_xy_other_hops
    kept, kept_z = first if hops == 0 else other, parameters.damping_z
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
    Find the ball at an instant of a hop.

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


@dataclass(frozen=True, slots=True, eq=False)
class FlightCourse:
    """
    A chip's way from its kick to its rest, and how surely it is known.

    Parameters
    ----------
    hops : tuple of (array, array)
        Numbers of each hop that was seen, shape (m,), and their covariance (m, m).
    parameters : BallParameters

    """

    hops: tuple[tuple[Array, Array], ...]
    parameters: BallParameters

    @property
    def kick_time(self) -> float:
        """When the ball was kicked [s]."""
        return float(self.hops[0][0][5])

    def touchdown(self) -> tuple[Array, Array]:
        """Find (x, y, t) of the first touchdown, shape (3,) [m, s], and their covariance."""
        mean, covariance = after_bounce(*self.hops[0], 0, self.parameters)
        chosen = [0, 1, 5]
        return mean[chosen], covariance[np.ix_(chosen, chosen)]

    def at(self, time: float) -> tuple[Array, Array]:
        """Give the state (6,) [m, m/s] and its covariance (6, 6) at a time [s]."""
        gravity, number = self.parameters.gravity, 0
        mean, covariance = self.hops[0]
        while time > landing(mean, gravity):
            number += 1
            if number < len(self.hops):
                mean, covariance = self.hops[number]
                continue
            mean, covariance = after_bounce(mean, covariance, number - 1, self.parameters)
            if not rises(mean, self.parameters):
                return self._rolling(mean, covariance, time)
        return state_in_flight(mean, covariance, time, gravity)

    def _rolling(self, mean: Array, covariance: Array, time: float) -> tuple[Array, Array]:
        """Roll on from the last touchdown."""
        state, covariance = state_in_flight(mean, covariance, mean[5], self.parameters.gravity)
        covariance[(2, 5), :] = covariance[:, (2, 5)] = 0.0
        covariance[(2, 5), (2, 5)] = FLAT_STD**2, LEVEL_STD**2
        rolling = MotionState((*state[:2], 0.0), (*state[3:5], 0.0))
        trajectory = predict_ball(rolling, self.parameters)
        times = [max(time - mean[5], 0.0)]
        places, velocities = trajectory.at(times)
        carried = trajectory.covariances_at(times, covariance, density=0.0)
        return np.concatenate((places[0], velocities[0])), carried[0]
