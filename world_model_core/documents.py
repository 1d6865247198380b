# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The JSON documents on our String topics and of `--json`, and the schemas that they follow."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import jsonschema
import numpy as np

from world_model_core.errors import WorldModelError
from world_model_core.files.json_reader import JsonError, strict_json
from world_model_core.match.ball.estimate import Kick
from world_model_core.match.ssl.values import ChipModel, RobotId, StraightModel, Team

if TYPE_CHECKING:
    from world_model_core.match.ball.estimate import BallSource, BallState
    from world_model_core.match.ball.predictor import Prediction
    from world_model_core.match.game.game_state import GameState
    from world_model_core.match.robots.estimate import Robots
    from world_model_core.match.ssl.values import Geometry

__all__ = [
    'DocumentError',
    'ball_document',
    'field_document',
    'game_document',
    'kick_document',
    'kick_of',
    'models_of',
    'parse',
    'robots_document',
    'schema',
    'write',
]

NAMES = (
    'answer',
    'bundle_report',
    'evaluation',
    'field',
    'game',
    'kick',
    'object_map',
    'objects_evaluation',
    'scene',
    'world_model',
)


class DocumentError(WorldModelError):
    """A document is no JSON, or not what its schema allows."""


@cache
def schema(name: str) -> dict[str, Any]:
    """Load the JSON Schema of one of the documents in `NAMES`."""
    text = (files('world_model_core') / 'schemas' / f'{name}.schema.json').read_text()
    loaded: dict[str, Any] = json.loads(text)
    return loaded


@cache
def _validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema(name))


def parse(text: str, name: str) -> dict[str, Any]:
    """
    Read a document and check it.

    Raises
    ------
    DocumentError
        The text is not strict JSON, or does not follow the schema. The message has the path, the
        value and the rule.

    """
    try:
        document = strict_json(text, name)
    except JsonError as error:
        raise DocumentError(f'not JSON: {error}') from error
    broken = jsonschema.exceptions.best_match(_validator(name).iter_errors(document))
    if broken is not None:
        raise DocumentError(f'{name}: {broken.json_path} breaks the schema: {broken.message}')
    loaded: dict[str, Any] = document
    return loaded


def write(document: dict[str, Any]) -> str:
    """Write a document; a number that is not finite is an error of ours."""
    return json.dumps(document, allow_nan=False, ensure_ascii=False)


def game_document(game: GameState) -> dict[str, Any]:
    """Express the state of play."""
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
    """Express a kick."""
    return {
        'number': kick.number,
        'stamp_ns': kick.stamp_ns,
        'position': kick.position.tolist(),
        'velocity': kick.velocity.tolist(),
        'covariance': None if kick.covariance is None else kick.covariance.tolist(),
        'chip_probability': kick.chip_probability,
        'kicker': None if kick.kicker is None else str(kick.kicker),
    }


def kick_of(document: dict[str, Any]) -> Kick:
    """Read a kick from a document that follows the schema."""
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


def models_of(document: dict[str, Any]) -> tuple[StraightModel | None, ChipModel | None]:
    """Read the ball's constants from a field document that follows the schema."""
    straight, chip = (document['ball_model'][name] for name in ('straight', 'chip'))
    return (
        None if straight is None else StraightModel(**straight),
        None if chip is None else ChipModel(**chip),
    )


def field_document(geometry: Geometry) -> dict[str, Any]:
    """Express field, goals, cameras and ball constants."""
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
    """Express the ball for the world model: where, how fast, how sure, and where it will rest."""
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
        document['rest'] = {'stamp_ns': prediction.rest_ns, 'position': rest}
    return document


def robots_document(robots: Robots) -> dict[str, Any]:
    """Express the robots for the world model, by name."""
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
    """Turn tuples into lists, as JSON has them."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
