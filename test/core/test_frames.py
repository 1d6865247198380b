# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Rigid transforms: inversion, composition, and covariances of transformed points."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from world_model_core.frames import (
    FrameError,
    Transform,
    compose,
    heading_of,
    inverse,
    is_covariance,
    pose_transform,
    quaternion_of,
    rotation_about_z,
    rotation_of,
    transform_covariances,
    transform_points,
    yaw_of,
)

SEEDS = st.integers(0, 2**32 - 1)
# Standard deviations of a well localized robot: 5 cm and a degree.
SIGMAS = np.array((0.05, 0.05, 0.05, 0.02, 0.02, 0.02))
SAMPLES = 40_000


def spread(random, size, sigmas):
    """Make a covariance of correlated errors of about the size of `sigmas`."""
    root = random.normal(size=(size, size)) * sigmas[:, None] / math.sqrt(size)
    return root @ root.T


def any_transform(random, *, sure=False):
    """Draw a pose anywhere in a house, with the covariance of a robot's."""
    covariance = None if sure else spread(random, 6, SIGMAS)
    return pose_transform(random.uniform(-9, 9, 3), random.normal(size=4), covariance)


def sampled(transform, random):
    """Sample transforms from the covariance: rotation errors on the left, translations added."""
    drawn = random.multivariate_normal(np.zeros(6), transform.covariance, SAMPLES)
    turns = Rotation.from_rotvec(drawn[:, 3:]).as_matrix()
    return turns @ transform.rotation, transform.translation + drawn[:, :3]


def errors_of(rotations, translations, mean):
    """Express transforms as errors from the mean: translations, and rotations on the left."""
    turns = Rotation.from_matrix(rotations @ mean.rotation.T).as_rotvec()
    return np.hstack((translations - mean.translation, turns))


def assert_close(found, expected):
    """Check that covariances agree up to second order and sampling: 5 % of the largest entry."""
    np.testing.assert_allclose(found, expected, atol=0.05 * np.abs(expected).max())


@given(SEEDS)
def test_the_inverse_undoes_a_transform(seed):
    """The inverse undoes a transform, for points and covariances of an exact pose."""
    random = np.random.default_rng(seed)
    a2b = any_transform(random, sure=True)
    points, covariances = random.normal(size=(5, 3)), np.array([spread(random, 3, SIGMAS[:3])] * 5)
    there = transform_points(a2b, points)
    np.testing.assert_allclose(transform_points(inverse(a2b), there), points, atol=1e-12)
    turned = transform_covariances(a2b, points, covariances)
    back = transform_covariances(inverse(a2b), there, turned)
    np.testing.assert_allclose(back, covariances, atol=1e-12)


@given(SEEDS)
def test_the_inverse_of_the_inverse_is_the_transform(seed):
    """Its covariance too, since the Jacobians are inverse to each other."""
    a2b = any_transform(np.random.default_rng(seed))
    again = inverse(inverse(a2b))
    np.testing.assert_allclose(again.rotation, a2b.rotation, atol=1e-12)
    np.testing.assert_allclose(again.translation, a2b.translation, atol=1e-12)
    np.testing.assert_allclose(again.covariance, a2b.covariance, atol=1e-12)


@given(SEEDS)
def test_composing_equals_successive_transforms(seed):
    """Points and their covariances must be the same by the composed transform."""
    random = np.random.default_rng(seed)
    a2b, b2c = any_transform(random), any_transform(random)
    points, covariances = random.normal(size=(4, 3)), np.array([spread(random, 3, SIGMAS[:3])] * 4)
    a2c = compose(a2b, b2c)
    points_b = transform_points(a2b, points)
    np.testing.assert_allclose(
        transform_points(a2c, points), transform_points(b2c, points_b), atol=1e-12
    )
    stepwise = transform_covariances(
        b2c, points_b, transform_covariances(a2b, points, covariances)
    )
    found = transform_covariances(a2c, points, covariances)
    np.testing.assert_allclose(found, stepwise, atol=1e-10)


