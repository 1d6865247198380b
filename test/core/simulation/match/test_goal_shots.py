# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Shots bounce off the walls of a goal, and never pass through them."""

from dataclasses import replace

import pytest

from world_model_core.match.ball.walls import goal_walls
from world_model_core.simulation.match.field import make_geometry
from world_model_core.simulation.match.goal_shots import END_NS, GoalShot
from world_model_core.simulation.match.parameters import SslMatchParameters

WALLS = goal_walls(make_geometry(None).field)
PARAMETERS = SslMatchParameters()
STEP_NS = 5_000_000


@pytest.mark.parametrize('restitution', [0.0, 0.5, 1.0])
def test_no_shot_enters_a_wall(restitution):
    """At any time the ball must be outside of the walls, up to its way within a step."""
    bounced = 0
    for seed in range(40):
        shot = GoalShot(replace(PARAMETERS, seed=seed, restitution=restitution))
        truths = [shot.advance(stamp_ns) for stamp_ns in range(0, END_NS, STEP_NS)]
        gaps = [min(wall.gap(truth.position[:2]) for wall in WALLS) for truth in truths]
        assert min(gaps) > -1e-6
        bounced += min(gaps) < 0.005
        assert truths[-1].kick.kicker == truths[-1].robots[0].id
    assert bounced > 10
