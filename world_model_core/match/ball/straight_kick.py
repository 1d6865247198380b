# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Measurement model of a straight kick: the ball slides, then rolls.

The parameter vector is (x, y, vx, vy, t, a, r, k, c): position, velocity and time of the kick,
the logarithms of the factors on sliding deceleration, rolling deceleration and switch ratio, and
the acceleration to the left while the ball slides, because most kicks have some spin.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.match.ball.ball_constants import FLAT_STD, LEVEL_STD, RollingModel
from world_model_core.match.ball.measurement_table import add_offsets, flat

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.ball_constants import BallParameters
    from world_model_core.match.ball.measurement_table import MeasurementArrays

NUMBERS = 9
# Deviations of carpets and spinning balls from the model: relative, and [m/s^2]. The switch is
# known least: a ball that bounced off a robot may roll at once.
SLIDE_STD, ROLL_STD, SWITCH_STD, SIDEWAYS_STD = 0.25, 0.25, 0.2, 0.3
# Bound of the logarithms, and least speed with a direction [m/s]: Gauss-Newton may step beyond
# what is physical.
WIDEST, SLOWEST = 1.5, 1e-3
LATEST_SWITCH = 0.99
# Duration of the smoothed transition from sliding to rolling [s]; far from the switch, in
# multiples of it, the transition is ignored.
SMOOTH, FAR = 0.01, 30.0
# Time for which a ball rolls before this shows through measurement noise [s].
NOTICED = 0.06
ROOT2 = math.sqrt(2.0)
# Smallest standard deviation of a velocity component [m/s].
REST_SPEED_STD = 3e-3
# Time step of the numerical derivative that gives the velocity [s].
STEP = 1e-4


@dataclass(frozen=True, slots=True)
class CarpetFriction:
    """Decelerations [m/s^2] of a sliding and a rolling ball, and the switch ratio."""

    slide: float
    roll: float
    switch: float

    @classmethod
    def of_kick(cls, parameters: BallParameters) -> CarpetFriction:
        """Return the two-phase constants; a constant deceleration is a special case."""
        if parameters.rolling_model is RollingModel.CONSTANT:
            return cls(parameters.deceleration, parameters.deceleration, parameters.switch_ratio)
        slide, roll = -parameters.slide_acceleration, -parameters.roll_acceleration
        return cls(slide, roll, parameters.switch_ratio)

    def rolling(self) -> CarpetFriction:
        """Return the friction of a ball that rolls at once, as after a bounce off a robot."""
        return CarpetFriction(self.roll, self.roll, self.switch)

    def lateness(self, speed: float, until: float) -> float:
        """Return parameter k for a ball that starts rolling at a time [s] after its kick."""
        switch = 1.0 - self.slide * until / max(speed, SLOWEST)
        later = math.log(min(max(switch, 0.01), LATEST_SWITCH) / max(self.switch, 0.01))
        return min(max(later, -WIDEST), WIDEST)

    def lost(self, dt: Array, until: float) -> Array:
        """Return the distance (n,) [m] lost to friction if rolling starts at a time [s]."""
        slid = np.minimum(dt, until)
        rolled = dt - slid
        way: Array = self.slide * slid * (0.5 * slid + rolled) + 0.5 * self.roll * rolled**2
        return way

    def changed(self, numbers: Array) -> CarpetFriction:
        """Apply the factors of a parameter vector to the constants."""
        slide, roll, switch = np.exp(np.clip(numbers[5:8], -WIDEST, WIDEST)).tolist()
        later = min(max(self.switch, 0.01) * switch, LATEST_SWITCH)
        return CarpetFriction(self.slide * slide, self.roll * roll, later)


@dataclass(frozen=True, slots=True, eq=False)
class StraightKickResiduals:
    """Residuals of a straight kick for `fit_gauss_newton`."""

    measurements: MeasurementArrays
    carpet: CarpetFriction

    def linearized(self, mean: Array) -> tuple[Array, Array]:
        """Return the residuals (3 n,) of x, y and z, in standard deviations, and derivatives."""
        measurements, count = self.measurements, len(self.measurements.times)
        places, derivatives = predict_positions(mean, self.carpet, measurements.times)
        slopes = np.zeros((3, len(mean), count))
        slopes[:2, :NUMBERS] = measurements.sharpness * derivatives
        residuals = np.empty((3, count))
        residuals[:2] = measurements.sharpness * (places - measurements.places)
        residuals[2] = -measurements.height_sharpness * measurements.heights
        add_offsets(residuals, slopes, measurements, mean[NUMBERS:], NUMBERS)
        return residuals.ravel(), flat(slopes)


def predict_positions(numbers: Array, carpet: CarpetFriction, times: Array) -> tuple[Array, Array]:
    """
    Predict the positions of a kicked ball.

    Parameters
    ----------
    numbers : array, shape (m,)
        Parameter vector.
    carpet : CarpetFriction
    times : array, shape (n,)
        Times [s].

    Returns
    -------
    places : array, shape (2, n)
        x and y [m].
    derivatives : array, shape (2, 9, n)
        Derivatives by the parameters.

    """
    speed = max(float(np.hypot(*numbers[2:4])), SLOWEST)
    ux, uy = (numbers[2:4] / speed).tolist()
    spin = float(numbers[8])
    run = _run(speed, carpet.changed(numbers), times - numbers[4])
    drift = run.slid * (0.5 * run.slid + run.rolled)
    places = np.empty((2, len(times)))
    places[0] = numbers[0] + ux * run.length - uy * (spin * drift)
    places[1] = numbers[1] + uy * run.length + ux * (spin * drift)
    turn = run.length / speed
    result = np.zeros((2, NUMBERS, len(times)))
    result[0, 0] = result[1, 1] = 1.0
    result[0, 2] = ux * ux * run.gain + uy * uy * turn
    result[1, 3] = uy * uy * run.gain + ux * ux * turn
    result[0, 3] = result[1, 2] = ux * uy * (run.gain - turn)
    result[:, 4:8] = run.changes
    result[0, 4:8] *= ux
    result[1, 4:8] *= uy
    result[0, 4] += uy * spin * run.slid
    result[1, 4] -= ux * spin * run.slid
    result[0, 8], result[1, 8] = -uy * drift, ux * drift
    return places, result


