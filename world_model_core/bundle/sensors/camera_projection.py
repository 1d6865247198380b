# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Camera models of a bundle: projection of points to pixels, and of pixels to directions.

A direction x, y, z (right, down, forward) is projected to a plane: (x, y) / z for a pinhole, and
theta (x, y) / hypot(x, y) for a fisheye, with theta the angle to the axis. Then it is distorted.
radtan is the Brown-Conrady model, with d = r^2 = x^2 + y^2 in this plane:

    x' = x (1 + k1 d + k2 d^2 + k3 d^3) + 2 p1 x y + p2 (d + 2 x^2)
    y' = y (1 + k1 d + k2 d^2 + k3 d^3) + p1 (d + 2 y^2) + 2 p2 x y

equidistant is the Kannala-Brandt model (A Generic Camera Model and Calibration Method for
Conventional, Wide-Angle, and Fish-Eye Lenses, IEEE PAMI 28(8), 2006): the angle theta becomes
theta (1 + k1 theta^2 + k2 theta^4 + k3 theta^6 + k4 theta^8), for a pinhole and a fisheye alike,
but the field of view of a pinhole is limited to angles below 90 degrees. Pixels are those of
OpenCV: the center of the first one is (0, 0), u points right and v down.
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

# Between the axes of OpenGL and those of OpenCV: a rotation by 180 degrees about x.
HALF_TURN = np.array((1.0, -1.0, -1.0))
# Maximum number of Newton steps for the Brown-Conrady model.
MAX_STEPS = 50
# Accuracy of directions [focal lengths]; a pixel is about 1e-4.
ACCURACY = 1e-10


class CalibratedCamera:
    """
    A calibrated camera: projection to its image, and back.

    Numbers that are too large for the formulas give NaN, without a warning.

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
        self._is_equidistant = spec.distortion is Distortion.EQUIDISTANT
        self._axes = HALF_TURN if spec.convention is CameraConvention.OPENGL else np.ones(3)
        self._focal, self._center = np.array(spec.focal), np.array(spec.center)
        if self._is_equidistant:
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
        """Pose of the optical frame in base_link: x right, y down, z forward (REP 103)."""
        pose = self.spec.pose
        return Transform(pose.rotation * self._axes, pose.translation, pose.covariance)

    @property
    def hidden_corners(self) -> int:
        """
        Number of image corners without a direction.

        Images of a fisheye have black corners; with equidistant distortion, the points half way
        between center and corners are counted instead.
        """
        corners = np.array([(u, v) for u in (0.0, 1.0) for v in (0.0, 1.0)])
        pixels = corners * (self.spec.width - 1, self.spec.height - 1)
        if self._is_equidistant:
            pixels = 0.5 * (pixels + self._center)
        return int(np.isnan(self.unproject(pixels)).any(axis=-1).sum())

    @np.errstate(all='ignore')
    def project(self, points: ArrayLike) -> Array:
        """
        Project points to the image.

        Parameters
        ----------
        points : array, shape (..., 3)
            In the axes of the camera's convention [m].

        Returns
        -------
        array, shape (..., 2)
            u, v [pixels], also outside of the image; NaN outside of the field of view.

        """
        directions = np.asarray(points, dtype=np.float64) * self._axes
        sideways, ahead = directions[..., :2], directions[..., 2]
        off = np.hypot(sideways[..., 0], sideways[..., 1])
        is_seen = (off > 0.0) | (ahead > 0.0)
        if self._is_pinhole:
            is_seen &= ahead > 0.0
        measure = off / ahead if self._measures_tangents else np.arctan2(off, ahead)
        is_seen &= measure <= self._radial.limit
        # Any scale is right on the axis.
        scale = np.where(off > 0.0, measure / off, 0.0)
        distorted = self._distort(sideways * np.where(is_seen, scale, np.nan)[..., None])
        return np.asarray(distorted * self._focal + self._center)

    @np.errstate(all='ignore')
    def unproject(self, pixels: ArrayLike) -> Array:
        """
        Return the directions of pixels.

        Parameters
        ----------
        pixels : array, shape (..., 2)
            u, v [pixels].

        Returns
        -------
        array, shape (..., 3)
            Unit vectors in the axes of the camera's convention; NaN if there is no direction.

        """
        distorted = (np.asarray(pixels, dtype=np.float64) - self._center) / self._focal
        plane = self._undistort(distorted)
        measure = np.hypot(plane[..., 0], plane[..., 1])
        angle = np.arctan(measure) if self._measures_tangents else measure
        scale = np.where(measure > 0.0, np.sin(angle) / measure, 1.0)
        directions = np.concatenate((plane * scale[..., None], np.cos(angle)[..., None]), axis=-1)
        return np.asarray(directions * self._axes)

    @property
    def _measures_tangents(self) -> bool:
        """Whether distances in the undistorted plane are tangents of angles, not angles."""
        return self._is_pinhole and not self._is_equidistant

    def _distort(self, plane: Array) -> Array:
        """Distort points of the plane, shape (..., 2)."""
        x, y = plane[..., 0], plane[..., 1]
        p1, p2 = self._tangential
        squared = x * x + y * y
        distorted = plane * self._radial.factor(np.sqrt(squared))[..., None]
        distorted[..., 0] += 2.0 * p1 * x * y + p2 * (squared + 2.0 * x * x)
        distorted[..., 1] += p1 * (squared + 2.0 * y * y) + 2.0 * p2 * x * y
        return distorted

    def _undistort(self, distorted: Array) -> Array:
        """Remove the distortion from points, shape (..., 2); NaN if there is no solution."""
        reached = np.hypot(distorted[..., 0], distorted[..., 1])
        # With p1 and p2, points at the rim may originate from slightly outside.
        within = np.minimum(reached, self._radial.reach) if any(self._tangential) else reached
        scale = np.where(reached > 0.0, self._radial.solve(within) / reached, 1.0)
        plane = distorted * scale[..., None]
        return self._refine(plane, distorted) if any(self._tangential) else plane

    def _refine(self, plane: Array, distorted: Array) -> Array:
        """Refine points of the plane by Newton's method; NaN if it does not converge."""
        for _ in range(MAX_STEPS):
            missing = distorted - self._distort(plane)
            if not (np.abs(missing) > ACCURACY).any():
                break
            plane = plane + self._step(plane, missing)
        exact = (np.abs(distorted - self._distort(plane)) <= ACCURACY).all(axis=-1)
        known = exact & (np.hypot(plane[..., 0], plane[..., 1]) <= self._radial.limit)
        return np.where(known[..., None], plane, np.nan)

    def _step(self, plane: Array, missing: Array) -> Array:
        """Solve J step = missing with the Jacobian of `_distort`, which is symmetric."""
        x, y = plane[..., 0], plane[..., 1]
        p1, p2 = self._tangential
        r = np.hypot(x, y)
        factor = self._radial.factor(r)
        # d factor / dx is x times this rate, and y likewise; on the axis the product is 0.
        rate = np.where(r > 0.0, (self._radial.slope(r) - factor) / np.square(r), 0.0)
        xx = factor + x * x * rate + 2.0 * p1 * y + 6.0 * p2 * x
        yy = factor + y * y * rate + 6.0 * p1 * y + 2.0 * p2 * x
        xy = x * y * rate + 2.0 * p1 * x + 2.0 * p2 * y
        determinant = xx * yy - xy * xy
        u, v = missing[..., 0], missing[..., 1]
        step = np.stack((yy * u - xy * v, xx * v - xy * u), axis=-1)
        return np.asarray(step / determinant[..., None])
