# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
A ball on the carpet that lies, rolls, slides or is pushed: an interacting multiple model filter.

The carpet looks the same from every side, so x and y share one covariance, and the four models
run on plain numbers: one sight costs less than a single call of a linear algebra library. The
mixing is that of H. A. P. Blom and Y. Bar-Shalom, The interacting multiple model algorithm for
systems with Markovian switching coefficients, IEEE Trans. Automatic Control 33 (8), 1988.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

# Of a probability: less is not mixed into another model, for nothing would be seen of it.
NEGLIGIBLE = 1e-4
# No mode is given up for good: this much of the likeliest is left to each [probability].
SURVIVAL = 1e-6
# The fields of a Gaussian: within a step of the filter dozens are made, and a bare tuple takes a
# tenth of the time.
Moments = tuple[float, float, float, float, float, float, float, float, float, float, float, float]


class Mode(IntEnum):
    """What the ball does on the carpet."""

    RESTING = 0
    ROLLING = 1
    SLIDING = 2
    PUSHED = 3


class Rates(NamedTuple):
    """How often in a second a mode gives way to each other one [1/s]."""

    resting: float = 0.0
    rolling: float = 0.0
    sliding: float = 0.0
    pushed: float = 0.0


# Out of reach of any robot a ball only settles: what else happens to it is rare.
ALONE = (
    Rates(rolling=0.005, pushed=0.005),
    Rates(sliding=0.01, pushed=0.005),
    Rates(rolling=4.0, pushed=0.02),
    Rates(resting=4.0, rolling=10.0, sliding=10.0),
)
# A robot or a goal post that touches it pushes it, stops it or sends it sliding on.
TOUCHED = (
    Rates(rolling=0.1, sliding=0.1, pushed=2.0),
    Rates(resting=0.5, sliding=1.0, pushed=5.0),
    Rates(rolling=4.0, pushed=5.0),
    Rates(resting=4.0, rolling=5.0, sliding=5.0),
)
# A ball that rolls slower than this [m/s] comes to rest, so often in a second [1/s].
SLOW, STOPPING = 0.05, 5.0


@dataclass(frozen=True, slots=True)
class GroundParameters:
    """
    What the four models assume.

    Parameters
    ----------
    roll_deceleration, slide_deceleration : float
        Against the velocity of a rolling ball, and the size of a sliding one's acceleration
        [m/s^2], positive.
    rolling_density, sliding_density, pushed_density : float
        Power spectral densities of what each model leaves of the acceleration [m^2/s^3].
    rest_speed_std : float
        What a resting ball seems to move by [m/s].

    """

    roll_deceleration: float = 0.33
    slide_deceleration: float = 2.79
    rolling_density: float = 0.00015
    sliding_density: float = 0.005
    pushed_density: float = 30.0
    rest_speed_std: float = 0.001


class Gaussian(NamedTuple):
    """
    Mean and covariance of (place, velocity, acceleration), the same for both axes.

    `x`, `y` [m], `vx`, `vy` [m/s], `ax`, `ay` [m/s^2]; `pp` to `aa` the covariance of one axis.
    """

    x: float
    y: float
    vx: float
    vy: float
    ax: float
    ay: float
    pp: float
    pv: float
    pa: float
    vv: float
    va: float
    aa: float


def moved(moments: Moments, dt: float, density: float) -> Moments:
    """Go on for `dt` [s] with constant acceleration and white noise in it [m^2/s^3]."""
    x, y, vx, vy, ax, ay, pp, pv, pa, vv, va, aa = moments
    half = 0.5 * dt * dt
    noise = density * dt
    return (
        x + dt * vx + half * ax,
        y + dt * vy + half * ay,
        vx + dt * ax,
        vy + dt * ay,
        ax,
        ay,
        pp
        + 2.0 * (dt * pv + half * pa + dt * half * va)
        + dt * dt * vv
        + half * half * aa
        + noise * dt * dt / 3.0,
        pv + dt * (vv + pa) + (dt * dt + half) * va + dt * half * aa + noise * dt / 2.0,
        pa + dt * va + half * aa,
        vv + dt * (2.0 * va + dt * aa) + noise,
        va + dt * aa,
        aa,
    )


