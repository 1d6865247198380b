# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Cameras of a bundle: points to pixels, and pixels to directions.

A direction x, y, z (right, down, forward) becomes a point of a plane: (x, y) / z in a pinhole, and
theta (x, y) / hypot(x, y) in a fisheye, theta being the angle off the axis. Then the lens bends
it. radtan is Brown and Conrady's, with d = r^2 = x^2 + y^2 of that plane:

    x' = x (1 + k1 d + k2 d^2 + k3 d^3) + 2 p1 x y + p2 (d + 2 x^2)
    y' = y (1 + k1 d + k2 d^2 + k3 d^3) + p1 (d + 2 y^2) + 2 p2 x y

equidistant is Kannala and Brandt's (A Generic Camera Model and Calibration Method for
Conventional, Wide-Angle, and Fish-Eye Lenses, IEEE PAMI 28(8), 2006): the angle theta becomes
theta (1 + k1 theta^2 + k2 theta^4 + k3 theta^6 + k4 theta^8), whichever of the two planes the
direction came through; but a pinhole sees nothing from 90 degrees on. Pixels are those of OpenCV:
the middle of the first is (0, 0), u goes right and v down.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.bundle.sensors.radial_distortion import RadialPolynomial
from world_model_core.bundle.values import CameraConvention, CameraModel, Distortion
from world_model_core.frames import Transform

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from world_model_core.bundle.values import CameraSpec
    from world_model_core.gaussian import Array

# From the axes of OpenGL to those of OpenCV and back: half a turn about x.
HALF_TURN = np.array((1.0, -1.0, -1.0))
# Newton's method for Brown and Conrady's lens starts near its solution [steps].
MOST_STEPS = 50
# How exactly a direction is found, in focal lengths; the picture has 1e-4 of them to a pixel.
EXACT = 1e-10


