# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""States of a match to be shown."""

from __future__ import annotations

import numpy as np

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.estimate import BallSource, BallState, Kick
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.match.robots.robot_table import Robots
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.simulation.match.field import make_geometry
from world_model_core.view.match import MatchScene
from world_model_core.view.pitch import Pitch

SECOND = 1_000_000_000
NOW = 100 * SECOND
NAMES = tuple(RobotId(team, number) for team in (Team.BLUE, Team.YELLOW) for number in (0, 3, 11))


def make_ball(position=(1.0, 2.0, 0.0), velocity=(3.0, 0.0, 0.0), std=0.01):
    """Make a ball."""
    return BallState(NOW, np.array(position), np.array(velocity), np.eye(6) * std**2)


def predict(ball):
    """Predict a ball by the usual constants."""
    return BallPredictor(BallParameters()).predict(ball)


def make_robots(names=NAMES, *, stamp_ns=NOW, visibilities=None, poses=None):
    """Make robots on a line, each with another heading."""
    count = len(names)
    rows = [(0.5 * row, -0.25 * row, 0.3 * row) for row in range(count)]
    return Robots(
        stamp_ns,
        tuple(names),
        np.array(rows if poses is None else poses, dtype=float).reshape(-1, 3),
        np.full((count, 3), 0.5),
        np.full((count, 3, 2, 2), np.nan),
        np.full(count, np.nan) if visibilities is None else np.array(visibilities),
    )


def make_kick(number=1, *, age=0.5, velocity=(4.0, 0.0, 3.0), chip=1.0):
    """Make a kick of some age [s]."""
    return Kick(
        NOW - int(age * SECOND), np.array((1.0, 1.0)), np.array(velocity), None, chip, None, number
    )


def make_game(**given):
    """Make a document of the game, with what the scene reads."""
    team = {'name': '', 'score': 0}
    return {
        'command': 'STOP',
        'next_command': None,
        'stage': 'NORMAL_FIRST_HALF',
        'stage_time_left': 61.5,
        'ball_placement': None,
        'yellow': {**team, 'score': 2},
        'blue': {**team, 'name': 'Foxes'},
        **given,
    }


def make_pitch():
    """Make the field of the simulator."""
    return Pitch(make_geometry(None).field)


def make_scene(**given):
    """Make a scene with all parts."""
    ball = given.pop('ball', make_ball())
    parts = {
        'ball': ball,
        'source': BallSource.VISION,
        'prediction': None if ball is None else predict(ball),
        'robots': make_robots(),
        'game': make_game(),
        'pitch': make_pitch(),
    }
    return MatchScene(NOW, **{**parts, **given})
