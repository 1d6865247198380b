# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The JSON documents of a match: ball, kick, robots, game and field."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.match.ball.estimate import Kick
from world_model_core.match.ssl.geometry_values import (
    ChipModel,
    FieldArc,
    FieldLine,
    FieldSize,
    StraightModel,
)
from world_model_core.match.ssl.robot_id import RobotId, Team

if TYPE_CHECKING:
    from world_model_core.match.ball.estimate import BallSource, BallState
    from world_model_core.match.ball.predictor import Prediction
    from world_model_core.match.game.game_state import GameState
    from world_model_core.match.robots.robot_table import Robots
    from world_model_core.match.ssl.geometry_values import Geometry

__all__ = [
    'ball_document',
    'field_document',
    'game_document',
    'kick_document',
    'read_ball_models',
    'read_field_size',
    'read_kick',
    'robots_document',
]


def game_document(game: GameState) -> dict[str, Any]:
    """Return the game state as a document, see game.schema.json."""
    placement = game.ball_placement
    return {
        'stamp_ns': game.stamp_ns,
        'stage': game.stage,
        'command': game.command,
        'command_counter': game.command_counter,
        'next_command': game.next_command,
        'stage_time_left': game.stage_time_left,
        'action_time_left': game.action_time_left,
        'our_team': None if game.our_team is None else game.our_team.value,
        'our_side': None if game.our_side is None else game.our_side.value,
        'ball_placement': None if placement is None else list(placement),
        'yellow': _plain(asdict(game.yellow)),
        'blue': _plain(asdict(game.blue)),
        'status_message': game.status_message,
    }


def kick_document(kick: Kick) -> dict[str, Any]:
    """Return a kick as a document, see kick.schema.json."""
    return {
        'number': kick.number,
        'stamp_ns': kick.stamp_ns,
        'position': kick.position.tolist(),
        'velocity': kick.velocity.tolist(),
        'covariance': None if kick.covariance is None else kick.covariance.tolist(),
        'chip_probability': kick.chip_probability,
        'kicker': None if kick.kicker is None else str(kick.kicker),
    }


def read_kick(document: dict[str, Any]) -> Kick:
    """Return the kick of a document that follows kick.schema.json."""
    covariance, kicker = document['covariance'], document['kicker']
    team, _, number = (kicker or '').partition('/')
    return Kick(
        stamp_ns=document['stamp_ns'],
        position=np.array(document['position']),
        velocity=np.array(document['velocity']),
        covariance=None if covariance is None else np.array(covariance),
        chip_probability=document['chip_probability'],
        kicker=None if kicker is None else RobotId(Team(team), int(number)),
        number=document['number'],
    )


def read_ball_models(document: dict[str, Any]) -> tuple[StraightModel | None, ChipModel | None]:
    """Return the ball models of a document that follows field.schema.json."""
    straight, chip = (document['ball_model'][name] for name in ('straight', 'chip'))
    return (
        None if straight is None else StraightModel(**straight),
        None if chip is None else ChipModel(**chip),
    )


def read_field_size(document: dict[str, Any]) -> FieldSize:
    """Return the dimensions and lines of a document that follows field.schema.json."""
    names = (item.name for item in fields(FieldSize) if item.name not in {'lines', 'arcs'})
    lines = tuple(
        FieldLine(**{**line, 'start': tuple(line['start']), 'end': tuple(line['end'])})
        for line in document['lines']
    )
    arcs = tuple(FieldArc(**{**arc, 'center': tuple(arc['center'])}) for arc in document['arcs'])
    return FieldSize(**{name: document[name] for name in names}, lines=lines, arcs=arcs)


def field_document(geometry: Geometry) -> dict[str, Any]:
    """Return field, goals, cameras and ball models as a document, see field.schema.json."""
    size = _plain(asdict(geometry.field))
    half, goal = geometry.field.length / 2.0, geometry.field.goal_width / 2.0
    return {
        **size,
        'goals': {
            'positive': [[half, goal], [half, -goal]],
            'negative': [[-half, -goal], [-half, goal]],
        },
        'cameras': [_plain(asdict(camera)) for camera in geometry.cameras],
        'ball_model': {
            'straight': None if geometry.straight is None else asdict(geometry.straight),
            'chip': None if geometry.chip is None else asdict(geometry.chip),
        },
    }


def ball_document(
    ball: BallState, source: BallSource, prediction: Prediction | None
) -> dict[str, Any]:
    """Return position, velocity, covariances and predicted rest of the ball for `world_model`."""
    document = {
        'stamp_ns': ball.stamp_ns,
        'position': ball.position.tolist(),
        'position_uncertainty': ball.covariance[:3, :3].tolist(),
        'velocity': ball.velocity.tolist(),
        'velocity_uncertainty': ball.covariance[3:, 3:].tolist(),
        'source': source.value,
    }
    if prediction is not None:
        document['phase'] = prediction.phase.value
        rest = prediction.trajectory.rest_position.tolist()
        document['rest'] = {
            'stamp_ns': prediction.rest_ns,
            'position': rest,
            'position_uncertainty': prediction.rest_covariance.tolist(),
            'prediction_age': prediction.age,
        }
    return document


def robots_document(robots: Robots) -> dict[str, Any]:
    """Return the robots for `world_model`, by name."""
    rows = zip(robots.ids, robots.poses.tolist(), robots.velocities.tolist(), strict=True)
    return {
        str(name): {
            'stamp_ns': robots.stamp_ns,
            'position': pose[:2],
            'heading': pose[2],
            'velocity': velocity[:2],
            'angular_velocity': velocity[2],
        }
        for name, pose, velocity in rows
    }


def _plain(value: Any) -> Any:
    """Return a value with lists in place of tuples, as JSON has them."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
