# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Interacting multiple model (IMM) filter of a ball on the carpet.

The ball rests, rolls, slides or is pushed. The carpet is isotropic, so x and y share one
covariance, and the models are computed with plain floats: an update costs less than one call of a
linear algebra library. The mixing follows H. A. P. Blom and Y. Bar-Shalom, The interacting
multiple model algorithm for systems with Markovian switching coefficients, IEEE Trans. Automatic
Control 33 (8), 1988.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

# Fields of a PlanarGaussian. A filter step creates dozens of them, and a bare tuple takes a tenth
# of the time.
Moments = tuple[float, float, float, float, float, float, float, float, float, float, float, float]
# A smaller probability is not mixed into another mode.
NEGLIGIBLE = 1e-4
# Lower bound of the likelihood of a mode, relative to the best one.
SURVIVAL = 1e-6


class PlanarGaussian(NamedTuple):
    """
    Mean and covariance of (position, velocity, acceleration); both axes share the covariance.

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


class Mode(IntEnum):
    """Motion model of a ball on the carpet."""

    RESTING = 0
    ROLLING = 1
    SLIDING = 2
    PUSHED = 3


class Rates(NamedTuple):
    """Transition rates from a mode to each other mode [1/s]."""

    resting: float = 0.0
    rolling: float = 0.0
    sliding: float = 0.0
    pushed: float = 0.0


# Out of reach of robots a ball only settles; other transitions are rare.
ALONE = (
    Rates(rolling=0.005, pushed=0.005),
    Rates(sliding=0.01, pushed=0.005),
    Rates(rolling=4.0, pushed=0.02),
    Rates(resting=4.0, rolling=10.0, sliding=10.0),
)
# A robot or the wall of a goal in contact pushes the ball, stops it or sends it sliding.
TOUCHED = (
    Rates(rolling=0.1, sliding=0.1, pushed=2.0),
    Rates(resting=0.5, sliding=1.0, pushed=5.0),
    Rates(rolling=4.0, pushed=5.0),
    Rates(resting=4.0, rolling=5.0, sliding=5.0),
)
# A ball that rolls slower than this [m/s] comes to rest with this rate [1/s].
SLOW, STOPPING = 0.05, 5.0


@dataclass(frozen=True, slots=True)
class GroundParameters:
    """
    Parameters of the four motion models.

    Parameters
    ----------
    roll_deceleration, slide_deceleration : float
        Deceleration of a rolling ball, and magnitude of a sliding ball's acceleration [m/s^2],
        positive.
    rolling_density, sliding_density, pushed_density : float
        Power spectral densities of the unmodeled acceleration of each model [m^2/s^3].
    rest_speed_std : float
        Standard deviation of the velocity of a resting ball [m/s].

    """

    roll_deceleration: float = 0.33
    slide_deceleration: float = 2.79
    rolling_density: float = 0.00015
    sliding_density: float = 0.005
    pushed_density: float = 30.0
    rest_speed_std: float = 0.001


class GroundFilter:
    """
    IMM filter of one ball on the carpet.

    Parameters
    ----------
    parameters : GroundParameters
    start : PlanarGaussian
        Initial estimate; its acceleration is ignored.
    probabilities : sequence of float
        Initial probability of each Mode.

    Attributes
    ----------
    probabilities : list of float
        Current probability of each Mode.

    """

    def __init__(
        self, parameters: GroundParameters, start: PlanarGaussian, probabilities: Sequence[float]
    ) -> None:
        self._parameters = parameters
        self._rest_variance = parameters.rest_speed_std**2
        # The deceleration of sliding points against the slip, in any direction.
        self._slide_variance = 0.5 * parameters.slide_deceleration**2
        free = _free(start)
        sliding = _free(start, self._slide_variance)
        self._states = [_rest(free, 0.0, self._rest_variance), free, sliding, free]
        self.probabilities = list(probabilities)

    def predict(self, dt: float, rates: Sequence[Rates]) -> None:
        """Predict over `dt` [s] with the transition rates ALONE or TOUCHED."""
        rolling = self._states[Mode.ROLLING]
        if math.hypot(rolling[2], rolling[3]) < SLOW:
            rates = (rates[0], Rates(STOPPING, *rates[1][1:]), *rates[2:])
        shares = [
            _shares(mode, probability, dt, rates[mode])
            for mode, probability in enumerate(self.probabilities)
        ]
        inflows = list(zip(*shares, strict=True))
        self.probabilities = [sum(inflow) for inflow in inflows]
        self._states = self._moved(inflows, dt)

    def update(self, x: float, y: float, variance: float) -> None:
        """Update with a measured position [m] with this variance of each coordinate [m^2]."""
        logs = []
        for mode, probability in enumerate(self.probabilities):
            self._states[mode], squared_distance, spread = corrected(
                self._states[mode], x, y, variance
            )
            logs.append(math.log(probability) - 0.5 * squared_distance - math.log(spread))
        best = max(logs)
        likely = [max(math.exp(each - best), SURVIVAL) for each in logs]
        total = sum(likely)
        self.probabilities = [each / total for each in likely]

    def shift(self, dx: float, dy: float, variance: float = 0.0) -> None:
        """Shift the position by (dx, dy) [m] and increase its variance [m^2]."""
        self._states = [
            (x + dx, y + dy, vx, vy, ax, ay, pp + variance, pv, pa, vv, va, aa)
            for x, y, vx, vy, ax, ay, pp, pv, pa, vv, va, aa in self._states
        ]

    def estimate(self) -> PlanarGaussian:
        """Return the combined estimate of all modes."""
        return PlanarGaussian(*_mixed(self.probabilities, self._states, 1.0))

    def _moved(self, inflows: Sequence[Sequence[float]], dt: float) -> list[Moments]:
        """Mix the modes and predict each over `dt` [s]."""
        resting, rolling, sliding, pushed = self._states
        free = (resting, rolling, _free(sliding), pushed)  # the other modes have no acceleration
        acceleration_variance = self._slide_variance
        slipping = (
            _free(resting, acceleration_variance),
            _free(rolling, acceleration_variance),
            sliding,
            _free(pushed, acceleration_variance),
        )
        mixed = [
            _mixed(inflow, slipping if mode == Mode.SLIDING else free, probability)
            for mode, (inflow, probability) in enumerate(
                zip(inflows, self.probabilities, strict=True)
            )
        ]
        resting, rolling, sliding, pushed = mixed
        parameters = self._parameters
        return [
            _rest(resting, dt, self._rest_variance),
            _roll(rolling, dt, parameters),
            moved(sliding, dt, parameters.sliding_density),
            moved(pushed, dt, parameters.pushed_density),
        ]


def _free(moments: Moments, acceleration_variance: float = 0.0) -> Moments:
    """Set the acceleration to zero with variance `acceleration_variance` [m^2/s^4]."""
    x, y, vx, vy, _, _, pp, pv, _, vv, _, _ = moments
    return x, y, vx, vy, 0.0, 0.0, pp, pv, 0.0, vv, 0.0, acceleration_variance


def _rest(moments: Moments, dt: float, variance: float) -> Moments:
    """Predict a resting ball over `dt` [s]; its velocity is 0 with this variance [m^2/s^2]."""
    x, y, _, _, _, _, pp, _, _, _, _, _ = moments
    return x, y, 0.0, 0.0, 0.0, 0.0, pp + dt * dt * variance, 0.0, 0.0, variance, 0.0, 0.0


def _roll(moments: Moments, dt: float, parameters: GroundParameters) -> Moments:
    """Predict a rolling ball over `dt` [s]."""
    x, y, vx, vy, _, _, pp, pv, _, vv, _, _ = moments
    speed = math.hypot(vx, vy)
    brake = min(parameters.roll_deceleration / max(speed, 1e-9), 1.0 / max(dt, 1e-9))
    braked = x, y, vx, vy, -brake * vx, -brake * vy, pp, pv, 0.0, vv, 0.0, 0.0
    return _free(moved(braked, dt, parameters.rolling_density))


def _mixed(weights: Sequence[float], states: Sequence[Moments], total: float) -> Moments:
    """Merge states with weights that sum to `total`; negligible weights are dropped."""
    least = NEGLIGIBLE * total
    parts = [part for part in zip(weights, states, strict=True) if part[0] > least]
    if len(parts) == 1:
        return parts[0][1]
    kept = sum([weight for weight, _ in parts])
    return blend([(weight / kept, state) for weight, state in parts])


def _shares(mode: int, probability: float, dt: float, rates: Rates) -> list[float]:
    """Distribute a mode's probability over its successors after `dt` [s]."""
    leaving = sum(rates)
    left = -math.expm1(-leaving * dt) * probability / leaving
    shares = [left * rate for rate in rates]
    shares[mode] = probability * math.exp(-leaving * dt)
    return shares


def moved(moments: Moments, dt: float, density: float) -> Moments:
    """Predict over `dt` [s] with constant acceleration and white noise of it [m^2/s^3]."""
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
    Update with a measured position.

    Returns
    -------
    Moments, float, float
        Posterior, squared Mahalanobis distance of the measurement (chi-square with 2 degrees of
        freedom), and innovation variance [m^2].

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
    """Merge weighted Gaussians by moment matching; the weights sum to 1."""
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
