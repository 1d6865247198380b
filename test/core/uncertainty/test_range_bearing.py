# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Range, bearing and their derivatives."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.angles import wrap_angles
from world_model_core.uncertainty.input_checks import InputError
from world_model_core.uncertainty.range_bearing import observation_jacobian, observe_exactly

metres = st.floats(-100.0, 100.0)
poses = st.tuples(metres, metres, st.floats(-10.0, 10.0))
places = st.tuples(metres, metres)


@given(poses, places)
def test_range_and_bearing_locate_the_landmark(pose, place):
    """Going the range in the bearing's direction leads from the robot to the landmark."""
    distance, bearing = observe_exactly([pose], [place])[0, 0].tolist()
    x = pose[0] + distance * math.cos(pose[2] + bearing)
    y = pose[1] + distance * math.sin(pose[2] + bearing)
    assert (x, y) == pytest.approx(place, abs=1e-11 * 200)
    assert -math.pi <= bearing <= math.pi


@given(poses, places)
def test_the_jacobian_is_the_slope_of_h(pose, place):
    """Differences of h over a small change of the pose must agree with its Jacobian."""
    distance = math.dist(pose[:2], place)
    if distance < 1e-2:
        return
    step = 1e-6 * max(distance, 1.0)
    steps = step * np.eye(3)
    ahead = observe_exactly(np.array(pose) + steps, [place])[:, 0]
    behind = observe_exactly(np.array(pose) - steps, [place])[:, 0]
    difference = ahead - behind
    difference[:, 1] = wrap_angles(difference[:, 1])
    jacobian = observation_jacobian([pose], [place])[0, 0]
    assert difference.T / (2.0 * step) == pytest.approx(jacobian, rel=1e-4, abs=1e-4 / distance)


def test_a_landmark_at_the_robot_itself_has_a_range_but_no_slope():
    """Its range and bearing are 0 by definition; the Jacobian is rejected."""
    at = [[1.0, 2.0, 0.7]]
    assert observe_exactly(at, [[1.0, 2.0]]).tolist() == [[[0.0, 0.0]]]
    with pytest.raises(InputError, match=r'landmarks\[1\] is 0 m from poses\[0\]'):
        observation_jacobian(at, [[0.0, 0.0], [1.0, 2.0]])


@pytest.mark.parametrize(
    ('wrong_poses', 'wrong_landmarks', 'said'),
    [
        ([[0.0, 0.0, math.nan]], [[1.0, 1.0]], r'poses\[0\] are .*nan'),
        ([[0.0, 0.0, 0.0]], [[math.inf, 1.0]], r'landmarks\[0\] are .*inf'),
        ([[0.0, 0.0]], [[1.0, 1.0]], r'poses have shape \(1, 2\); it must be \(n, 3\)'),
        ([[0.0, 0.0, 0.0]], [1.0, 1.0], r'landmarks have shape \(2,\)'),
        (
            [[0.0, 0.0, 0.0], [0.0, 0.0]],
            [[1.0, 1.0]],
            'poses must be numbers, in rows of equal length',
        ),
        ([[0.0, 0.0, 0.0]], [['here', 1.0]], 'landmarks must be numbers'),
    ],
)
def test_invalid_poses_and_landmarks_are_rejected(wrong_poses, wrong_landmarks, said):
    """The error names the array, the value and the limit."""
    with pytest.raises(InputError, match=said):
        observe_exactly(wrong_poses, wrong_landmarks)
    with pytest.raises(InputError, match=said):
        observation_jacobian(wrong_poses, wrong_landmarks)
