# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Transformation of a detector's frame to the map: positions, covariances and boxes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from world_model_core.frames import (
    Transform,
    pose_transform,
    quaternion_of,
    rotation_about_z,
)
from world_model_core.objects.mapping.frame_history import NEAR_NS, PoseHistory
from world_model_core.objects.mapping.parameters import ObjectMapParameters
from world_model_core.objects.mapping.raw_detections import RawDetections, place, upright

ANGLES = st.floats(-3.0, 3.0)
# The axes of a camera (x right, y down, z forward) that looks along the map's x axis.
CAMERA = np.array(((0.0, 0.0, 1.0), (-1.0, 0.0, 0.0), (0.0, -1.0, 0.0)))
PARAMETERS = ObjectMapParameters()


def raw(count=1, **changes):
    """Build detections 2 m in front of a camera."""
    values = {
        'labels': ('chair',) * count,
        'colors': ('red',) * count,
        'scores': np.full(count, 0.9),
        'positions': np.tile((0.0, 0.0, 2.0), (count, 1)),
        'covariances': np.tile(np.diag((0.01, 0.02, 0.09)), (count, 1, 1)),
        'quaternions': np.tile((0.0, 0.0, 0.0, 1.0), (count, 1)),
        'sizes': np.tile((0.5, 0.9, 0.4), (count, 1)),
    }
    return RawDetections(**{**values, **changes})


@given(ANGLES)
def test_what_a_camera_sees_lies_ahead_of_it(heading):
    """Position and covariance are rotated into the map; a box has its vertical side as height."""
    turn = rotation_about_z(heading)
    camera2map = Transform(turn @ CAMERA, np.array((1.0, 2.0, 0.5)))
    seen, dropped = place(raw(), 7, camera2map, PARAMETERS)
    assert not dropped
    assert seen.stamp_ns == 7
    ahead = turn[:, 0]
    assert seen.positions[0] == pytest.approx(np.array((1.0, 2.0, 0.5)) + 2.0 * ahead)
    assert ahead @ seen.covariances[0] @ ahead == pytest.approx(0.09)
    assert seen.covariances[0][2, 2] == pytest.approx(0.02)
    assert seen.sizes[0] == pytest.approx((0.4, 0.5, 0.9))
    assert np.cos(seen.headings[0] - heading) == pytest.approx(1.0)


@given(ANGLES, ANGLES)
def test_headings_add_up(robot, thing):
    """With an upright sensor, a box keeps its sides, and rotates with the robot."""
    boxes = quaternion_of(rotation_about_z(thing))[None]
    sizes, headings = upright(boxes, np.array(((3.0, 2.0, 1.0),)), rotation_about_z(robot))
    assert sizes[0] == pytest.approx((3.0, 2.0, 1.0))
    assert np.cos(headings[0] - robot - thing) == pytest.approx(1.0)


@given(arrays(np.float64, 4, elements=st.floats(-1.0, 1.0)).filter(lambda q: q @ q > 0.1))
def test_a_box_keeps_its_sides(quaternion):
    """In any orientation, length, width and height are its sides in some order."""
    unit = quaternion[None] / np.linalg.norm(quaternion)
    sizes, headings = upright(unit, np.array(((3.0, 2.0, 1.0),)), np.eye(3))
    assert sorted(sizes[0]) == [1.0, 2.0, 3.0]
    assert np.isfinite(headings).all()


@pytest.mark.parametrize(
    ('quaternion', 'size', 'size_known', 'heading_known'),
    [
        ((0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0), True, True),
        ((0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 1.0), True, False),
        ((np.nan, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0), True, False),
        ((0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0), False, False),
    ],
)
def test_what_a_detector_does_not_tell_is_unknown(quaternion, size, size_known, heading_known):
    """A box without a size has no orientation, and neither has a zero quaternion."""
    sizes, headings = upright(np.array([quaternion]), np.array([size]), np.eye(3))
    assert bool(np.isfinite(sizes).all()) == size_known
    assert bool(np.isfinite(headings).all()) == heading_known


