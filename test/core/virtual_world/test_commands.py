# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Commands that move entities are checked before the engine receives them."""

from __future__ import annotations

import math

import pytest

from world_model_core.virtual_world.commands import (
    CommandError,
    JointCommand,
    check_finite,
    joint_commands,
)

KNOWN = ('arm', 'hand')


def test_each_joint_gets_its_number():
    """Positions, velocities or torques, for some of the joints."""
    assert joint_commands(KNOWN, ['hand'], [0.5], [], []) == (JointCommand('hand', position=0.5),)
    assert joint_commands(KNOWN, ['hand', 'arm'], [], [1.0, -1.0], []) == (
        JointCommand('hand', velocity=1.0),
        JointCommand('arm', velocity=-1.0),
    )
    assert joint_commands(KNOWN, ['arm'], [], [], [2.0]) == (JointCommand('arm', torque=2.0),)


@pytest.mark.parametrize(
    ('joints', 'positions', 'velocities', 'cause'),
    [
        (['leg'], [1.0], [], 'unknown joint'),
        (['arm'], [], [], 'not one kind'),
        (['arm'], [1.0], [1.0], 'not one kind'),
        (['arm', 'hand'], [1.0], [], 'wrong length'),
        (['arm'], [1.0, 2.0], [], 'wrong length'),
        ([], [1.0], [], 'wrong length'),
        (['arm', 'arm'], [1.0, 2.0], [], 'joint twice'),
        (['arm'], [math.nan], [], 'not finite'),
        (['arm'], [math.inf], [], 'not finite'),
    ],
)
def test_wrong_commands_have_a_cause(joints, positions, velocities, cause):
    """Commands are counted by these causes."""
    with pytest.raises(CommandError, match=r'must|there are') as caught:
        joint_commands(KNOWN, joints, positions, velocities, [])
    assert caught.value.cause == cause


def test_numbers_are_finite():
    """The message names the number."""
    check_finite(x=1.0, y=-2.0)
    with pytest.raises(CommandError, match=r'^y is nan; it must be finite$'):
        check_finite(x=1.0, y=math.nan)
