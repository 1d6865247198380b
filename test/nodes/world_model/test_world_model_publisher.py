# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The one document: what is known and fresh is in it, and it always follows its schema."""

from __future__ import annotations

import json
import math
import time

import numpy as np
import pytest
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
from world_model_core.match.ssl.values import RobotId, Team
from world_model_nodes.match.convert import ball_message, robots_message
from world_model_nodes.runtime.qos import STATE
from world_model_nodes.world_model.world_model_publisher import WorldModelPublisher

# A document of the first design, which knew objects only.
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
# What is told of its object: beside what it says, what the absence of the rest means.
TOLD = {
    'mug_1': {
        **SEED['objects']['mug_1'],
        'state': 'confirmed',
        'confidence': 1.0,
        'hits': 0,
        'misses': 0,
    }
}


def ball():
    """Make a ball of this very moment."""
    return BallState(time.time_ns(), np.array([1.0, 2.0, 0.0]), np.array([1.0, 0, 0]), np.eye(6))


def robots():
    """Make a robot of this very moment."""
    ids = (RobotId(Team.BLUE, 2),)
    pose, velocity = np.array([[1.0, 2.0, 0.5]]), np.array([[0.1, 0.2, 0.3]])
    return Robots(time.time_ns(), ids, pose, velocity, np.zeros((1, 3, 2, 2)), np.ones(1))


def game():
    """Make a state of play."""
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


class World:
    """A publisher, what it publishes, and those it listens to."""

    def __init__(self, graph, **given):
        values = {'rate': 50.0, **given}
        overrides = [Parameter(name, value=value) for name, value in values.items()]
        self.graph = graph
        self.node = graph.add(WorldModelPublisher(parameter_overrides=overrides))
        self.heard = graph.listen(String, 'world_model', STATE)
        self.ball = graph.publisher(Odometry, 'ball')
        self.robots = graph.publisher(MultiDOFJointState, 'robots')
        self.game = graph.publisher(String, 'game', STATE)
        self.objects = graph.publisher(String, 'object_map', STATE)
        self.scene = graph.publisher(String, 'scene', STATE)

    def document(self):
        """Wait for the next document, and check it against the schema."""
        count = len(self.heard)
        self.graph.wait_until(lambda: len(self.heard) > count)
        return parse(self.heard[-1].data, 'world_model')

    def until(self, condition, say=bool):
        """Wait for a document that fulfils `condition`, calling `say` before each."""

        def fulfilled():
            say()
            document = self.document()
            return document if condition(document) else None

        return self.graph.wait_until(fulfilled)


@pytest.fixture
def world(graph):
    """Make a publisher."""
    return lambda **given: World(graph, **given)


def test_a_world_of_nothing_is_valid(world):
    """Before anything is known the document has no objects, and nothing else."""
    assert world().document() == {'objects': {}}


def test_everything_known_is_in_one_document(world, village_document):
    """Ball with its prediction, robots, game, objects and scene come together, by the schema."""
    known = world()
    known.scene.publish(String(data=write(village_document)))
    known.game.publish(String(data=write(game_document(game()))))
    known.objects.publish(String(data=json.dumps(SEED)))

    def say():
        known.ball.publish(ball_message(ball(), 'field'))
        known.robots.publish(robots_message(robots(), 'field'))

    document = known.until(
        lambda d: {'ball', 'robots', 'game', 'scene'} <= d.keys() and d['objects'], say
    )
    assert document['objects'] == TOLD
    assert document['ball']['position'] == [1.0, 2.0, 0.0]
    assert document['ball']['rest']['position'][0] > 1.0
    assert document['robots']['blue/2']['position'] == [1.0, 2.0]
    assert document['game'] == game_document(game())
    assert document['scene'] == village_document


def test_what_is_stale_is_left_out(world):
    """A ball nobody renews leaves the document; it must not look fresh for ever."""
    known = world(stale_after=0.2)
    known.until(lambda d: 'ball' in d, lambda: known.ball.publish(ball_message(ball(), 'field')))
    known.until(lambda d: 'ball' not in d)


def test_the_first_designs_document_is_valid():
    """A document of objects alone follows the same schema."""
    assert parse(json.dumps(SEED), 'world_model') == SEED


def test_a_map_with_all_that_is_kept_of_it_is_read(world):
    """Map id, frame and tombstones are the map's own, its objects the world model's."""
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
    expected = {**TOLD['mug_1'], 'size': [0.1, 0.1, 0.12], 'material': 'clay'}
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
def test_an_object_map_that_cannot_be_read_is_borne(world, text):
    """It is counted, what was known before stays, and documents go on."""
    known = world()
    known.objects.publish(String(data=json.dumps(SEED)))
    known.until(lambda d: d['objects'])
    known.objects.publish(String(data=text))
    known.graph.wait_until(lambda: known.node._client.dropped['object_map'])
    assert known.document() == {'objects': TOLD}


def test_numbers_that_are_none_do_not_end_it(world):
    """NaN in a ball or a robot stays out of the document, which JSON has no word for."""
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
    """A slow publisher told to hurry does so, without a restart."""
    known = world(rate=0.1)
    assert known.node.set_parameters([Parameter('rate', value=100.0)])[0].successful
    # At the first rate, eleven documents would take 110 s, more than wait_until allows.
    known.graph.wait_until(lambda: len(known.heard) > 10)
    (result,) = known.node.set_parameters([Parameter('rate', value=0.0)])
    assert not result.successful
