# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Poses, velocities and boxes between `world` and the frames of entities."""

from __future__ import annotations

import math

import pytest

from world_model_core.frames import FrameError
from world_model_core.virtual_world.entity_frames import (
    box_in_frame,
    checked_pose,
    pose_in_world,
    state_in_world,
)
from world_model_core.virtual_world.values import EntityState, Pose

# One meter ahead and turned to the left by 90 degrees.
LEFT = (0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5))
FRAME = Pose((1.0, 2.0, 0.5), LEFT)


def test_a_pose_in_a_frame_is_turned_and_moved():
    """Ahead in the frame is y in the world."""
    pose = pose_in_world(Pose((3.0, 0.0, 0.0)), FRAME)
    assert pose.position == pytest.approx((1.0, 5.0, 0.5))
    assert pose.orientation == pytest.approx(LEFT)


def test_velocities_are_turned_only():
    """The frame counts as at rest."""
    state = EntityState(Pose(), (1.0, 0.0, 0.0), (0.0, 2.0, 0.0))
    moved = state_in_world(state, FRAME)
    assert moved.pose.position == pytest.approx(FRAME.position)
    assert moved.linear_velocity == pytest.approx((0.0, 1.0, 0.0))
    assert moved.angular_velocity == pytest.approx((-2.0, 0.0, 0.0))


def test_a_box_is_turned_into_a_frame():
    """It contains the whole box, along the axes of the frame."""
    lower, upper = box_in_frame(((0.0, 2.0, 0.0), (1.0, 4.0, 1.0)), FRAME)
    assert lower == pytest.approx((0.0, 0.0, -0.5))
    assert upper == pytest.approx((2.0, 1.0, 0.5))


def test_numbers_of_poses_are_checked():
    """A quaternion is normalized; zero and NaN are refused."""
    assert checked_pose((1, 2, 3), (0, 0, 0, 2)) == Pose((1.0, 2.0, 3.0))
    for position, orientation in (
        ((0, 0, 0), (0, 0, 0, 0)),
        ((math.nan, 0, 0), (0, 0, 0, 1)),
        ((0, 0, 0), (math.inf, 0, 0, 1)),
    ):
        with pytest.raises(FrameError):
            checked_pose(position, orientation)
