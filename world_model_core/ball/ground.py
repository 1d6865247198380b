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

    def moved(self, dt: float, density: float) -> Gaussian:
        """Go on for `dt` [s] with constant acceleration and white noise in it [m^2/s^3]."""
        x, y, vx, vy, ax, ay, pp, pv, pa, vv, va, aa = self
        half = 0.5 * dt * dt
        noise = density * dt
        return Gaussian(
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

    def corrected(self, x: float, y: float, variance: float) -> tuple[Gaussian, float, float]:
        """
        Take a measured place in.

        Returns
        -------
        Gaussian, float, float
            What is known now, the squared Mahalanobis distance of the measurement, chi-square
            with 2 degrees of freedom, and the variance of an innovation [m^2].

        """
        px, py, vx, vy, ax, ay, pp, pv, pa, vv, va, aa = self
        spread = pp + variance
        dx, dy = x - px, y - py
        kp, kv, ka = pp / spread, pv / spread, pa / spread
        posterior = Gaussian(
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


def blend(parts: Sequence[tuple[float, Gaussian]]) -> Gaussian:
    """Join weighted Gaussians, weights adding up to 1, into one of the same mean and spread."""
    if len(parts) == 1:
        return parts[0][1]
    x, y, vx, vy, ax, ay = (
        sum([weight * part[axis] for weight, part in parts]) for axis in range(6)
    )
    pp = pv = pa = vv = va = aa = 0.0
    for weight, part in parts:
        dx, dy, du, dw = part.x - x, part.y - y, part.vx - vx, part.vy - vy
        da, db = part.ax - ax, part.ay - ay
        pp += weight * (part.pp + 0.5 * (dx * dx + dy * dy))
        pv += weight * (part.pv + 0.5 * (dx * du + dy * dw))
        pa += weight * (part.pa + 0.5 * (dx * da + dy * db))
        vv += weight * (part.vv + 0.5 * (du * du + dw * dw))
        va += weight * (part.va + 0.5 * (du * da + dw * db))
        aa += weight * (part.aa + 0.5 * (da * da + db * db))
    return Gaussian(x, y, vx, vy, ax, ay, pp, pv, pa, vv, va, aa)


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
        self._states = [self._enter(mode, start) for mode in Mode]
        self.chances = list(chances)

    def predict(self, dt: float, rates: Sequence[Rates]) -> None:
        """Go on for `dt` [s]; modes give way to each other at `rates`, ALONE or TOUCHED."""
        before = self._states
        rolling = before[Mode.ROLLING]
        if math.hypot(rolling.vx, rolling.vy) < SLOW:
            slowly = rates[Mode.ROLLING]._replace(resting=STOPPING)
            rates = (rates[0], slowly, *rates[2:])
        shares = [
            _shares(mode, chance, dt, rates[mode])
            for mode, chance in zip(Mode, self.chances, strict=True)
        ]
        self.chances = [sum(column) for column in zip(*shares, strict=True)]
        self._states = [self._move(mode, self._mix(mode, before, shares), dt) for mode in Mode]

    def update(self, x: float, y: float, variance: float) -> None:
        """Take in where the ball was seen [m], each coordinate with this variance [m^2]."""
        logs = []
        for mode, chance in zip(Mode, self.chances, strict=True):
            self._states[mode], surprise, spread = self._states[mode].corrected(x, y, variance)
            logs.append(math.log(chance) - 0.5 * surprise - math.log(spread))
        best = max(logs)
        likely = [max(math.exp(each - best), SURVIVAL) for each in logs]
        total = sum(likely)
        self.chances = [each / total for each in likely]

    def shift(self, dx: float, dy: float, variance: float = 0.0) -> None:
        """Move all that is believed of the place by (dx, dy) [m], and doubt it [m^2]."""
        self._states = [
            state._replace(x=state.x + dx, y=state.y + dy, pp=state.pp + variance)
            for state in self._states
        ]

    def estimate(self) -> Gaussian:
        """Join what the modes say."""
        sure = [
            (chance, state)
            for chance, state in zip(self.chances, self._states, strict=True)
            if chance > NEGLIGIBLE
        ]
        total = sum([chance for chance, _ in sure])
        return blend([(chance / total, state) for chance, state in sure])

    def _mix(
        self, mode: Mode, states: Sequence[Gaussian], shares: Sequence[Sequence[float]]
    ) -> Gaussian:
        """Join what comes from every mode into this one."""
        total = self.chances[mode]
        parts = [
            (share[mode] / total, state if origin is mode else self._enter(mode, state))
            for origin, state, share in zip(Mode, states, shares, strict=True)
            if share[mode] > NEGLIGIBLE * total
        ]
        kept = sum([weight for weight, _ in parts])
        return blend([(weight / kept, state) for weight, state in parts])

    def _enter(self, mode: Mode, state: Gaussian) -> Gaussian:
        """Let a ball that did something else begin with this."""
        unknown = 0.0
        if mode is Mode.SLIDING:
            # A sliding ball is slowed down against its slip, which may point anywhere.
            unknown = 0.5 * self._parameters.slide_deceleration**2
        free = state._replace(ax=0.0, ay=0.0, pa=0.0, va=0.0, aa=unknown)
        return self._rest(free) if mode is Mode.RESTING else free

    def _rest(self, state: Gaussian) -> Gaussian:
        return state._replace(vx=0.0, vy=0.0, pv=0.0, vv=self._parameters.rest_speed_std**2)

    def _move(self, mode: Mode, state: Gaussian, dt: float) -> Gaussian:
        """Go on for `dt` [s] as a mode does."""
        parameters = self._parameters
        if mode is Mode.RESTING:
            return self._rest(state.moved(dt, 0.0))
        if mode is Mode.SLIDING:
            return state.moved(dt, parameters.sliding_density)
        if mode is Mode.PUSHED:
            return state.moved(dt, parameters.pushed_density)
        speed = math.hypot(state.vx, state.vy)
        brake = min(parameters.roll_deceleration / max(speed, 1e-9), 1.0 / max(dt, 1e-9))
        braked = state._replace(ax=-brake * state.vx, ay=-brake * state.vy)
        return braked.moved(dt, parameters.rolling_density)._replace(ax=0.0, ay=0.0)


def _shares(mode: Mode, chance: float, dt: float, rates: Rates) -> list[float]:
    """Divide a mode's probability among those that it has given way to within `dt` [s]."""
    leaving = sum(rates)
    left = -math.expm1(-leaving * dt) * chance / leaving
    shares = [left * rate for rate in rates]
    shares[mode] = chance * math.exp(-leaving * dt)
    return shares
