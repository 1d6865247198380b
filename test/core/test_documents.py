# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""JSON documents and their schemas."""

import contextlib
import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import CAMERA, FIELD, LINE

from world_model_core.documents import NAMES, DocumentError, parse, schema, write
from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.estimate import BallSource, BallState, Kick
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.match.documents import (
    ball_document,
    field_document,
    kick_document,
    read_ball_models,
    read_kick,
    robots_document,
)
from world_model_core.match.robots.robot_table import Robots
from world_model_core.match.ssl.geometry_values import ChipModel, Geometry, StraightModel
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

CONFIG = Path(__file__).parents[2] / 'config' / 'schemas'
SEED_OBJECT = {
    'class': 'chair',
    'position': [1.5, 2.3, 0.4],
    'position_uncertainty': [[0.01, 0, 0], [0, 0.01, 0], [0, 0, 0.01]],
    'attributes': {'color': 'blue'},
}


@pytest.mark.parametrize('name', NAMES)
def test_schemas_are_valid_and_in_config(name):
    """Each must be a valid JSON Schema, equal to the one that is used."""
    jsonschema.Draft202012Validator.check_schema(schema(name))
    assert json.loads((CONFIG / f'{name}.schema.json').read_text()) == schema(name)


@pytest.mark.parametrize('objects', [{}, {'0': SEED_OBJECT}])
def test_the_first_specifications_documents_are_valid(objects):
    """A document of objects only, by the first specification, must be a world model."""
    document = {'objects': objects}
    assert parse(json.dumps(document), 'world_model') == document


def test_a_whole_world_model_is_valid():
    """A document with the ball, its prediction, robots and objects must be valid."""
    ball = BallState(SECOND, np.ones(3) * 0.01, np.array((2.0, 0.0, 0.0)), 0.01 * np.eye(6))
    prediction = BallPredictor(BallParameters()).predict(ball)
    robots = Robots(
        SECOND, (RobotId(Team.BLUE, 15),), np.ones((1, 3)), np.ones((1, 3)), np.ones(1), np.ones(1)
    )
    document = {
        'objects': {},
        'ball': ball_document(ball, BallSource.VISION, prediction),
        'robots': robots_document(robots),
    }
    assert parse(write(document), 'world_model') == document


@pytest.mark.parametrize(
    ('text', 'complaint'),
    [
        ('{', 'not JSON'),
        ('{"objects": {"a": NaN}}', 'NaN is not allowed in JSON'),
        ('[' * 100_000, 'not JSON'),
        ('{}', r'\$ violates the schema'),
        ('{"objects": {"7": {"class": "chair"}}}', r"\$\.objects\['?7'?\]?|objects"),
        ('{"objects": {}, "robots": {"red/1": {}}}', r'\$\.robots'),
    ],
)
def test_errors_name_the_place(text, complaint):
    """The error must contain the place and the violated rule."""
    with pytest.raises(DocumentError, match=complaint):
        parse(text, 'world_model')


@given(st.text())
def test_any_text_gives_a_document_or_an_error(text):
    """Any other text must raise a DocumentError."""
    with contextlib.suppress(DocumentError):
        assert 'objects' in parse(text, 'world_model')


@pytest.mark.parametrize('kicker', [None, RobotId(Team.YELLOW, 7)])
@pytest.mark.parametrize('covariance', [None, np.eye(6)])
def test_kicks_survive_json(kicker, covariance):
    """Reading a written kick must give the same kick."""
    kick = Kick(
        SECOND, np.array((1.0, 2.0)), np.array((3.0, 4.0, 5.0)), covariance, 1.0, kicker, 4
    )
    again = read_kick(parse(write(kick_document(kick)), 'kick'))
    assert kick_document(again) == kick_document(kick)
    assert again.kicker == kicker


def test_the_field_contains_the_balls_constants():
    """The ball constants of vision must be in the field document."""
    straight, chip = StraightModel(-3.0, -0.3, 0.7), ChipModel(0.6, 0.9, 0.7)
    for models in ((straight, chip), (None, None)):
        geometry = Geometry(FIELD, (CAMERA,), *models)
        assert read_ball_models(parse(write(field_document(geometry)), 'field')) == models


def test_goals_are_where_the_field_ends():
    """Posts must be on the goal lines, the left one first as viewed from the field."""
    goals = field_document(Geometry(FIELD, (), None, None))['goals']
    assert goals == {
        'positive': [[6.0, 0.9], [6.0, -0.9]],
        'negative': [[-6.0, -0.9], [-6.0, 0.9]],
    }
    assert LINE.thickness > 0