def test_an_unknown_covariance_gets_the_poses_own_added():
    """Zeros also mean unknown if the robot's own uncertainty is known."""
    unsure = Transform(np.eye(3), np.zeros(3), np.diag((0.5, 0.5, 0.5, 0.0, 0.0, 0.0)))
    unknown = raw(covariances=np.zeros((1, 3, 3)))
    exact, _ = place(unknown, 0, Transform(np.eye(3), np.zeros(3)), PARAMETERS)
    added, _ = place(unknown, 0, unsure, PARAMETERS)
    assert np.diag(exact.covariances[0]).min() > 0.0
    assert added.covariances[0] == pytest.approx(exact.covariances[0] + 0.5 * np.eye(3))


@pytest.mark.parametrize(
    'change',
    [
        {'positions': np.array(((0.0, np.nan, 2.0), (0.0, 0.0, 2.0)))},
        {'positions': np.array(((0.0, np.inf, 2.0), (0.0, 0.0, 2.0)))},
        {'covariances': np.array((np.triu(np.ones((3, 3))), np.eye(3) * 0.01))},
        {'covariances': np.array((np.diag((1.0, 1.0, -1.0)), np.eye(3) * 0.01))},
        {'covariances': np.array((np.full((3, 3), np.nan), np.eye(3) * 0.01))},
        {'labels': ('x' * 10_000, 'chair')},
    ],
)
def test_a_bad_detection_is_dropped_alone(change):
    """The cause is counted, and the valid detection next to it is used, at its own place."""
    seen, dropped = place(raw(2, **change), 0, Transform(CAMERA, np.zeros(3)), PARAMETERS)
    assert len(seen) == 1
    assert sum(dropped.values()) == 1
    assert seen.positions[0] == pytest.approx((2.0, 0.0, 0.0))


def test_a_frame_that_saw_nothing_is_one():
    """An empty frame gives no detections, with its stamp."""
    seen, dropped = place(raw(0), 5, Transform(CAMERA, np.zeros(3)), PARAMETERS)
    assert (len(seen), seen.stamp_ns, sum(dropped.values())) == (0, 5, 0)
    assert seen.positions.shape == (0, 3)


def unsure_pose(x=0.0, yaw_variance=0.0, variance=0.0):
    """Build a sensor's pose at (x, 0, 1), looking along x."""
    covariance = np.diag((variance, variance, 0.0, 0.0, 0.0, yaw_variance))
    return pose_transform((x, 0.0, 1.0), (0.0, 0.0, 0.0, 1.0), covariance)


def test_a_turn_of_the_robot_moves_far_objects_most():
    """The uncertainty of the robot's heading grows with the distance from the robot."""
    history = PoseHistory()
    history.add(10, unsure_pose(yaw_variance=0.01))
    camera2map = Transform(np.eye(3), np.array((0.5, 0.0, 1.0)))
    unsure = history.with_covariance(10, camera2map)
    assert unsure.rotation == pytest.approx(camera2map.rotation)
    assert unsure.translation == pytest.approx(camera2map.translation)
    far = raw(positions=np.array(((3.5, 0.0, 0.0),)), covariances=0.01 * np.eye(3)[None])
    seen, _ = place(far, 10, unsure, PARAMETERS)
    # 4 m from the rotating sensor, not 3.5 m from the camera on it.
    assert np.diag(seen.covariances[0]) == pytest.approx((0.01, 0.01 + 16.0 * 0.01, 0.01))


def test_the_estimate_nearest_in_time_counts():
    """The estimate nearest to the frame is used; none that is far from it."""
    history = PoseHistory()
    for step in range(5):
        history.add(step * NEAR_NS, unsure_pose(variance=float(step + 1)))
    exact = Transform(np.eye(3), np.zeros(3))
    found = history.with_covariance(2 * NEAR_NS + 1000, exact).covariance
    assert found[0, 0] == pytest.approx(3.0)
    assert history.with_covariance(6 * NEAR_NS, exact).covariance is None
    assert PoseHistory().with_covariance(0, exact) is exact


def test_a_clock_that_goes_back_begins_a_new_history():
    """Estimates of another time are not used."""
    history = PoseHistory()
    history.add(10 * NEAR_NS, unsure_pose(variance=1.0))
    history.add(0, unsure_pose(variance=2.0))
    exact = Transform(np.eye(3), np.zeros(3))
    assert history.with_covariance(0, exact).covariance[0, 0] == pytest.approx(2.0)
    assert history.with_covariance(10 * NEAR_NS, exact).covariance is None