@given(SEEDS)
def test_composing_is_associative(seed):
    """(a2b b2c) c2d equals a2b (b2c c2d), covariances included."""
    random = np.random.default_rng(seed)
    a2b, b2c, c2d = (any_transform(random) for _ in range(3))
    left, right = compose(compose(a2b, b2c), c2d), compose(a2b, compose(b2c, c2d))
    np.testing.assert_allclose(left.translation, right.translation, atol=1e-12)
    np.testing.assert_allclose(left.covariance, right.covariance, atol=1e-10)


@given(SEEDS)
def test_covariances_stay_covariances(seed):
    """After any operation they are symmetric and positive semi-definite, with the same shape."""
    random = np.random.default_rng(seed)
    a2b = any_transform(random)
    points = random.uniform(-9, 9, (3, 2, 3))
    covariances = transform_covariances(a2b, points, np.zeros((3, 2, 3, 3)))
    assert covariances.shape == (3, 2, 3, 3)
    assert is_covariance(covariances).all()
    assert is_covariance(inverse(a2b).covariance)
    assert is_covariance(compose(a2b, a2b).covariance)
    sure = spread(random, 3, SIGMAS[:3])
    turned = transform_covariances(Transform(a2b.rotation, a2b.translation), points[0, 0], sure)
    np.testing.assert_allclose(np.linalg.eigvalsh(turned), np.linalg.eigvalsh(sure), atol=1e-12)


@pytest.mark.parametrize('seed', range(3))
def test_first_order_agrees_with_sampling(seed):
    """Points, the composed and the inverse transform must have the covariance of the formulas."""
    random = np.random.default_rng(seed)
    a2b, b2c = any_transform(random), any_transform(random)
    point, covariance = random.uniform(-4, 4, 3), spread(random, 3, SIGMAS[:3])
    first, second = sampled(a2b, random), sampled(b2c, random)
    points = random.multivariate_normal(point, covariance, SAMPLES)
    moved = np.einsum('nij,nj->ni', first[0], points) + first[1]
    assert_close(np.cov(moved.T), transform_covariances(a2b, point, covariance))
    a2c = compose(a2b, b2c)
    places = np.einsum('nij,nj->ni', second[0], first[1]) + second[1]
    assert_close(np.cov(errors_of(second[0] @ first[0], places, a2c).T), a2c.covariance)
    b2a = inverse(a2b)
    backs = first[0].swapaxes(1, 2)
    origins = -np.einsum('nij,nj->ni', backs, first[1])
    assert_close(np.cov(errors_of(backs, origins, b2a).T), b2a.covariance)


def test_an_uncertain_heading_moves_distant_points_sideways():
    """A degree at 10 m ahead is 17 cm to the side and nothing ahead: the textbook case."""
    sigma = math.radians(1.0)
    pose = Transform(np.eye(3), np.zeros(3), np.diag((0, 0, 0, 0, 0, sigma**2)))
    found = transform_covariances(pose, np.array((10.0, 0.0, 0.0)), np.zeros((3, 3)))
    np.testing.assert_allclose(found, np.diag((0.0, (10.0 * sigma) ** 2, 0.0)), atol=1e-15)


def test_the_rotation_error_is_on_the_left():
    """The covariance is of rotations about the axes of frame b, as in geometry_msgs."""
    quarter = rotation_about_z(math.pi / 2)
    rolls = Transform(quarter, np.zeros(3), np.diag((0, 0, 0, 1e-4, 0, 0)))
    # p_a along x is along y in b; a rotation about b's x axis lifts it.
    found = transform_covariances(rolls, np.array((2.0, 0.0, 0.0)), np.zeros((3, 3)))
    np.testing.assert_allclose(found, np.diag((0.0, 0.0, 4e-4)), atol=1e-15)


