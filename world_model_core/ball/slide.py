# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
A straight kick as the cameras see it: the ball slides, then rolls.

Its numbers are (x, y, vx, vy, t, a, r, k, c): place, velocity and instant of the kick, the
logarithms of how much stronger it slides and rolls and how much later it switches than it should,
and what accelerates it to the left while it slides: no ball is kicked quite without spin.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

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
# A ball goes over from sliding to rolling within this [s]; and a switch this many times as far
# away is none.
SMOOTH, FAR = 0.01, 30.0
# Not even a ball that rests is known to do so better than to this [m/s].
STILL_STD = 3e-3
# Places this far apart in time tell a velocity [s].
STEP = 1e-4


@dataclass(frozen=True, slots=True)
class Carpet:
    """Decelerations [m/s^2] of a sliding and of a rolling ball, and the ratio of the switch."""

    slide: float
    roll: float
    switch: float

    @classmethod
    def of_kick(cls, parameters: BallParameters) -> Carpet:
        """Take the two-phase constants; one deceleration for all the way is a case of them."""
        if parameters.law is RollingLaw.CONSTANT:
            return cls(parameters.deceleration, parameters.deceleration, parameters.switch_ratio)
        slide, roll = -parameters.slide_acceleration, -parameters.roll_acceleration
        return cls(slide, roll, parameters.switch_ratio)

    def rolling(self) -> Carpet:
        """Let the ball roll from the beginning, as it may off a robot that it bounced from."""
        return Carpet(self.roll, self.roll, self.switch)

    def lateness(self, speed: float, until: float) -> float:
        """Find the number k of a ball that begins to roll at a time [s] after its kick."""
        switch = 1.0 - self.slide * until / max(speed, SLOWEST)
        later = math.log(min(max(switch, 0.01), LATEST_SWITCH) / max(self.switch, 0.01))
        return min(max(later, -WIDEST), WIDEST)

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
    speed = max(float(np.hypot(*numbers[2:4])), SLOWEST)
    along = numbers[2:4] / speed
    left = np.array((-along[1], along[0]))
    run = _run(speed, carpet.changed(numbers), times - numbers[4])
    drift = run.slid * (0.5 * run.slid + run.rolled)
    places = numbers[:2, None] + along[:, None] * run.length + left[:, None] * (numbers[8] * drift)
    result = np.zeros((2, len(times), NUMBERS))
    result[0, :, 0] = result[1, :, 1] = 1.0
    result[:, :, 2:4] = np.outer(along, along)[:, None] * run.gain[:, None]
    result[:, :, 2:4] += np.outer(left, left)[:, None] * (run.length / speed)[:, None]
    result[:, :, 4] = -along[:, None] * run.pace - left[:, None] * (numbers[8] * run.slid)
    result[:, :, 5] = along[:, None] * run.by_slide
    result[:, :, 6] = along[:, None] * run.by_roll
    result[:, :, 7] = along[:, None] * run.by_switch
    result[:, :, 8] = left[:, None] * drift
    return places, result


class _Run(NamedTuple):
    """A way along a straight line: all of shape (n,), derivatives are those of the length [m]."""

    slid: Array  # [s]
    rolled: Array  # [s]
    length: Array
    pace: Array  # by time
    gain: Array  # by the speed of the kick
    by_slide: Array  # by the logarithms of the constants
    by_roll: Array
    by_switch: Array


def _run(speed: float, carpet: Carpet, dt: Array) -> _Run:
    """
    Slide, then roll, until the ball rests.

    From one to the other it goes over within `SMOOTH`, so that sights from shortly before the
    switch tell that it has not been yet, and those from shortly after it are drawn to it.
    """
    a, r, k = carpet.slide, carpet.roll, carpet.switch
    until = (1.0 - k) * speed / a
    late = np.clip((dt - until) / SMOOTH, -FAR, FAR)
    share = 1.0 / (1.0 + np.exp(-late))
    after = np.where(late < FAR, SMOOTH * np.logaddexp(0.0, late), dt - until)
    slid, rolled = dt - after, np.minimum(after, k * speed / r)
    sliding, rolling = speed - a * slid, k * speed - r * rolled
    change = share * (sliding - rolling)  # by the instant of the switch
    return _Run(
        slid,
        rolled,
        length=(speed - 0.5 * a * slid) * slid + (k * speed - 0.5 * r * rolled) * rolled,
        pace=sliding + share * (rolling - sliding),
        gain=slid + k * rolled + (1.0 - k) / a * change,
        by_slide=-0.5 * a * slid * slid - until * change,
        by_roll=-0.5 * r * rolled * rolled,
        by_switch=k * speed * (rolled - change / a),
    )


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
        covariance[(3, 4), (3, 4)] += STILL_STD**2
        return state, covariance
