# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The world model document has all fresh values, and always follows its schema."""

from __future__ import annotations

import json
import math
import time

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from nav_msgs.msg import Odometry
from rclpy.parameter import Parameter
from samples import TEAM
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import String

from world_model_core.documents import parse, write
from world_model_core.match.ball.estimate import BallState
from world_model_core.match.documents import game_document
from world_model_core.match.game.game_state import GameState
from world_model_core.match.robots.robot_table import Robots
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_nodes.match.convert import ball_message, robots_message
from world_model_nodes.match.match_diagnostics import AGE_KEYS
from world_model_nodes.runtime.qos import STATE
from world_model_nodes.world_model.world_model_publisher import WorldModelPublisher

# A document of the first design, which has only objects.
SEED = {
    'objects': {
        'mug_1': {
            'class': 'mug',
            'position': [1.0, 2.0, 0.8],
            'position_uncertainty': [[0.01, 0.0, 0.0], [0.0, 0.01, 0.0], [0.0, 0.0, 0.01]],
            'attributes': {'color': 'red'},
        }
    }
}
# The same object as published: with the defaults of the missing fields.
PUBLISHED = {
    'mug_1': {
        **SEED['objects']['mug_1'],
        'state': 'confirmed',
        'confidence': 1.0,
        'hits': 0,
        'misses': 0,
    }
}


def ball():
    """Return a ball of now."""
    return BallState(time.time_ns(), np.array([1.0, 2.0, 0.0]), np.array([1.0, 0, 0]), np.eye(6))


def robots():
    """Return a robot of now."""
    ids = (RobotId(Team.BLUE, 2),)
    pose, velocity = np.array([[1.0, 2.0, 0.5]]), np.array([[0.1, 0.2, 0.3]])
    return Robots(time.time_ns(), ids, pose, velocity, np.zeros((1, 3, 2, 2)), np.ones(1))


def game():
    """Return a state of play."""
    return GameState(
        stamp_ns=1,
        stage='NORMAL_FIRST_HALF',
        command='STOP',
        command_counter=1,
        next_command=None,
        stage_time_left=1.5,
        action_time_left=None,
        our_team=Team.BLUE,
        our_side=None,
        ball_placement=(1.0, 0.5),
        yellow=TEAM,
        blue=TEAM,
        status_message='',
    )


class WorldStage:
    """A publisher, its inputs and its topic."""

    def __init__(self, graph, **given):
        values = {'rate': 50.0, **given}
        overrides = [Parameter(name, value=value) for name, value in values.items()]
        self.graph = graph
        self.node = graph.add(WorldModelPublisher(parameter_overrides=overrides))
        self.messages = graph.listen(String, 'world_model', STATE)
        self.ball = graph.publisher(Odometry, 'ball')
        self.robots = graph.publisher(MultiDOFJointState, 'robots')
        self.game = graph.publisher(String, 'game', STATE)
        self.objects = graph.publisher(String, 'object_map', STATE)
        self.scene = graph.publisher(String, 'scene', STATE)

    def document(self):
        """Wait for the next document, and validate it."""
        count = len(self.messages)
        self.graph.wait_until(lambda: len(self.messages) > count)
        return parse(self.messages[-1].data, 'world_model')

    def until(self, condition, publish=bool):
        """Wait for a document that fulfils `condition`, calling `publish` before each."""

        def fulfilled():
            publish()
            document = self.document()
            return document if condition(document) else None

        return self.graph.wait_until(fulfilled)


@pytest.fixture
def world(graph):
    """Return a function that makes a publisher."""
    return lambda **given: WorldStage(graph, **given)


def test_an_empty_document_is_valid(world):
    """Without messages the document has no objects, and nothing else."""
    assert world().document() == {'objects': {}}


def test_everything_known_is_in_one_document(world, village_document):
    """The document has ball, prediction, robots, game, objects and scene."""
    known = world()
    known.scene.publish(String(data=write(village_document)))
    known.game.publish(String(data=write(game_document(game()))))
    known.objects.publish(String(data=json.dumps(SEED)))

    def publish():
        known.ball.publish(ball_message(ball(), 'field'))
        known.robots.publish(robots_message(robots(), 'field'))

    document = known.until(
        lambda d: {'ball', 'robots', 'game', 'scene'} <= d.keys() and d['objects'], publish
    )
    assert document['objects'] == PUBLISHED
    assert document['ball']['position'] == [1.0, 2.0, 0.0]
    assert document['ball']['rest']['position'][0] > 1.0
    assert document['robots']['blue/2']['position'] == [1.0, 2.0]
    assert document['game'] == game_document(game())
    assert document['scene'] == village_document


