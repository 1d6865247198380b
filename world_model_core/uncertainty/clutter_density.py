# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Density of a reading of clutter, whose position is uniform in a rectangle."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.angles import wrap_angles
from world_model_core.uncertainty.quadrature import (
    REACH,
    log_normal,
    log_probability,
    panels,
    weights_up_to,
)

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.observation_parameters import ObservationParameters
    from world_model_core.uncertainty.range_density import Offset, RangeDensity

__all__ = ['ClutterDensity', 'RangeIntegral']

# Panels of the angle of view: near a side, the length of rays changes fast.
SECTORS = 16
# Width of a panel in standard deviations of the noise.
WIDTH = 5.0
# Fraction of the integral along a ray that is lost in rounding.
LEAST = 1e-14


class RangeIntegral(NamedTuple):
    """
    p(l | r) r as a function of the distance r [m], given readings l and offsets.

    `edges` (s, m, p + 1) of panels; at their nodes `values` (s, m, k, q), in units of
    exp(`log_most`) (s, m, k); and their integral `total` (s, m, k, 1). Between `radii`
    (s, m, r) the function changes slowly.
    """

    edges: Array
    radii: Array
    values: Array
    log_most: Array
    total: Array


class ClutterDensity:
    """
    p(l, phi | clutter), integrated over the directions from the robot and along each direction.

    In direction psi a ray intersects the rectangle from r0 to r1, and a position uniform in the
    rectangle has the density r / area in (r, psi). The integrand p(l | r) r is the same for all
    rays and poses: it is evaluated once for each reading and bias, and rays differ only in their
    limits of integration. Readings more than `REACH` standard deviations from all possible
    positions of clutter have the probability 0.

    Parameters
    ----------
    parameters : ObservationParameters
    ranges : RangeDensity

    """

    def __init__(self, parameters: ObservationParameters, ranges: RangeDensity) -> None:
        self._clutter, self._view = parameters.clutter, parameters.field_of_view
        self._noise, self._bearing_std = parameters.noise, parameters.noise.bearing_std
        self._ranges = ranges

    def visible(self, poses: Array) -> Array:
        """Return the probability that clutter is in view of robots at poses (..., 3)."""
        near, far = self._view.near, self._view.far
        grid = np.linspace(-self._view.half_angle, self._view.half_angle, SECTORS + 1)
        bends = self._bends(poses, np.array((near, far)))
        directions, log_weights = panels(self._split(np.zeros(poses.shape[:-1]), grid, bends))
        first, last = self._rays(poses, directions)
        low, high = np.clip(first, near, far), np.clip(last, near, far)
        seen = 0.5 * (high * high - low * low)
        if self._ranges.hides_truth:
            # Positions too near, which occlusion moves into view: the integral of r / (far - r).
            low, high = np.clip(first, 0.0, near), np.clip(last, 0.0, near)
            pushed = low - high + far * np.log((far - low) / (far - high))
            seen = seen + self._ranges.hidden * (far - near) * pushed
        part: Array = np.sum(np.exp(log_weights) * seen, axis=-1) / self._clutter.area()
        return part

    def log_density(self, readings: Array, poses: Array, offset: Offset) -> Array:
        """
        Return the log density of readings of clutter, for all pairs of two sets of offsets.

        Along rays only part and length matter, and across them only the angle.

        Parameters
        ----------
        readings : array, shape (s, m, 2)
            Readings of s = 1 or n robots.
        poses : array, shape (n, 1, 3)
        offset : Offset
            `part` and `length` (s, 1, k), `angle` (s, 1, a).

        Returns
        -------
        array, shape (n, m, k, a)

        """
        low, high = offset.angle.min(axis=-1), offset.angle.max(axis=-1)
        middle = readings[..., 1] - 0.5 * (low + high)
        reach = min(REACH * self._bearing_std + 0.5 * float((high - low).max()), math.pi)
        sectors = math.ceil(2.0 * reach / (REACH * self._bearing_std))
        grid = np.linspace(-reach, reach, sectors + 1)
        course = self._follow(readings[..., 0], offset)
        bends = self._bends(poses, course.radii)
        directions, log_weights = panels(self._split(middle, grid, bends))
        along = self._add_along(course, poses, directions)
        turned = (
            wrap_angles(readings[..., 1, None] - offset.angle)[..., None]
            - directions[..., None, :]
        )
        across = np.exp(
            log_normal(wrap_angles(turned), self._bearing_std) + log_weights[..., None, :]
        )
        both = log_probability(along @ across.swapaxes(-1, -2))
        return both + course.log_most[..., None] - math.log(self._clutter.area())

    def _follow(self, ranges: Array, offset: Offset) -> RangeIntegral:
        """Evaluate p(l | r) r at distances that are dense where it changes fast."""
        before, fine = self._edges(ranges, offset)
        edges = np.concatenate((before, fine), axis=-1)
        places, _ = panels(edges)
        log = self._ranges.log_density(
            ranges[..., None, None], places[..., None, :], offset.expand()
        )
        log = log + log_probability(np.maximum(places, 0.0))[..., None, :]
        most = np.max(log, axis=-1)
        most = np.where(np.isfinite(most), most, 0.0)
        values = np.exp(log - most[..., None])
        # Tiny values do not contribute, and arithmetic with denormal numbers is slow.
        values = np.where(values > LEAST**2, values, 0.0)
        total = values @ weights_up_to(edges[..., -1:], edges).swapaxes(-1, -2)
        ends = np.broadcast_to((self._view.near, self._view.far), (*fine.shape[:-1], 2))
        radii = np.concatenate((ends, fine[..., ::2]), axis=-1)
        return RangeIntegral(edges, radii, values, most, total)

    def _edges(self, ranges: Array, offset: Offset) -> tuple[Array, Array]:
        """Return edges over the view: fine where readings (s, m) are likely, coarse before."""
        near, far, noise = self._view.near, self._view.far, self._noise
        first, _, last = self._ranges.reach(ranges[..., None], offset)
        low = np.clip(first.min(axis=-1), max(near, 1e-4 * far), far)[..., None]
        high = np.clip(last.max(axis=-1)[..., None], low, far)
        # Geometric in r + slack, as the standard deviation is at most rate (r + slack).
        rate = max(noise.range_fraction, 0.01 * noise.range_std / far)
        slack = noise.range_std / rate
        growth = math.log1p(min(1.0, WIDTH * rate))
        stretch = np.log((high + slack) / (low + slack))
        count = max(1, math.ceil(float(stretch.max(initial=0.0)) / growth))
        fine = (low + slack) * np.exp(stretch * np.linspace(0.0, 1.0, count + 1)) - slack
        fine = np.clip(fine, near, far)
        if self._ranges.hidden == 0.0:
            return np.minimum(low, near), fine
        # A hidden landmark may be anywhere nearer, and in LNPR's order nearer than the view.
        bottom = np.full_like(low, 0.0 if self._ranges.hides_truth else near)
        finest = math.expm1(growth) * (float(low.min(initial=far)) + slack)
        doublings = np.exp2(np.arange(math.ceil(math.log2(far / finest + 1.0)), 0, -1)) - 1.0
        return np.concatenate((bottom, np.maximum(low - finest * doublings, near)), axis=-1), fine

    def _add_along(self, course: RangeIntegral, poses: Array, directions: Array) -> Array:
        """Integrate along rays (n, m, q) in view, in units of exp(`log_most`): (n, m, k, q)."""
        first, last = self._rays(poses, directions)
        weights = weights_up_to(last, course.edges) - weights_up_to(first, course.edges)
        along = course.values @ weights.swapaxes(-1, -2)
        seen = np.abs(wrap_angles(directions)) <= self._view.half_angle
        found: Array = np.where(along > LEAST * course.total, along, 0.0) * seen[..., None, :]
        return found

    def _split(self, middle: Array, grid: Array, bends: Array) -> Array:
        """Split directions by a grid about middles (...) [rad] and at the bends."""
        bends = wrap_angles(bends - middle[..., None])
        # Bends outside the grid come last: panels without width are omitted.
        bends = np.where(np.abs(bends) < grid[-1], bends, grid[-1])
        grid = np.broadcast_to(grid, (*bends.shape[:-1], len(grid)))
        edges = np.sort(np.concatenate((grid, bends), axis=-1), axis=-1)
        split: Array = middle[..., None] + edges
        return split

    def _bends(self, poses: Array, radii: Array) -> Array:
        """
        Return directions (..., q) [rad] in which the visible length of a ray bends.

        They are the sides of the view, the corners of the rectangle, and the intersections of its
        sides with circles of the radii (..., r) [m]; NaN where there is no intersection.
        """
        sides, half = self._clutter, self._view.half_angle
        x = np.array((sides.x_low, sides.x_high)) - poses[..., :1]
        y = np.array((sides.y_low, sides.y_high)) - poses[..., 1:2]
        corners = [np.arctan2(y, x), np.arctan2(y[..., ::-1], x)]
        beside, ahead, squares = x[..., None], y[..., None], radii[..., None, :] ** 2
        with np.errstate(invalid='ignore'):
            across, along = np.sqrt(squares - beside**2), np.sqrt(squares - ahead**2)
        crossings = [np.arctan2(_between(sign * across, y), beside) for sign in (1.0, -1.0)]
        crossings += [np.arctan2(ahead, _between(sign * along, x)) for sign in (1.0, -1.0)]
        flat = np.concatenate([*np.moveaxis(np.concatenate(crossings, axis=-1), -2, 0)], axis=-1)
        lead = flat.shape[:-1]
        found = [np.broadcast_to(each, (*lead, 2)) for each in corners]
        ends = np.broadcast_to((-half, half), (*lead, 2))
        return np.concatenate((np.concatenate((flat, *found), axis=-1) - poses[..., 2:], ends), -1)

    def _rays(self, poses: Array, directions: Array) -> tuple[Array, Array]:
        """Return where rays (..., q) enter and leave the rectangle [m]; equal if they miss it."""
        angles = poses[..., 2:] + directions
        sides = self._clutter
        first, last = np.zeros_like(angles), np.full_like(angles, np.inf)
        for step, at, low, high in (
            (np.cos(angles), poses[..., :1], sides.x_low, sides.x_high),
            (np.sin(angles), poses[..., 1:2], sides.y_low, sides.y_high),
        ):
            # A ray parallel to a side never crosses it.
            slope = np.where(np.abs(step) < 1e-15, 1e-15, step)
            one, other = (low - at) / slope, (high - at) / slope
            first = np.maximum(first, np.minimum(one, other))
            last = np.minimum(last, np.maximum(one, other))
        return first, np.maximum(first, last)


def _between(places: Array, ends: Array) -> Array:
    """Keep places (..., 2, r) between ends (..., 2), and replace others by NaN."""
    inside = (places >= ends[..., :1, None]) & (places <= ends[..., 1:, None])
    kept: Array = np.where(inside, places, np.nan)
    return kept
