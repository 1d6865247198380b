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

from world_model_core.match.ball.chip_kick import FLAT_STD, LEVEL_STD, add_offsets, flat
from world_model_core.match.ball.parameters import RollingLaw

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.measurement_table import Sights
    from world_model_core.match.ball.parameters import BallParameters

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
# So long does a ball roll before that shows through the noise of its sights [s].
NOTICED = 0.06
ROOT2 = math.sqrt(2.0)
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

    def lost(self, dt: Array, until: float) -> Array:
        """Find the way (n,) [m] that braking costs a ball that begins to roll at a time [s]."""
        slid = np.minimum(dt, until)
        rolled = dt - slid
        way: Array = self.slide * slid * (0.5 * slid + rolled) + 0.5 * self.roll * rolled**2
        return way

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
        slopes = np.zeros((3, len(mean), count))
        slopes[:2, :NUMBERS] = sights.sharpness * derivatives
        residuals = np.empty((3, count))
        residuals[:2] = sights.sharpness * (places - sights.places)
        residuals[2] = -sights.height_sharpness * sights.heights
        add_offsets(residuals, slopes, sights, mean[NUMBERS:], NUMBERS)
        return residuals.ravel(), flat(slopes)


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
    derivatives : array, shape (2, 9, n)
        By the numbers.

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
    A way along a straight line.

    Parameters
    ----------
    slid, rolled : array, shape (n,)
        For how long [s].
    length : array, shape (n,)
        [m].
    gain : array, shape (n,)
        Its derivative by the speed of the kick [s].
    changes : array, shape (4, n)
        Those by the kick's instant [m/s], and by the logarithms of the constants [m].

    """

    slid: Array
    rolled: Array
    length: Array
    gain: Array
    changes: Array


def _run(speed: float, carpet: Carpet, dt: Array) -> _Run:
    """
    Slide, then roll, until the ball rests.

    From one to the other it goes over within `SMOOTH`, so that sights from shortly before the
    switch tell that it has not been yet, and those from shortly after it are drawn to it.
    """
    a, r, k = carpet.slide, carpet.roll, carpet.switch
    until = (1.0 - k) * speed / a
    late = np.minimum(np.maximum((dt - until) / SMOOTH, -FAR), FAR)
    share = 1.0 / (1.0 + np.exp(-late))
    # From far behind the switch on the logarithm is the time itself.
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
class SlideCourse:
    """
    A straight kick's way from its kick to its rest, and how surely it is known.

    Parameters
    ----------
    mean : array, shape (m,)
        Its numbers.
    covariance : array, shape (m, m)
    carpet : Carpet
    last_seen : float
        Time of the last sight [s].

    """

    mean: Array
    covariance: Array
    carpet: Carpet
    last_seen: float

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
        flow[:2] = derivatives[:, :, 1]
        flow[3:5] = (derivatives[:, :, 2] - derivatives[:, :, 0]) / (2.0 * STEP)
        covariance = flow @ self.covariance[:NUMBERS, :NUMBERS] @ flow.T
        doubt = self._doubt(time)
        covariance += np.outer(doubt, doubt)
        covariance[(2, 5), (2, 5)] = FLAT_STD**2, LEVEL_STD**2
        covariance[(3, 4), (3, 4)] += STILL_STD**2
        return state, covariance

    def _doubt(self, time: float) -> Array:
        """
        Find by how much a switch that was not noticed yet may have moved the ball, shape (6,).

        Derivatives do not tell: a ball that is thought to slide does not depend on its switch.
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
