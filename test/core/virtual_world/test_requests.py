# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Rules for names, poses and velocities in requests to change a world."""

from __future__ import annotations

import pytest

from world_model_core.virtual_world.engine.errors import NameTakenError
from world_model_core.virtual_world.requests import (
    FixedEntityError,
    InvalidNameError,
    InvalidPoseError,
    check_bounds,
    choose_name,
    merged_state,
)
from world_model_core.virtual_world.values import Entity, EntityState, JointState, Pose, World


@pytest.mark.parametrize('name', ['', 'a/b', 'x' * 101, 'a\nb', '\x00'])
def test_names_have_rules(name):
    """Not empty, not too long, without "/" and control characters."""
    with pytest.raises(InvalidNameError, match='must have 1 to 100'):
        choose_name(name, (), rename=False)


def test_a_taken_name_gets_a_number():
    """If renaming is allowed; an empty name as well."""
    assert choose_name('Kitchen Table1', (), rename=False) == 'Kitchen Table1'
    with pytest.raises(NameTakenError, match="'cup' is taken"):
        choose_name('cup', ('cup',), rename=False)
    assert choose_name('cup', ('cup', 'cup_1'), rename=True) == 'cup_2'
    assert choose_name('', (), rename=True) == 'entity'


def test_poses_are_within_the_bounds_of_the_world():
    """A world without bounds has all poses."""
    bounds = ((-1.0, -1.0, 0.0), (1.0, 1.0, 1.0))
    check_bounds(Pose((9.0, 9.0, 9.0)), World('open'))
    check_bounds(Pose((1.0, -1.0, 0.0)), World('closed', bounds=bounds))
    with pytest.raises(InvalidPoseError, match='must be within'):
        check_bounds(Pose((0.0, 0.0, 1.1)), World('closed', bounds=bounds))


def test_a_state_is_changed_in_parts():
    """Pose or velocities, or both; joints stay."""
    joints = {'arm': JointState((1.0,), (0.0,))}
    present = EntityState(Pose(), (1.0, 0.0, 0.0), joints=joints)
    wanted = EntityState(Pose((5.0, 0.0, 0.0)), (2.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    cup, wall = Entity('cup'), Entity('wall', movable=False)
    moved = merged_state(present, wanted, cup, pose=True, twist=False)
    assert moved == EntityState(wanted.pose, present.linear_velocity, joints=joints)
    pushed = merged_state(present, wanted, cup, pose=False, twist=True)
    assert pushed == EntityState(Pose(), (2.0, 0.0, 0.0), (0.0, 0.0, 1.0), joints)
    with pytest.raises(FixedEntityError, match="'wall' is fixed"):
        merged_state(present, wanted, wall, pose=True, twist=True)
    assert merged_state(present, wanted, wall, pose=True, twist=False).pose == wanted.pose
