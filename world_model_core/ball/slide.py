# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
A straight kick as the cameras see it: the ball slides, then rolls.

Its numbers are (x, y, vx, vy, t, a, r, k, c): place, velocity and instant of the kick, the
logarithms of how much stronger it slides and rolls and how much later it switches than it should,
and what accelerates it to the left while it slides: no ball is kicked quite without spin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.ball.flight import FLAT_STD, LEVEL_STD, add_offsets
from world_model_core.ball.parameters import RollingLaw

if TYPE_CHECKING:
    from world_model_core.ball.parameters import BallParameters
    from world_model_core.ball.sight_table import Sights
    from world_model_core.gaussian import Array

NUMBERS = 9
# Carpets differ from their models, and so do balls that spin: relative, and [m/s^2]. The switch
# is known least: a ball that bounced off a robot may roll at once.
SLIDE_STD, ROLL_STD, SWITCH_STD, SIDEWAYS_STD = 0.25, 0.25, 0.2, 0.3
# Gauss-Newton may try more than any carpet has; and no ball without speed has a direction.
WIDEST, SLOWEST = 1.5, 1e-3
LATEST_SWITCH = 0.99
# Places this far apart in time tell a velocity [s].
STEP = 1e-4


@dataclass(frozen=True, slots=True)
class Carpet:
    """Decelerations [m/s^2] of a sliding and of a rolling ball, and the ratio of the switch."""

    slide: float
    roll: float
    switch: float

    @classmethod
    def of(cls, parameters: BallParameters) -> Carpet:
        """Take the two-phase constants; one deceleration for all the way is a case of them."""
        if parameters.law is RollingLaw.CONSTANT:
            return cls(parameters.deceleration, parameters.deceleration, parameters.switch_ratio)
        slide, roll = -parameters.slide_acceleration, -parameters.roll_acceleration
        return cls(slide, roll, parameters.switch_ratio)

    def changed(self, numbers: Array) -> Carpet:
        """Apply the numbers of a kick to the constants."""
        slide, roll, switch = np.exp(np.clip(numbers[5:8], -WIDEST, WIDEST)).tolist()
        later = min(max(self.switch, 0.01) * switch, LATEST_SWITCH)
        return Carpet(self.slide * slide, self.roll * roll, later)


@dataclass(frozen=True, slots=True, eq=False)
class Slide:
    """A straight kick, seen by cameras; the model of `least_squares.fit`."""

    sights: Sights
    carpet: Carpet

    def linearised(self, mean: Array) -> tuple[Array, Array]:
        """Give the residuals (2 n + n,) of x, y and z, in standard deviations, and derivatives."""
        sights, count = self.sights, len(self.sights.times)
        places, derivatives = way(mean, self.carpet, sights.times)
        slopes = np.zeros((3, count, len(mean)))
        slopes[:2, :, :NUMBERS] = sights.sharpness[:, None] * derivatives
        residuals = np.empty((3, count))
        residuals[:2] = sights.sharpness * (places - sights.places)
        residuals[2] = -sights.height_sharpness * sights.heights
        add_offsets(residuals, slopes, sights, mean[NUMBERS:], NUMBERS)
        return residuals.ravel(), slopes.reshape(3 * count, len(mean))


def way(numbers: Array, carpet: Carpet, times: Array) -> tuple[Array, Array]:
    """
    Follow a kicked ball.

    Parameters
    ----------
    numbers : array, shape (m,)
    carpet : Carpet
    times : array, shape (n,)
        In the time of the kick [s].

    Returns
    -------
    places : array, shape (2, n)
        x and y [m].
    derivatives : array, shape (2, n, 9)
        By the numbers.

    """
    a, r, k = (kind := carpet.changed(numbers)).slide, kind.roll, kind.switch
    speed = max(float(np.hypot(*numbers[2:4])), SLOWEST)
    along = numbers[2:4] / speed
    left = np.array((-along[1], along[0]))
    dt, until = times - numbers[4], (1.0 - k) * speed / a
    slid = np.minimum(dt, until)
    rolled = np.clip(dt - until, 0.0, k * speed / r)
    length = (speed - 0.5 * a * slid) * slid + (k * speed - 0.5 * r * rolled) * rolled
    swerve = slid * (0.5 * slid + rolled)
    places = numbers[:2, None] + along[:, None] * length + left[:, None] * numbers[8] * swerve
    result = np.zeros((2, len(dt), NUMBERS))
    result[0, :, 0] = result[1, :, 1] = 1.0
    gain = slid + rolled * (k + r * (1.0 - k) / a)
    result[:, :, 2:4] = np.outer(along, along)[:, None] * gain[:, None]
    result[:, :, 2:4] += np.outer(left, left)[:, None] * (length / speed)[:, None]
    pace = speed - a * slid - r * rolled
    result[:, :, 4] = -along[:, None] * pace - left[:, None] * (numbers[8] * slid)
    stretch = np.stack(
        (
            -slid * (0.5 * a * slid) - rolled * r * until,
            -0.5 * r * rolled * rolled,
            k * speed * rolled * (1.0 - r / a),
        ),
        axis=1,
    )
    result[:, :, 5:8] = along[:, None, None] * stretch
    result[:, :, 8] = left[:, None] * swerve
    return places, result


@dataclass(frozen=True, slots=True, eq=False)
class SlideCourse:
    """
    A straight kick's way from its kick to its rest, and how surely it is known.

    Parameters
    ----------
    mean : array, shape (m,)
        Its numbers.
    covariance : array, shape (m, m)
    carpet : Carpet

    """

    mean: Array
    covariance: Array
    carpet: Carpet

    @property
    def kick_time(self) -> float:
        """When the ball was kicked [s]."""
        return float(self.mean[4])

    def touchdown(self) -> None:
        """Find no touchdown: it never left the carpet."""

    def at(self, time: float) -> tuple[Array, Array]:
        """Give the state (6,) [m, m/s] and its covariance (6, 6) at a time [s]."""
        around = np.array((time - STEP, time, time + STEP))
        places, derivatives = way(self.mean, self.carpet, around)
        state, flow = np.zeros(6), np.zeros((6, NUMBERS))
        state[:2], state[3:5] = places[:, 1], (places[:, 2] - places[:, 0]) / (2.0 * STEP)
        flow[:2] = derivatives[:, 1]
        flow[3:5] = (derivatives[:, 2] - derivatives[:, 0]) / (2.0 * STEP)
        covariance = flow @ self.covariance[:NUMBERS, :NUMBERS] @ flow.T
        covariance[(2, 5), (2, 5)] = FLAT_STD**2, LEVEL_STD**2
        return state, covariance
