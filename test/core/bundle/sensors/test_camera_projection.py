# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Camera models: closed forms where there are any, and round trips elsewhere."""

import dataclasses
import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.bundle.sensors.camera_projection import CalibratedCamera
from world_model_core.bundle.sensors.radial_distortion import RadialPolynomial
from world_model_core.bundle.values import (
    CameraConvention,
    CameraModel,
    CameraSpec,
    Distortion,
)
from world_model_core.frames import pose_transform, transform_points

AHEAD = (-0.5, 0.5, -0.5, 0.5)
# Of a car's camera, and of a fisheye (similar to Kalibr's examples).
RADTAN = (-0.28, 0.07, 0.0002, -0.0003)
EQUIDISTANT = (-0.012, 0.02, -0.013, 0.002)


def camera(
    model=CameraModel.PINHOLE,
    distortion=Distortion.RADTAN,
    coefficients=(0.0, 0.0, 0.0, 0.0),
    convention=CameraConvention.OPENCV,
    quaternion=AHEAD,
):
    """Make a camera of 1280 x 960 pixels."""
    pose = pose_transform((2.0, 0.0, 1.5), quaternion)
    size, focal, center = (1280, 960), (700.0, 710.0), (640.5, 470.0)
    spec = CameraSpec(
        'camera', *size, convention, model, focal, center, distortion, coefficients, pose, 10.0
    )
    return CalibratedCamera(spec)


LENSES = [
    (CameraModel.PINHOLE, Distortion.RADTAN, RADTAN),
    (CameraModel.PINHOLE, Distortion.RADTAN, (*RADTAN, 0.01)),
    (CameraModel.PINHOLE, Distortion.EQUIDISTANT, EQUIDISTANT),
    (CameraModel.FISHEYE, Distortion.EQUIDISTANT, EQUIDISTANT),
    (CameraModel.FISHEYE, Distortion.RADTAN, (0.01, -0.001, 0.0001, 0.0002)),
]
ALL = list(itertools.product(LENSES, CameraConvention))


def grid(step=40):
    """Return pixels all over an image, shape (n, 2)."""
    u, v = np.meshgrid(np.arange(0, 1280, step), np.arange(0, 960, step))
    return np.column_stack((u.ravel(), v.ravel())).astype(float)


def test_a_pinhole_divides_by_the_distance():
    """U = fx x / z + cx, v = fy y / z + cy."""
    points = np.array([(0.0, 0.0, 1.0), (1.0, -2.0, 4.0)])
    expected = [(640.5, 470.0), (700.0 / 4 + 640.5, -710.0 / 2 + 470.0)]
    np.testing.assert_allclose(camera().project(points), expected)


def test_a_fisheye_measures_angles():
    """The distance from the center is focal length x angle, also beyond 90 degrees."""
    lens = camera(CameraModel.FISHEYE, Distortion.EQUIDISTANT)
    angles = np.radians((0.0, 30.0, 90.0, 120.0))
    points = np.column_stack((np.sin(angles), np.zeros(4), np.cos(angles))) * 5.0
    np.testing.assert_allclose(lens.project(points)[:, 0], 640.5 + 700.0 * angles)
    np.testing.assert_allclose(lens.project(points)[:, 1], 470.0)


def test_brown_and_conrady_by_the_formula():
    """One point, computed by the formula of OpenCV's documentation, step by step."""
    k1, k2, p1, p2 = RADTAN
    x, y = 0.3, -0.2
    r2 = x * x + y * y
    radial = 1 + k1 * r2 + k2 * r2 * r2
    u = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
    v = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
    pixel = camera(coefficients=RADTAN).project((3.0 * x, 3.0 * y, 3.0))
    np.testing.assert_allclose(pixel, (700.0 * u + 640.5, 710.0 * v + 470.0))


def test_kannala_and_brandt_by_the_formula():
    """One point, computed by the formula of OpenCV's fisheye, for both model names."""
    x, y, z = 1.0, 0.5, 0.8
    r = math.hypot(x, y)
    theta = math.atan2(r, z)
    k1, k2, k3, k4 = EQUIDISTANT
    bent = theta * (1 + k1 * theta**2 + k2 * theta**4 + k3 * theta**6 + k4 * theta**8)
    expected = (700.0 * bent * x / r + 640.5, 710.0 * bent * y / r + 470.0)
    for model in CameraModel:
        lens = camera(model, Distortion.EQUIDISTANT, EQUIDISTANT)
        np.testing.assert_allclose(lens.project((x, y, z)), expected)


@pytest.mark.parametrize(('lens', 'convention'), ALL)
def test_pixels_survive_a_round_trip(lens, convention):
    """Every pixel has a direction of length 1, whose points project to that pixel."""
    tried = camera(*lens, convention)
    directions = tried.unproject(grid())
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1.0, atol=1e-12)
    back = tried.project(directions * np.linspace(0.1, 100.0, len(directions))[:, None])
    np.testing.assert_allclose(back, grid(), atol=1e-6)


@pytest.mark.parametrize(('lens', 'convention'), ALL)
def test_small_steps_are_smooth(lens, convention):
    """Half steps add up to a step: no jump, as from a wrong branch of an inverse."""
    tried = camera(*lens, convention)
    pixels = grid(80)
    step = np.array((0.1, 0.05))
    whole = tried.unproject(pixels + 2.0 * step) - tried.unproject(pixels)
    half = tried.unproject(pixels + step) - tried.unproject(pixels)
    np.testing.assert_allclose(whole, 2.0 * half, atol=1e-6)