@given(SEEDS)
def test_quaternions_and_matrices_agree(seed):
    """Conversion in both directions is exact, for any length and leading axis."""
    random = np.random.default_rng(seed)
    quaternions = random.normal(size=(2, 3, 4))
    matrices = rotation_of(quaternions)
    assert matrices.shape == (2, 3, 3, 3)
    np.testing.assert_allclose(
        matrices @ matrices.swapaxes(-1, -2),
        np.broadcast_to(np.eye(3), matrices.shape),
        atol=1e-12,
    )
    again = quaternion_of(matrices)
    assert (again[..., 3] >= 0.0).all()
    np.testing.assert_allclose(rotation_of(again), matrices, atol=1e-12)


@given(st.floats(-math.pi, math.pi))
def test_headings_are_rotations_about_z(heading):
    """The heading of a rotation about z is its angle, and its quaternion has half of it."""
    rotation = rotation_about_z(heading)
    assert math.remainder(heading_of(rotation) - heading, math.tau) == pytest.approx(0, abs=1e-12)
    half = (0.0, 0.0, math.sin(heading / 2), math.cos(heading / 2))
    np.testing.assert_allclose(rotation_of(half), rotation, atol=1e-12)


@given(st.lists(st.floats(-2.0, 2.0), min_size=4, max_size=4))
def test_the_yaw_of_a_quaternion_is_the_heading_of_its_rotation(quaternion):
    """Of any length and tilt, unless the x axis is upright."""
    assume(np.linalg.norm(quaternion) > 0.1)
    rotation = rotation_of(quaternion)
    assume(np.hypot(*rotation[:2, 0]) > 1e-3)
    off = math.remainder(yaw_of(quaternion) - heading_of(rotation), math.tau)
    assert off == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ('position', 'quaternion', 'covariance', 'complaint'),
    [
        ((math.nan, 0, 0), (0, 0, 0, 1), None, 'position is .nan'),
        ((0, 0, 0), (0, 0, 0, 0), None, 'quaternion is .* not zero'),
        ((0, 0, 0), (0, 0, math.inf, 1), None, 'quaternion is'),
        ((0, 0, 0), (0, 0, 0, 1), -np.eye(6), 'covariance is .* semi-definite'),
        ((0, 0, 0), (0, 0, 0, 1), np.triu(np.ones((6, 6))), 'symmetric'),
        ((0, 0, 0), (0, 0, 0, 1), np.full(36, math.nan), 'finite'),
    ],
)
def test_numbers_that_are_not_a_pose_are_rejected(position, quaternion, covariance, complaint):
    """The error must name the field, the value and the rule."""
    with pytest.raises(FrameError, match=complaint):
        pose_transform(position, quaternion, covariance)


@pytest.mark.parametrize(
    ('matrix', 'sound'),
    [
        (np.zeros((3, 3)), True),
        (np.ones((3, 3)), True),
        (1e300 * np.eye(3), True),
        (np.eye(3) + 1e-9 * np.triu(np.ones((3, 3))), True),
        (np.diag((1.0, 1.0, -1e-3)), False),
        (np.array(((1.0, 2.0, 0.0), (2.0, 1.0, 0.0), (0.0, 0.0, 1.0))), False),
        (np.diag((1.0, math.inf, 1.0)), False),
    ],
)
def test_covariances_are_distinguished_from_other_matrices(matrix, sound):
    """Zero is valid, rounding errors are accepted, and nothing overflows."""
    assert is_covariance(matrix) == sound
    assert is_covariance(np.stack((matrix, np.eye(3)))).tolist() == [sound, True]


def test_no_rotations_are_converted_to_none():
    """An empty array must keep its leading axes in both directions."""
    assert rotation_of(np.empty((0, 4))).shape == (0, 3, 3)
    assert quaternion_of(np.empty((2, 0, 3, 3))).shape == (2, 0, 4)
