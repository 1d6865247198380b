# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Balls that bounce off the walls of a goal stay flat, and are not kicked again."""

import pytest

from benchmarks.match.goal_shots import track_shot


# A keeper nearly touches the shot, and the cameras miss the bounce: the first was published as a
# chip with 4.8 m/s upwards, the second as three kicks, the third as a chip after two bounces. The
# others seemed to lie at the wall for up to 0.1 s, and to be kicked from there.
@pytest.mark.parametrize('seed', [1039, 1036, 168, 58, 84])
def test_a_shot_at_a_goal_is_one_straight_kick(seed):
    """A shot off the walls must stay on the carpet."""
    shot = track_shot(seed)
    assert shot.kicks == 1
    assert shot.touched
    assert shot.airborne == (0, 0)