def corrected(
    moments: Moments, x: float, y: float, variance: float
) -> tuple[Moments, float, float]:
    """
    Take a measured place in.

    Returns
    -------
    Moments, float, float
        What is known now, the squared Mahalanobis distance of the measurement, chi-square
        with 2 degrees of freedom, and the variance of an innovation [m^2].

    """
    px, py, vx, vy, ax, ay, pp, pv, pa, vv, va, aa = moments
    spread = pp + variance
    dx, dy = x - px, y - py
    kp, kv, ka = pp / spread, pv / spread, pa / spread
    posterior = (
        px + kp * dx,
        py + kp * dy,
        vx + kv * dx,
        vy + kv * dy,
        ax + ka * dx,
        ay + ka * dy,
        pp - kp * pp,
        pv - kp * pv,
        pa - kp * pa,
        vv - kv * pv,
        va - kv * pa,
        aa - ka * pa,
    )
    return posterior, (dx * dx + dy * dy) / spread, spread


def blend(parts: Sequence[tuple[float, Moments]]) -> Moments:
    """Join weighted Gaussians, weights adding up to 1, into one of the same mean and spread."""
    x = y = vx = vy = ax = ay = 0.0
    for share, (x1, y1, vx1, vy1, ax1, ay1, _, _, _, _, _, _) in parts:
        x += share * x1
        y += share * y1
        vx += share * vx1
        vy += share * vy1
        ax += share * ax1
        ay += share * ay1
    pp = pv = pa = vv = va = aa = 0.0
    for share, (x1, y1, vx1, vy1, ax1, ay1, pp1, pv1, pa1, vv1, va1, aa1) in parts:
        dx, dy, du, dw, da, db = x1 - x, y1 - y, vx1 - vx, vy1 - vy, ax1 - ax, ay1 - ay
        pp += share * (pp1 + 0.5 * (dx * dx + dy * dy))
        pv += share * (pv1 + 0.5 * (dx * du + dy * dw))
        pa += share * (pa1 + 0.5 * (dx * da + dy * db))
        vv += share * (vv1 + 0.5 * (du * du + dw * dw))
        va += share * (va1 + 0.5 * (du * da + dw * db))
        aa += share * (aa1 + 0.5 * (da * da + db * db))
    return x, y, vx, vy, ax, ay, pp, pv, pa, vv, va, aa


