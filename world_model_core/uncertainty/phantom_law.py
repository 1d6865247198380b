# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The law of what is read of a false landmark, anywhere in its rectangle."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.uncertainty.quadrature import (
    REACH,
    log_normal,
    log_probability,
    log_sum,
    panels,
)
from world_model_core.uncertainty.range_bearing import wrap

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.observation_parameters import ObservationParameters
    from world_model_core.uncertainty.range_law import Offset, RangeLaw

# Of the angle of view: the ends of the view bend what is left of a ray.
SECTORS = 16


class PhantomLaw:
    """
    p(l, phi | phantom), integrated over directions from the robot, and along each.

    In direction psi, rays meet the rectangle from r0 to r1, and a place uniform in it has the
    density r / area in (r, psi).

    Parameters
    ----------
    parameters : ObservationParameters
    ranges : RangeLaw

    """

    def __init__(self, parameters: ObservationParameters, ranges: RangeLaw) -> None:
        self._phantom, self._view = parameters.phantom, parameters.view
        self._bearing_std = parameters.noise.bearing_std
        self._ranges = ranges

    def visible(self, poses: Array) -> Array:
        """Give the probability that a phantom is in view of robots at poses (..., 3)."""
        steps = np.linspace(-self._view.half_angle, self._view.half_angle, SECTORS + 1)
        edges = np.broadcast_to(steps, (*poses.shape[:-1], SECTORS + 1))
        directions, log_weights = panels(self._split(edges, poses, np.zeros(1)))
        first, last = self._rays(poses, directions)
        near, far = self._view.near, self._view.far
        low, high = np.clip(first, near, far), np.clip(last, near, far)
        seen = 0.5 * (high * high - low * low)
        if self._ranges.hides_truth:
            # Those too near, pushed into view: the integral of r / (far - r).
            low, high = np.clip(first, 0.0, near), np.clip(last, 0.0, near)
            pushed = low - high + far * np.log((far - low) / (far - high))
            seen = seen + self._ranges.hidden * (far - near) * pushed
        part: Array = np.sum(np.exp(log_weights) * seen, axis=-1) / self._phantom.area()
        return part

    def log_density(self, readings: Array, poses: Array, offset: Offset) -> Array:
        """Give the log density of readings (..., 2) of a phantom, from poses (..., 3)."""
        middle = wrap(readings[..., 1] - offset.angle)
        reach = min(REACH * self._bearing_std, math.pi)
        limit = self._view.half_angle if self._view.half_angle < math.pi else 2.0 * math.pi
        edges = np.stack((middle - reach, middle + reach), axis=-1)
        edges = self._split(np.clip(edges, -limit, limit), poses, middle)
        directions, log_weights = panels(edges)
        turned = log_normal(middle[..., None] - directions, self._bearing_std)
        along = self._log_along(readings[..., 0], poses, directions, offset)
        return log_sum(log_weights + turned + along) - math.log(self._phantom.area())

    def _log_along(self, ranges: Array, poses: Array, directions: Array, offset: Offset) -> Array:
        """Integrate p(l | r) r along each ray."""
        near, far = self._view.near, self._view.far
        first, last = self._rays(poses, directions)
        ends = [
            np.clip(e, near, far) for e in self._ranges.reach(ranges[..., None], offset.expand())
        ]
        if self._ranges.hidden > 0.0:
            # What is hidden may come from anywhere nearer, and in LNPR's order from out of view.
            ends = [np.array(0.0 if self._ranges.hides_truth else near), np.array(near), *ends]
        edges = np.stack(np.broadcast_arrays(*ends, first), axis=-1)[..., :-1]
        places, log_weights = panels(np.clip(edges, first[..., None], last[..., None]))
        law = self._ranges.log_density(ranges[..., None, None], places, offset.expand().expand())
        return log_sum(log_weights + log_probability(np.maximum(places, 0.0)) + law)

    def _split(self, edges: Array, poses: Array, middle: Array) -> Array:
        """Split edges (..., q) [rad], less than a turn about a middle, where corners are."""
        sides = self._phantom
        x = np.array((sides.x_low, sides.x_low, sides.x_high, sides.x_high)) - poses[..., :1]
        y = np.array((sides.y_low, sides.y_high, sides.y_low, sides.y_high)) - poses[..., 1:2]
        middle = middle[..., None]
        corners = middle + wrap(np.arctan2(y, x) - poses[..., 2:] - middle)
        inside = np.clip(corners, edges[..., :1], edges[..., -1:])
        inside, edges = (
            np.broadcast_to(each, (*inside.shape[:-1], each.shape[-1])) for each in (inside, edges)
        )
        return np.sort(np.concatenate((edges, inside), axis=-1), axis=-1)

    def _rays(self, poses: Array, directions: Array) -> tuple[Array, Array]:
        """Find where rays (..., q) enter and leave the rectangle [m], equal where they do not."""
        angles = poses[..., 2:] + directions
        sides = self._phantom
        first, last = np.zeros_like(angles), np.full_like(angles, np.inf)
        for step, at, low, high in (
            (np.cos(angles), poses[..., :1], sides.x_low, sides.x_high),
            (np.sin(angles), poses[..., 1:2], sides.y_low, sides.y_high),
        ):
            # Along a side a ray goes on for ever, within the sides or outside.
            slope = np.where(np.abs(step) < 1e-15, 1e-15, step)
            one, other = (low - at) / slope, (high - at) / slope
            first = np.maximum(first, np.minimum(one, other))
            last = np.minimum(last, np.maximum(one, other))
        return first, np.maximum(first, last)
