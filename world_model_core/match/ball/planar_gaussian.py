# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Gaussian of a planar motion whose axes share one covariance: prediction, update and merging."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

# Fields of a PlanarGaussian. A filter step creates dozens of them, and a bare tuple takes a tenth
# of the time.
Moments = tuple[float, float, float, float, float, float, float, float, float, float, float, float]


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