class CalibratedCamera:
    """
    A camera's lens and picture.

    Numbers too large for the formulae give NaN, without a warning.

    Parameters
    ----------
    spec : CameraSpec

    Attributes
    ----------
    spec : CameraSpec

    """

    def __init__(self, spec: CameraSpec) -> None:
        self.spec = spec
        self._is_pinhole = spec.model is CameraModel.PINHOLE
        self._bends_angles = spec.distortion is Distortion.EQUIDISTANT
        self._axes = HALF_TURN if spec.convention is CameraConvention.OPENGL else np.ones(3)
        self._focal, self._center = np.array(spec.focal), np.array(spec.center)
        if self._bends_angles:
            largest = math.pi / 2.0 if self._is_pinhole else math.pi
            self._radial = RadialPolynomial(spec.coefficients, largest)
            self._tangential = (0.0, 0.0)
        else:
            k1, k2, p1, p2, *more = spec.coefficients
            largest = math.inf if self._is_pinhole else math.pi
            self._radial = RadialPolynomial((k1, k2, *more), largest)
            self._tangential = (p1, p2)

    @property
    def optical_pose(self) -> Transform:
        """The pose in base_link of the optical frame: x right, y down, z forward (REP 103)."""
        pose = self.spec.pose
        return Transform(pose.rotation * self._axes, pose.translation, pose.covariance)

    @property
    def hidden_corners(self) -> int:
        """
        How many corners of the picture no direction leads to.

        Pictures of a fisheye have black corners; where its lens bends angles, the places half way
        from the middle to the corners are counted instead.
        """
        corners = np.array([(u, v) for u in (0.0, 1.0) for v in (0.0, 1.0)])
        pixels = corners * (self.spec.width - 1, self.spec.height - 1)
        if self._bends_angles:
            pixels = 0.5 * (pixels + self._center)
        return int(np.isnan(self.unproject(pixels)).any(axis=-1).sum())

    @np.errstate(all='ignore')
    def project(self, points: ArrayLike) -> Array:
        """
        Find where points are in the picture.

        Parameters
        ----------
        points : array, shape (..., 3)
            In the camera's own axes, as its convention has them [m].

        Returns
        -------
        array, shape (..., 2)
            u, v [pixels], also outside of the picture; NaN for points that the lens cannot see.

        """
        directions = np.asarray(points, dtype=np.float64) * self._axes
        sideways, ahead = directions[..., :2], directions[..., 2]
        off = np.hypot(sideways[..., 0], sideways[..., 1])
        is_seen = (off > 0.0) | (ahead > 0.0)
        if self._is_pinhole:
            is_seen &= ahead > 0.0
        measure = off / ahead if self._measures_tangents else np.arctan2(off, ahead)
        is_seen &= measure <= self._radial.limit
        # On the axis every scale will do.
        scale = np.where(off > 0.0, measure / off, 0.0)
        bent = self._bend(sideways * np.where(is_seen, scale, np.nan)[..., None])
        return np.asarray(bent * self._focal + self._center)

    @np.errstate(all='ignore')
    def unproject(self, pixels: ArrayLike) -> Array:
        """
        Find the directions that pixels look to.

        Parameters
        ----------
        pixels : array, shape (..., 2)
            u, v [pixels].

        Returns
        -------
        array, shape (..., 3)
            Of length 1, in the camera's own axes; NaN where no direction leads to.

        """
        bent = (np.asarray(pixels, dtype=np.float64) - self._center) / self._focal
        plane = self._straighten(bent)
        measure = np.hypot(plane[..., 0], plane[..., 1])
        angle = np.arctan(measure) if self._measures_tangents else measure
        scale = np.where(measure > 0.0, np.sin(angle) / measure, 1.0)
        directions = np.concatenate((plane * scale[..., None], np.cos(angle)[..., None]), axis=-1)
        return np.asarray(directions * self._axes)

    @property
    def _measures_tangents(self) -> bool:
        """If the plane that the lens bends has tangents of angles, and not angles."""
        return self._is_pinhole and not self._bends_angles

    def _bend(self, plane: Array) -> Array:
        """Bend points of the plane, shape (..., 2)."""
        x, y = plane[..., 0], plane[..., 1]
        p1, p2 = self._tangential
        squared = x * x + y * y
        bent = plane * self._radial.factor(np.sqrt(squared))[..., None]
        bent[..., 0] += 2.0 * p1 * x * y + p2 * (squared + 2.0 * x * x)
        bent[..., 1] += p1 * (squared + 2.0 * y * y) + 2.0 * p2 * x * y
        return bent

    def _straighten(self, bent: Array) -> Array:
        """Find the points of the plane, shape (..., 2), that are bent to given ones; or NaN."""
        reached = np.hypot(bent[..., 0], bent[..., 1])
        # With p1 and p2 what is at the rim may come from a little farther out.
        within = np.minimum(reached, self._radial.reach) if any(self._tangential) else reached
        scale = np.where(reached > 0.0, self._radial.solve(within) / reached, 1.0)
        plane = bent * scale[..., None]
        return self._refine(plane, bent) if any(self._tangential) else plane

    def _refine(self, plane: Array, bent: Array) -> Array:
        """Improve points of the plane by Newton's method; NaN for those that have no solution."""
        for _ in range(MOST_STEPS):
            missing = bent - self._bend(plane)
            if not (np.abs(missing) > EXACT).any():
                break
            plane = plane + self._step(plane, missing)
        exact = (np.abs(bent - self._bend(plane)) <= EXACT).all(axis=-1)
        known = exact & (np.hypot(plane[..., 0], plane[..., 1]) <= self._radial.limit)
        return np.where(known[..., None], plane, np.nan)

    def _step(self, plane: Array, missing: Array) -> Array:
        """Solve J step = missing with the Jacobian of `_bend`, which is symmetric."""
        x, y = plane[..., 0], plane[..., 1]
        p1, p2 = self._tangential
        r = np.hypot(x, y)
        factor = self._radial.factor(r)
        # d factor / dx is x times this, as is that of y: its limit on the axis counts for nothing.
        rate = np.where(r > 0.0, (self._radial.slope(r) - factor) / np.square(r), 0.0)
        xx = factor + x * x * rate + 2.0 * p1 * y + 6.0 * p2 * x
        yy = factor + y * y * rate + 6.0 * p1 * y + 2.0 * p2 * x
        xy = x * y * rate + 2.0 * p1 * x + 2.0 * p2 * y
        determinant = xx * yy - xy * xy
        u, v = missing[..., 0], missing[..., 1]
        step = np.stack((yy * u - xy * v, xx * v - xy * u), axis=-1)
        return np.asarray(step / determinant[..., None])