@pytest.mark.parametrize('lens', LENSES)
def test_conventions_differ_by_half_a_turn(lens):
    """The contract's "ros" has y up and z back: y and z of a point change their signs."""
    opencv, opengl = (camera(*lens, convention) for convention in CameraConvention)
    point = np.array((0.4, -0.2, 2.0))
    np.testing.assert_array_equal(opencv.project(point), opengl.project(point * (1.0, -1.0, -1.0)))
    turned = opencv.unproject(grid()) * (1.0, -1.0, -1.0)
    np.testing.assert_array_equal(opengl.unproject(grid()), turned)


@pytest.mark.parametrize('convention', CameraConvention)
def test_the_optical_frame_is_that_of_rep_103(convention):
    """In any convention a camera points along z of its optical frame, ahead of the robot."""
    # OpenGL's axes of the same camera: half a turn about x, from the right.
    quaternion = AHEAD if convention is CameraConvention.OPENCV else (0.5, -0.5, -0.5, 0.5)
    tried = camera(convention=convention, quaternion=quaternion)
    np.testing.assert_allclose(
        tried.optical_pose.rotation, [(0, 0, 1), (-1, 0, 0), (0, -1, 0)], atol=1e-12
    )
    # A point ahead, left of and above the camera is in the upper left of the image.
    point = transform_points(tried.spec.pose, tried.unproject((100.0, 100.0)))
    assert point[0] > 2.0
    assert point[1] > 0.0
    assert point[2] > 1.5


def test_points_outside_of_the_lens_have_no_pixel():
    """Behind a pinhole, and at the camera itself, there is no pixel."""
    for lens in LENSES[:3]:
        tried = camera(*lens)
        points = [(0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1.0, 1.0, -1e-9)]
        assert np.isnan(tried.project([*points, (math.nan, 0.0, 1.0)])).all()


def test_a_lens_that_folds_shows_nothing_twice():
    """Beyond the angle where the distortion folds back there is no pixel."""
    tried = camera(coefficients=(-0.5, 0.0, 0.0, 0.0))
    # 1 - 1.5 r^2 is zero at r = 0.816, which is put at 0.544.
    x = math.sqrt(1.0 / 1.5)
    detected = tried.project([(0.99 * x, 0.0, 1.0), (1.01 * x, 0.0, 1.0), (2.0, 0.0, 1.0)])
    assert np.isfinite(detected[0]).all()
    assert np.isnan(detected[1:]).all()
    assert np.isnan(tried.unproject((640.5 + 700.0 * 0.55, 470.0))).all()
    assert tried.hidden_corners == 4
    assert camera(coefficients=RADTAN).hidden_corners == 0


def test_any_number_of_points_is_projected_at_once():
    """Shapes are kept, also for one point and for none."""
    tried = camera(coefficients=RADTAN)
    for shape in ((), (0,), (5,), (3, 4)):
        assert tried.project(np.ones((*shape, 3))).shape == (*shape, 2)
        assert tried.unproject(np.full((*shape, 2), 300.0)).shape == (*shape, 3)


COEFFICIENT = st.floats(-1e4, 1e4)


@given(
    coefficients=st.lists(COEFFICIENT, min_size=4, max_size=4),
    points=st.lists(st.tuples(*[st.floats(-1e9, 1e9)] * 3), max_size=8),
    lens=st.tuples(st.sampled_from(CameraModel), st.sampled_from(Distortion)),
)
def test_any_coefficients_are_consistent(coefficients, points, lens):
    """For any coefficients, a pixel with a direction is the projection of that direction."""
    tried = camera(*lens, tuple(coefficients))
    tried.project(np.array(points).reshape(-1, 3))
    pixels = grid(160)
    directions = tried.unproject(pixels)
    known = np.isfinite(directions).all(axis=1)
    back = tried.project(directions[known])
    detected = np.isfinite(back).all(axis=1)
    np.testing.assert_allclose(back[detected], pixels[known][detected], atol=1e-3)


@given(
    coefficients=st.lists(st.floats(-0.5, 0.5), max_size=4),
    largest=st.sampled_from([math.pi / 2, math.pi, math.inf]),
    shares=st.lists(st.floats(0.0, 0.999), min_size=1, max_size=9),
)
def test_the_radius_increases_up_to_its_limit(coefficients, largest, shares):
    """Up to the limit each image radius belongs to exactly one t, which is recovered."""
    polynomial = RadialPolynomial(tuple(coefficients), largest)
    t = np.sort(shares) * min(polynomial.limit, 5.0)
    reached = t * polynomial.factor(t)
    assert (polynomial.slope(t) >= -1e-9).all()
    assert (np.diff(reached) >= 0.0).all()
    solved = polynomial.solve(reached)
    np.testing.assert_allclose(solved * polynomial.factor(solved), reached, atol=1e-12)


def test_slopes_are_those_of_small_steps():
    """The derivative agrees with finite differences."""
    polynomial = RadialPolynomial(EQUIDISTANT, math.pi)
    t, step = np.linspace(0.0, 1.5, 20), 1e-6
    above, below = ((t + side) * polynomial.factor(t + side) for side in (step, -step))
    np.testing.assert_allclose(polynomial.slope(t), (above - below) / (2.0 * step), atol=1e-8)


def test_radii_beyond_the_limit_have_no_solution():
    """No solution is beyond the limit."""
    polynomial = RadialPolynomial((-0.5,), math.inf)
    assert np.isnan(polynomial.solve(np.array((0.55, 1.0, 1e300)))).all()
    assert polynomial.solve(np.array(())).shape == (0,)


def test_poses_do_not_depend_on_the_lens():
    """The optical pose of a camera is its own position."""
    tried = camera()
    moved = dataclasses.replace(tried.spec, pose=pose_transform((1.0, 2.0, 3.0), AHEAD))
    np.testing.assert_array_equal(
        CalibratedCamera(moved).optical_pose.translation, (1.0, 2.0, 3.0)
    )