def test_stale_values_are_left_out(world):
    """A ball that is no longer published leaves the document."""
    known = world(stale_after=0.2)
    known.until(lambda d: 'ball' in d, lambda: known.ball.publish(ball_message(ball(), 'field')))
    known.until(lambda d: 'ball' not in d)


def test_the_first_designs_document_is_valid():
    """A document of objects alone follows the same schema."""
    assert parse(json.dumps(SEED), 'world_model') == SEED


def test_a_saved_map_is_read(world):
    """Map id, frame and tombstones are not published, but all objects are."""
    known = world()
    mug = {**SEED['objects']['mug_1'], 'size': [0.1, 0.1, 0.12], 'material': 'clay'}
    mug['uncertainty'] = mug.pop('position_uncertainty')
    whole = {
        'map_id': 'house',
        'frame_id': 'map',
        'next_id': 3,
        'stamp_ns': 5,
        'objects': {'2': mug},
        'tombstones': {'1': {'class': 'cup', 'stamp_ns': 4, 'reason': 'merged'}},
    }
    known.objects.publish(String(data=json.dumps(whole)))
    document = known.until(lambda d: d['objects'])
    expected = {**PUBLISHED['mug_1'], 'size': [0.1, 0.1, 0.12], 'material': 'clay'}
    assert document == {'objects': {'2': expected}}


@pytest.mark.parametrize(
    'text',
    [
        'no JSON',
        '[]',
        '{}',
        '{"objects": {"a": 1}}',
        '{"objects": NaN}',
        '{"objects": {}, "objects": {}}',
    ],
)
def test_an_invalid_object_map_is_counted(world, text):
    """The last valid map is kept, and documents are still published."""
    known = world()
    known.objects.publish(String(data=json.dumps(SEED)))
    known.until(lambda d: d['objects'])
    known.objects.publish(String(data=text))
    known.graph.wait_until(lambda: known.node._client.dropped['object_map'])
    assert known.document() == {'objects': PUBLISHED}


def test_nan_is_left_out(world):
    """A ball or a robot with NaN, which JSON cannot express, is left out of the document."""
    known = world()
    broken_ball, broken_robots = ball_message(ball(), 'field'), robots_message(robots(), 'field')
    broken_ball.pose.covariance[0] = math.nan
    broken_robots.twist[0].linear.x = math.inf
    known.ball.publish(broken_ball)
    known.robots.publish(broken_robots)
    dropped = known.node._client.dropped
    known.graph.wait_until(lambda: dropped['ball'] and dropped['robots'])
    assert known.document() == {'objects': {}}


def test_the_rate_can_be_changed(world):
    """The rate of a slow publisher can be raised at run time."""
    known = world(rate=0.1)
    assert known.node.set_parameters([Parameter('rate', value=100.0)])[0].successful
    # At the first rate, eleven documents would take 110 s, more than wait_until allows.
    known.graph.wait_until(lambda: len(known.messages) > 10)
    (result,) = known.node.set_parameters([Parameter('rate', value=0.0)])
    assert not result.successful


def test_the_age_of_the_output_is_in_the_document(world, graph):
    """It is that of the receiver in the same namespace; unreadable ages are ignored."""
    stage = world()
    health = graph.publisher(DiagnosticArray, '/diagnostics')

    def report(name, *ages):
        values = [KeyValue(key=key, value=age) for key, age in zip(AGE_KEYS, ages, strict=True)]
        health.publish(DiagnosticArray(status=[DiagnosticStatus(name=name, values=values)]))

    def report_all():
        report('/ssl_receiver', '0.001', '0.002', '0.003')
        report('/ssl_receiver', 'nan', '0.1', '0.1')
        report('/ssl_receiver', '0.1', '0.1', 'late')

    document = stage.until(lambda document: 'output_age' in document, report_all)
    assert document['output_age'] == {'median': 0.001, 'p99': 0.002, 'maximum': 0.003}
