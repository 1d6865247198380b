# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Images of Gaussians, compared with values computed by hand."""

import numpy as np
import pytest

from world_model_core.bundle.rendering.splat_picture import (
    BLUR,
    PictureCamera,
    draw_splats,
    project,
)
from world_model_core.bundle.splats.quaternion_order import QuaternionOrder
from world_model_core.bundle.splats.splat_conventions import (
    OpacityEncoding,
    ResolvedConventions,
    ScaleEncoding,
)
from world_model_core.bundle.splats.splats import SH_BAND_0, Splats

LINEAR = ResolvedConventions(QuaternionOrder.XYZW, ScaleEncoding.LINEAR, OpacityEncoding.LINEAR)
# Looks along +y from the origin: right is +x, down is -z; one pixel is 1/50 at distance 1.
VIEW = PictureCamera((0.0, 0.0, 0.0), (0.0, 1.0, 0.0), 100, 80, 2.0 * np.arctan(1.0).item())
BLACK = np.zeros((2, 3))
RED, BLUE = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)


def splats(positions, colors, sizes, rest=None, opacity=0.999):
    """Make round Gaussians."""
    count = len(positions)
    bands = np.zeros((count, 0, 3)) if rest is None else np.asarray(rest)
    arrays = (
        positions,
        np.repeat(np.reshape(sizes, (-1, 1)), 3, axis=1),
        np.tile((0.0, 0.0, 0.0, 1.0), (count, 1)),
        np.full((count, 1), opacity),
        (np.asarray(colors) - 0.5) / SH_BAND_0,
        bands,
    )
    return Splats(*(np.ascontiguousarray(each, dtype=np.float32) for each in arrays), LINEAR)


def center_of(picture, channel):
    """Return the center of the colored pixels, in pixels from the upper left corner."""
    weights = picture[:, :, channel].astype(float)
    rows, columns = np.indices(weights.shape) + 0.5
    return (columns * weights).sum() / weights.sum(), (rows * weights).sum() / weights.sum()


@pytest.mark.parametrize(('x', 'z'), [(0.0, 0.0), (0.5, 0.0), (0.0, 0.4), (-0.6, -0.3)])
def test_a_gaussian_is_at_its_pinhole_projection(x, z):
    """Its center must be at the projection of its mean, right of and above the image center."""
    picture = draw_splats(splats([(x, 1.0, z)], [RED], [0.03]), VIEW, BLACK)
    assert center_of(picture, 0) == pytest.approx((50 + 50 * x, 40 - 50 * z), abs=0.1)


def test_the_width_of_a_gaussian_follows_its_distance():
    """Its standard deviation must be focal length / distance in pixels, plus the blur."""
    covariance = np.diag((0.04, 0.01, 0.09))[None]
    ellipses = project(VIEW, np.array([(0.0, 2.0, 0.0)]), covariance, np.ones(1), np.ones((1, 3)))
    expected = np.diag((0.04, 0.09)) * (50.0 / 2.0) ** 2 + BLUR * np.eye(2)
    assert ellipses.covariances[0] == pytest.approx(expected)


def test_near_splats_hide_far_ones():
    """The order of the file must not matter."""
    near, far = (0.0, 1.0, 0.0), (0.0, 2.0, 0.0)
    for positions, colors in (([near, far], [RED, BLUE]), ([far, near], [BLUE, RED])):
        picture = draw_splats(splats(positions, colors, [0.2, 0.2]), VIEW, BLACK)
        assert picture[40, 50].tolist() == pytest.approx([255, 0, 0], abs=3)


def test_splats_behind_the_camera_are_not_drawn():
    """A Gaussian behind the camera must not change the sky."""
    picture = draw_splats(splats([(0.0, -1.0, 0.0)], [RED], [0.2]), VIEW, BLACK)
    assert not picture.any()


def test_transparent_splats_show_the_sky():
    """A Gaussian of opacity 0.5 over white must have half its color at its center."""
    thin = splats([(0.0, 1.0, 0.0)], [BLUE], [0.3], opacity=0.5)
    picture = draw_splats(thin, VIEW, np.ones((2, 3)))
    assert picture[40, 50].tolist() == pytest.approx([128, 128, 255], abs=2)


def test_harmonics_of_degree_1_depend_on_the_view():
    """A band along -y must be brighter for a view along +y, as in 3D Gaussian Splatting."""
    bands = np.zeros((1, 3, 3))
    bands[0, 0] = -0.3  # of -y
    shining = splats([(0.0, 1.0, 0.0)], [(0.5, 0.5, 0.5)], [0.2], bands)
    back = PictureCamera((0.0, 2.0, 0.0), (0.0, 1.0, 0.0), 100, 80, VIEW.field)
    bright, dark = (draw_splats(shining, view, BLACK)[40, 50, 0] for view in (VIEW, back))
    assert int(bright) - int(dark) == pytest.approx(2 * 0.3 * 0.4886 * 255, abs=3)