class GroundFilter:
    """
    One ball on the carpet, whatever it does there.

    Parameters
    ----------
    parameters : GroundParameters
    start : Gaussian
        What is known at first; of its acceleration nothing is taken over.
    chances : sequence of float
        Probability of each Mode at first.

    Attributes
    ----------
    chances : list of float
        Probability of each Mode now.

    """

    def __init__(
        self, parameters: GroundParameters, start: Gaussian, chances: Sequence[float]
    ) -> None:
        self._parameters = parameters
        self._rest_variance = parameters.rest_speed_std**2
        # A sliding ball is slowed down against its slip, which may point anywhere.
        self._slide_variance = 0.5 * parameters.slide_deceleration**2
        free = _free(start)
        sliding = _free(start, self._slide_variance)
        self._states = [_rest(free, 0.0, self._rest_variance), free, sliding, free]
        self.chances = list(chances)

    def predict(self, dt: float, rates: Sequence[Rates]) -> None:
        """Go on for `dt` [s]; modes give way to each other at `rates`, ALONE or TOUCHED."""
        rolling = self._states[Mode.ROLLING]
        if math.hypot(rolling[2], rolling[3]) < SLOW:
            rates = (rates[0], Rates(STOPPING, *rates[1][1:]), *rates[2:])
        shares = [
            _shares(mode, chance, dt, rates[mode]) for mode, chance in enumerate(self.chances)
        ]
        inflows = list(zip(*shares, strict=True))
        self.chances = [sum(inflow) for inflow in inflows]
        self._states = self._moved(inflows, dt)

    def update(self, x: float, y: float, variance: float) -> None:
        """Take in where the ball was seen [m], each coordinate with this variance [m^2]."""
        logs = []
        for mode, chance in enumerate(self.chances):
            self._states[mode], surprise, spread = corrected(self._states[mode], x, y, variance)
            logs.append(math.log(chance) - 0.5 * surprise - math.log(spread))
        best = max(logs)
        likely = [max(math.exp(each - best), SURVIVAL) for each in logs]
        total = sum(likely)
        self.chances = [each / total for each in likely]

    def shift(self, dx: float, dy: float, variance: float = 0.0) -> None:
        """Move all that is believed of the place by (dx, dy) [m], and doubt it [m^2]."""
        self._states = [
            (x + dx, y + dy, vx, vy, ax, ay, pp + variance, pv, pa, vv, va, aa)
            for x, y, vx, vy, ax, ay, pp, pv, pa, vv, va, aa in self._states
        ]

    def estimate(self) -> Gaussian:
        """Join what the modes say."""
        return Gaussian(*_mixed(self.chances, self._states, 1.0))

    def _moved(self, inflows: Sequence[Sequence[float]], dt: float) -> list[Moments]:
        """Join what comes from every mode into each one, and go on for `dt` [s] as it does."""
        resting, rolling, sliding, pushed = self._states
        free = (resting, rolling, _free(sliding), pushed)  # the others know no acceleration
        unsure = self._slide_variance
        slipping = (_free(resting, unsure), _free(rolling, unsure), sliding, _free(pushed, unsure))
        mixed = [
            _mixed(inflow, slipping if mode == Mode.SLIDING else free, chance)
            for mode, (inflow, chance) in enumerate(zip(inflows, self.chances, strict=True))
        ]
        resting, rolling, sliding, pushed = mixed
        parameters = self._parameters
        return [
            _rest(resting, dt, self._rest_variance),
            _roll(rolling, dt, parameters),
            moved(sliding, dt, parameters.sliding_density),
            moved(pushed, dt, parameters.pushed_density),
        ]


def _free(moments: Moments, unsure: float = 0.0) -> Moments:
    """Know nothing of the acceleration but that it has the variance `unsure` [m^2/s^4]."""
    x, y, vx, vy, _, _, pp, pv, _, vv, _, _ = moments
    return x, y, vx, vy, 0.0, 0.0, pp, pv, 0.0, vv, 0.0, unsure


def _rest(moments: Moments, dt: float, variance: float) -> Moments:
    """Let a ball lie for `dt` [s], its velocity 0 with this variance [m^2/s^2]."""
    x, y, _, _, _, _, pp, _, _, _, _, _ = moments
    return x, y, 0.0, 0.0, 0.0, 0.0, pp + dt * dt * variance, 0.0, 0.0, variance, 0.0, 0.0


def _roll(moments: Moments, dt: float, parameters: GroundParameters) -> Moments:
    """Let a ball roll for `dt` [s]."""
    x, y, vx, vy, _, _, pp, pv, _, vv, _, _ = moments
    speed = math.hypot(vx, vy)
    brake = min(parameters.roll_deceleration / max(speed, 1e-9), 1.0 / max(dt, 1e-9))
    braked = x, y, vx, vy, -brake * vx, -brake * vy, pp, pv, 0.0, vv, 0.0, 0.0
    return _free(moved(braked, dt, parameters.rolling_density))


def _mixed(weights: Sequence[float], states: Sequence[Moments], total: float) -> Moments:
    """Join states with weights that add up to `total`, but for those of negligible weight."""
    least = NEGLIGIBLE * total
    parts = [part for part in zip(weights, states, strict=True) if part[0] > least]
    if len(parts) == 1:
        return parts[0][1]
    kept = sum([weight for weight, _ in parts])
    return blend([(weight / kept, state) for weight, state in parts])


def _shares(mode: int, chance: float, dt: float, rates: Rates) -> list[float]:
    """Divide a mode's probability among those that it has given way to within `dt` [s]."""
    leaving = sum(rates)
    left = -math.expm1(-leaving * dt) * chance / leaving
    shares = [left * rate for rate in rates]
    shares[mode] = chance * math.exp(-leaving * dt)
    return shares
