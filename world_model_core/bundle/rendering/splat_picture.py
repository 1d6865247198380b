# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Renderer of Gaussians.

Each Gaussian is projected to an ellipse, linearized at its center, and blended over those behind
it (Zwicker et al., EWA Splatting, 2002; Kerbl et al., 3D Gaussian Splatting, 2023).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.bundle.splats.splats import SH_BAND_0
from world_model_core.frames import rotation_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.bundle.splats.splats import Splats
    from world_model_core.gaussian import Array

# Factor of the spherical harmonics of degree 1, sqrt(3 / (4 pi)).
SH_BAND_1 = 0.4886025119029199
# Variance added to each ellipse [pixels^2], so that none falls between two pixels.
BLUR = 0.3
# Extent of a drawn ellipse [standard deviations].
EXTENT = 3.0
# Minimum distance of a drawn Gaussian [m], and maximum size as a fraction of the picture.
NEAREST, LARGEST = 0.2, 0.5


@dataclass(frozen=True, slots=True)
class PictureCamera:
    """
    Camera of a picture.

    Attributes
    ----------
    eye, target : tuple of float
        Position of the camera, and a point on its axis, in the map [m]; up is z.
    width, height : int
        [pixels]
    field : float
        Horizontal field of view [rad].

    """

    eye: tuple[float, float, float]
    target: tuple[float, float, float]
    width: int
    height: int
    field: float

    @property
    def axes(self) -> Array:
        """Axes right, down and forward, as rows, shape (3, 3)."""
        forward = np.subtract(self.target, self.eye)
        forward = forward / np.linalg.norm(forward)
        right = np.cross(forward, (0.0, 0.0, 1.0))
        right /= np.linalg.norm(right)
        return np.stack((right, np.cross(forward, right), forward))

    @property
    def focal(self) -> float:
        """Focal length [pixels]."""
        return float(self.width / 2.0 / np.tan(self.field / 2.0))


@dataclass(frozen=True, slots=True, eq=False)
class ProjectedGaussians:
    """
    Gaussians projected to a picture, the farthest first.

    Attributes
    ----------
    centers : array, shape (n, 2)
        [pixels]
    covariances : array, shape (n, 2, 2)
        [pixels^2]
    opacities : array, shape (n,)
    colors : array, shape (n, 3)
    """

    centers: Array
    covariances: Array
    opacities: Array
    colors: Array


def draw_splats(splats: Splats, view: PictureCamera, sky: Array) -> NDArray[np.uint8]:
    """
    Render splats.

    Parameters
    ----------
    splats : Splats
    view : PictureCamera
    sky : array, shape (2, 3)
        Background colors, 0 to 1, at the top and the bottom of the picture.

    Returns
    -------
    array of uint8, shape (height, width, 3)

    """
    axes = rotation_of(splats.quaternions)
    spread = axes * splats.sizes[:, None, :].astype(np.float64)
    positions = splats.positions.astype(np.float64)
    opacities = splats.alphas.astype(np.float64)
    colors = view_colors(splats, view)
    ellipses = project(view, positions, spread @ spread.swapaxes(1, 2), opacities, colors)
    blend = np.linspace(0.0, 1.0, view.height)[:, None, None]
    background = np.broadcast_to(sky[0] + blend * (sky[1] - sky[0]), (view.height, view.width, 3))
    return paint_over(background, ellipses)


def view_colors(splats: Splats, view: PictureCamera) -> Array:
    """Return the colors for a view, shape (n, 3), from harmonics of degree 0 and 1."""
    colors = 0.5 + SH_BAND_0 * splats.sh_dc.astype(np.float64)
    if splats.sh_degree > 0:
        towards = splats.positions - np.array(view.eye)
        x, y, z = (SH_BAND_1 * towards / np.linalg.norm(towards, axis=1, keepdims=True)).T
        bands = np.stack((-y, z, -x), axis=1)
        colors += np.einsum('nb,nbc->nc', bands, splats.sh_rest[:, :3])
    return np.clip(colors, 0.0, 1.0)


def project(
    view: PictureCamera, positions: Array, covariances: Array, opacities: Array, colors: Array
) -> ProjectedGaussians:
    """Project Gaussians: positions (n, 3) [m], covariances (n, 3, 3) [m^2], opacities, colors."""
    in_camera = (positions - np.array(view.eye)) @ view.axes.T
    shown = np.flatnonzero(in_camera[:, 2] > NEAREST)
    order = shown[np.argsort(-in_camera[shown, 2])]
    x, y, z = in_camera[order].T
    jacobian = np.zeros((len(order), 2, 3))
    jacobian[:, 0, 0] = jacobian[:, 1, 1] = view.focal / z
    jacobian[:, 0, 2], jacobian[:, 1, 2] = -view.focal * x / z**2, -view.focal * y / z**2
    jacobian = jacobian @ view.axes
    flat = jacobian @ covariances[order] @ jacobian.swapaxes(1, 2) + BLUR * np.eye(2)
    middle = np.array((view.width, view.height)) / 2.0
    centers = middle + view.focal * np.column_stack((x, y)) / z[:, None]
    return ProjectedGaussians(centers, flat, opacities[order], colors[order])


def paint_over(picture: Array, ellipses: ProjectedGaussians) -> NDArray[np.uint8]:
    """Blend ellipses over a picture, shape (height, width, 3), 0 to 1; return it as bytes."""
    canvas = picture.astype(np.float32)
    height, width = canvas.shape[:2]
    extent = EXTENT * np.sqrt(np.diagonal(ellipses.covariances, axis1=1, axis2=2))
    low = np.maximum(np.ceil(ellipses.centers - extent - 0.5), 0).astype(int)
    high = np.floor(ellipses.centers + extent - 0.5).astype(int) + 1
    high = np.minimum(high, (width, height))
    drawn = (low < high).all(axis=1) & (extent < LARGEST * width).all(axis=1)
    precisions = np.linalg.inv(ellipses.covariances).astype(np.float32)
    columns, rows = np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32)
    for index in np.flatnonzero(drawn):
        (left, top), (right, bottom) = low[index], high[index]
        x = columns[left:right] + np.float32(0.5 - ellipses.centers[index, 0])
        y = rows[top:bottom, None] + np.float32(0.5 - ellipses.centers[index, 1])
        (a, b), (_, c) = precisions[index]
        density = np.exp(-0.5 * (a * x * x + c * y * y) - b * x * y)
        cover = (np.float32(ellipses.opacities[index]) * density)[:, :, None]
        patch = canvas[top:bottom, left:right]
        patch += cover * (ellipses.colors[index].astype(np.float32) - patch)
    return np.asarray(np.clip(canvas * 255.0 + 0.5, 0, 255).astype(np.uint8))