class _Run(NamedTuple):
    """
    Motion along a straight line.

    Parameters
    ----------
    slid, rolled : array, shape (n,)
        Durations of sliding and rolling [s].
    length : array, shape (n,)
        Distance [m].
    gain : array, shape (n,)
        Derivative of the distance by the kick speed [s].
    changes : array, shape (4, n)
        Derivatives by the kick time [m/s] and by the logarithms of the constants [m].

    """

    slid: Array
    rolled: Array
    length: Array
    gain: Array
    changes: Array


def _run(speed: float, carpet: CarpetFriction, dt: Array) -> _Run:
    """
    Compute sliding, then rolling, until the ball rests.

    The transition is smoothed over `SMOOTH`, so that the cost is differentiable in the switch
    time: measurements shortly before and after the switch determine it.
    """
    a, r, k = carpet.slide, carpet.roll, carpet.switch
    until = (1.0 - k) * speed / a
    late = np.minimum(np.maximum((dt - until) / SMOOTH, -FAR), FAR)
    share = 1.0 / (1.0 + np.exp(-late))
    # Long after the switch the logarithm equals the time.
    after = np.maximum(SMOOTH * np.logaddexp(0.0, late), dt - until)
    slid, rolled = dt - after, np.minimum(after, k * speed / r)
    sliding, rolling = speed - a * slid, k * speed - r * rolled
    change = share * (sliding - rolling)  # by the instant of the switch
    changes = np.empty((4, len(dt)))
    changes[0] = change - sliding
    changes[1] = -0.5 * a * slid * slid - until * change
    changes[2] = -0.5 * r * rolled * rolled
    changes[3] = k * speed * (rolled - change / a)
    length = (speed - 0.5 * a * slid) * slid + (k * speed - 0.5 * r * rolled) * rolled
    gain = slid + k * rolled + (1.0 - k) / a * change
    return _Run(slid, rolled, length, gain, changes)


@dataclass(frozen=True, slots=True, eq=False)
class StraightKickTrajectory:
    """
    Trajectory of a straight kick from the kick to rest, with covariances.

    Parameters
    ----------
    mean : array, shape (m,)
        Parameter vector.
    covariance : array, shape (m, m)
    carpet : CarpetFriction
    last_seen : float
        Time of the last measurement [s].

    """

    mean: Array
    covariance: Array
    carpet: CarpetFriction
    last_seen: float

    @property
    def kick_time(self) -> float:
        """Time of the kick [s]."""
        return float(self.mean[4])

    def touchdown(self) -> None:
        """Return None, because the ball never leaves the carpet."""

    def at(self, time: float) -> tuple[Array, Array]:
        """Return the state (6,) [m, m/s] and its covariance (6, 6) at a time [s]."""
        around = np.array((time - STEP, time, time + STEP))
        places, derivatives = predict_positions(self.mean, self.carpet, around)
        state, flow = np.zeros(6), np.zeros((6, NUMBERS))
        state[:2], state[3:5] = places[:, 1], (places[:, 2] - places[:, 0]) / (2.0 * STEP)
        flow[:2] = derivatives[:, :, 1]
        flow[3:5] = (derivatives[:, :, 2] - derivatives[:, :, 0]) / (2.0 * STEP)
        covariance = flow @ self.covariance[:NUMBERS, :NUMBERS] @ flow.T
        shift = self._unseen_switch(time)
        covariance += np.outer(shift, shift)
        covariance[(2, 5), (2, 5)] = FLAT_STD**2, LEVEL_STD**2
        covariance[(3, 4), (3, 4)] += REST_SPEED_STD**2
        return state, covariance

    def _unseen_switch(self, time: float) -> Array:
        """
        Estimate the change of state by a switch to rolling that is not visible yet, shape (6,).

        Derivatives do not contain it: the state of a sliding ball does not depend on its switch.
        """
        kind = self.carpet.changed(self.mean)
        vx, vy = self.mean[2:4].tolist()
        speed = max(math.hypot(vx, vy), SLOWEST)
        until = (1.0 - kind.switch) * speed / kind.slide
        slopes = np.zeros(len(self.mean))
        slopes[2:4] = until / speed**2 * self.mean[2:4]
        slopes[5], slopes[7] = -until, -kind.switch * speed / kind.slide
        spread = math.sqrt(max(float(slopes @ self.covariance @ slopes), SMOOTH**2))
        window = NOTICED + max(time - self.last_seen, 0.0)
        late = (time - self.mean[4] - until) / spread
        chance = 0.5 * (math.erf(late / ROOT2) - math.erf((late - window / spread) / ROOT2))
        error = (kind.slide - kind.roll) * math.sqrt(max(chance, 0.0) / 3.0) / speed
        lag = min(window, spread)
        return error * lag * np.array((0.5 * lag * vx, 0.5 * lag * vy, 0.0, vx, vy, 0.0))
