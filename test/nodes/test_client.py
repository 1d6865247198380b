# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""WorldModelClient, which keeps the newest messages of the world model and predicts."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import rclpy
from samples import FIELD, TEAM
from std_msgs.msg import String

from world_model_core.bundle.bundle import PARTS, BundleContents, WorldBundle
from world_model_core.bundle.loading import load
from world_model_core.bundle.writing import write as write_bundle
from world_model_core.documents import write
from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.estimate import BallSource, BallState, Kick
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.match.documents import field_document, game_document, kick_document
from world_model_core.match.game.game_state import GameState
from world_model_core.match.play.travel_time import TravelLimits
from world_model_core.match.robots.robot_table import Robots
from world_model_core.match.ssl.geometry_values import ChipModel, Geometry, StraightModel
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.objects.documents.object_map_document import ObjectMapDocument, map_document
from world_model_core.objects.values import MapObject
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND
from world_model_nodes.client import WorldModelClient
from world_model_nodes.match.convert import ball_message, robots_message
from world_model_nodes.runtime.qos import STATE, STREAM

BALL = BallState(7 * SECOND, np.array([1.0, 2.0, 0.0]), np.array([3.0, 0.0, 0.0]), np.eye(6))
KICK = Kick(
    stamp_ns=6_900_000_000,
    position=np.array([0.7, 2.0]),
    velocity=np.array([3.3, 0.0, 0.0]),
    covariance=None,
    chip_probability=0.0,
    kicker=RobotId(Team.BLUE, 2),
    number=1,
)
STRAIGHT, CHIP = StraightModel(-3.0, -0.5, 0.6), ChipModel(0.7, 0.9, 0.5)
GEOMETRY = Geometry(field=FIELD, cameras=(), straight=STRAIGHT, chip=CHIP)
ROBOTS = Robots(
    7 * SECOND,
    (RobotId(Team.BLUE, 2), RobotId(Team.YELLOW, 15)),
    np.array([[1.0, 2.0, 0.5], [-1.0, 0.0, 3.0]]),
    np.array([[0.1, 0.2, 0.3], [0.0, 0.0, 0.0]]),
    np.zeros((2, 3, 2, 2)),
    np.ones(2),
)
GAME = GameState(
    stamp_ns=SECOND,
    stage='NORMAL_FIRST_HALF',
    command='STOP',
    command_counter=1,
    next_command=None,
    stage_time_left=None,
    action_time_left=None,
    our_team=Team.BLUE,
    our_side=None,
    ball_placement=None,
    yellow=TEAM,
    blue=TEAM,
    status_message='',
)


@pytest.fixture
def publish(graph):
    """Return a function that publishes on a topic, once it has a subscriber."""
    publishers = {}

    def send(topic, message, qos=STREAM):
        if topic not in publishers:
            publishers[topic] = graph.publisher(type(message), topic, qos)
        publishers[topic].publish(message)

    return send


@pytest.fixture
def client(graph):
    """Make a client on a node of its own."""
    return WorldModelClient(graph.add(rclpy.create_node('user')))


def test_at_first_nothing_is_known(client):
    """Without messages there is no ball, prediction, robot or game."""
    assert (client.ball, client.robots, client.game, client.field) == (None,) * 4
    assert client.source is BallSource.NONE
    assert client.predict() is None
    assert (client.kick, client.owner, client.ball_now(), client.slacks()) == (None,) * 4
    assert client.interceptions() == {}
    assert not client.is_moving()
    assert not client.is_stopped()
    assert not client.is_moving_towards((0.0, 0.0))
    assert not client.is_moving_away_from((0.0, 0.0))


def test_the_newest_messages_are_kept(graph, client, publish):
    """Ball, source, robots, game and field are those of the last messages."""
    publish('ball', ball_message(BALL, 'field'))
    publish('ball/source', String(data='VISION'), STATE)
    publish('robots', robots_message(ROBOTS, 'field'))
    publish('game', String(data=write(game_document(GAME))), STATE)
    publish('field', String(data=write(field_document(GEOMETRY))), STATE)
    graph.wait_until(
        lambda: (
            None not in (client.ball, client.robots, client.game, client.field)
            and client.source is BallSource.VISION
        )
    )
    assert client.ball.position.tolist() == [1.0, 2.0, 0.0]
    assert client.robots.ids == ROBOTS.ids
    assert client.game == game_document(GAME)
    assert client.field['length'] == FIELD.length
    assert not client.dropped


def test_source_none_removes_the_ball(graph, client, publish):
    """With the source NONE there is no ball to predict."""
    publish('ball', ball_message(BALL, 'field'))
    graph.wait_until(lambda: client.ball)
    publish('ball/source', String(data='NONE'), STATE)
    graph.wait_until(lambda: client.ball is None)
    assert client.predict() is None


def test_predictions_are_those_of_the_core(graph, client, publish):
    """Ball and kick from topics give the same rest point as in the core."""
    core = BallPredictor(BallParameters())
    core.observe_kick(KICK)
    expected = core.predict(BALL)
    publish('ball/kick', String(data=write(kick_document(KICK))))
    publish('ball', ball_message(BALL, 'field'))
    graph.wait_until(lambda: client.ball and client.predict().rest_ns == expected.rest_ns)
    predicted = client.predict()
    assert predicted.phase is expected.phase
    np.testing.assert_array_equal(
        predicted.trajectory.rest_position, expected.trajectory.rest_position
    )


def test_new_messages_change_the_prediction(graph, client, publish):
    """A new ball, its kick and other constants each give another rest point."""
    publish('ball', ball_message(BALL, 'field'))
    graph.wait_until(lambda: client.ball)
    rests = [client.predict().rest_ns]
    assert client.predict() is client.predict()
    publish('ball/kick', String(data=write(kick_document(KICK))))
    graph.wait_until(lambda: client.kick)
    rests.append(client.predict().rest_ns)
    client.configure(BallParameters(roll_acceleration=-1.0))
    rests.append(client.predict().rest_ns)
    publish('ball', ball_message(replace(BALL, velocity=np.array([2.9, 0.0, 0.0])), 'field'))
    graph.wait_until(lambda: client.ball.velocity[0] == 2.9)
    rests.append(client.predict().rest_ns)
    assert len(set(rests)) == 4


def test_the_ball_is_predicted_with_its_covariance(graph, client, publish):
    """A predicted ball is on the trajectory, and its covariance has grown."""
    publish('ball', ball_message(BALL, 'field'))
    graph.wait_until(lambda: client.ball)
    trajectory = client.predict().trajectory
    later = client.predict_at(BALL.stamp_ns + SECOND // 2)
    positions, velocities = trajectory.at([0.5])
    assert later.stamp_ns == BALL.stamp_ns + SECOND // 2
    np.testing.assert_array_equal(later.position, positions[0])
    np.testing.assert_array_equal(later.velocity, velocities[0])
    np.testing.assert_array_equal(
        later.covariance, trajectory.covariances_at([0.5], client.ball.covariance)[0]
    )
    assert (np.diag(later.covariance)[:2] > np.diag(BALL.covariance)[:2]).all()


def test_the_present_ball_compensates_the_latency(graph, client, publish):
    """A ball of 0.1 s ago has moved on, by the clock of the node."""
    captured_ns = client_time(graph) - SECOND // 10
    publish('ball', ball_message(replace(BALL, stamp_ns=captured_ns), 'field'))
    graph.wait_until(lambda: client.ball)
    before_ns = client_time(graph)
    now = client.ball_now()
    assert before_ns <= now.stamp_ns <= client_time(graph)
    expected = client.predict_at(now.stamp_ns)
    np.testing.assert_array_equal(now.position, expected.position)
    assert now.position[0] > BALL.position[0] + 0.2


def client_time(graph):
    """Return the time of the node's clock [ns]."""
    return graph.probe.get_clock().now().nanoseconds


def test_the_direction_of_the_ball_is_classified(graph, client, publish):
    """A ball at (1, 2) that moves along +x moves towards points ahead, and away from others."""
    publish('ball', ball_message(BALL, 'field'))
    graph.wait_until(lambda: client.ball)
    assert client.is_moving()
    assert not client.is_stopped()
    assert client.is_moving_towards((4.0, 2.0))
    assert client.is_moving_away_from((-4.0, 2.0))
    publish('ball', ball_message(replace(BALL, velocity=np.zeros(3)), 'field'))
    graph.wait_until(client.is_stopped)
    assert not client.is_moving()
    assert not client.is_moving_towards((4.0, 2.0))


def test_interceptions_are_predicted(graph, client, publish):
    """The nearest robot reaches a ball at rest first, within limits and horizon."""
    now_ns = client_time(graph)
    resting = replace(BALL, stamp_ns=now_ns, position=np.zeros(3), velocity=np.zeros(3))
    poses = np.array([[0.5, 0.0, 0.0], [-3.0, 0.0, 0.0]])
    robots = replace(ROBOTS, stamp_ns=now_ns, poses=poses, velocities=np.zeros((2, 3)))
    publish('ball', ball_message(resting, 'field'))
    publish('robots', robots_message(robots, 'field'))
    graph.wait_until(lambda: client.ball and client.robots)
    near, far = ROBOTS.ids
    meetings = client.interceptions()
    assert meetings[near].time == pytest.approx(0.8)
    assert meetings[far].time == pytest.approx(2.2)
    assert set(client.interceptions(TravelLimits(0.5, 1.0))) == {near}
    assert set(client.interceptions(horizon=1.0)) == {near}
    assert client.slacks(horizon=1.0, step=0.5).slacks.shape == (2, 3)


def test_the_owner_of_the_ball_is_kept(graph, client, publish):
    """The robot that touches the ball has it, until the ball is lost."""
    poses = np.array([[1.1, 2.0, 0.0], [-1.0, 0.0, 0.0]])
    publish('robots', robots_message(replace(ROBOTS, poses=poses), 'field'))
    graph.wait_until(lambda: client.robots)
    publish('ball', ball_message(BALL, 'field'))
    graph.wait_until(lambda: client.owner == ROBOTS.ids[0])
    publish('ball/source', String(data='NONE'), STATE)
    graph.wait_until(lambda: client.owner is None)


def test_constants_of_vision_take_precedence(graph, client, publish):
    """Constants from vision replace configured ones, also after a change of the configuration."""
    publish('field', String(data=write(field_document(GEOMETRY))), STATE)
    graph.wait_until(lambda: client.field)
    assert client.parameters == BallParameters().with_models(STRAIGHT, CHIP)
    changed = BallParameters(stop_threshold=0.02)
    client.configure(changed)
    assert client.parameters == changed.with_models(STRAIGHT, CHIP)


MESSAGES = {
    'ball': ball_message(BALL, 'field'),
    'robots': robots_message(ROBOTS, 'field'),
    'ball/kick': String(data=write(kick_document(KICK))),
}


@pytest.mark.parametrize('topic', MESSAGES)
def test_callbacks_receive_new_values(graph, publish, topic):
    """A callback receives each ball, the robots and each kick once they are stored."""
    name = topic.removeprefix('ball/')
    received = []
    callback = {f'on_{name}': lambda value: received.append((value, getattr(client, name)))}
    client = WorldModelClient(graph.add(rclpy.create_node('user')), **callback)
    publish(topic, MESSAGES[topic])
    graph.wait_until(lambda: received)
    value, kept = received[0]
    assert value is kept
    assert value.stamp_ns == {'ball': BALL, 'robots': ROBOTS, 'kick': KICK}[name].stamp_ns


BROKEN = {
    'ball/source': ('SOMEWHERE', STATE),
    'ball/kick': ('{"number": 1}', STREAM),
    'game': ('no JSON', STATE),
    'field': ('{"length": NaN}', STATE),
}


@pytest.mark.parametrize('topic', BROKEN)
def test_an_invalid_document_is_counted(graph, client, publish, topic):
    """It changes nothing, is counted by topic, and the next valid one is used."""
    text, qos = BROKEN[topic]
    publish(topic, String(data=text), qos)
    graph.wait_until(lambda: client.dropped[topic])
    assert (client.game, client.field, client.source) == (None, None, BallSource.NONE)
    publish('ball', ball_message(BALL, 'field'))
    graph.wait_until(lambda: client.ball)


def test_an_invalid_constant_is_rejected(graph, client, publish):
    """Constants outside the limits leave the previous ones unchanged."""
    absurd = Geometry(field=FIELD, cameras=(), straight=StraightModel(-3.0, -0.5, 7.0))
    publish('field', String(data=write(field_document(absurd))), STATE)
    graph.wait_until(lambda: client.dropped['field'])
    assert client.parameters == BallParameters()


def test_balls_and_robots_with_nan_are_rejected(graph, client, publish):
    """NaN is counted, and the previous values are kept."""
    broken = ball_message(BALL, 'field')
    broken.pose.pose.position.x = math.nan
    publish('ball', broken)
    graph.wait_until(lambda: client.dropped['ball'])
    robots = robots_message(ROBOTS, 'field')
    robots.joint_names[0] = 'red/1'
    publish('robots', robots)
    graph.wait_until(lambda: client.dropped['robots'])
    assert (client.ball, client.robots) == (None, None)


def test_objects_are_those_of_the_newest_map(graph, client, publish):
    """The newest map is parsed on request; an invalid one is counted, and the last one kept."""
    assert client.objects == ()
    chair = MapObject('1', 'chair', np.zeros(3), np.eye(3))
    text = write(map_document(ObjectMapDocument((chair,))))
    publish('object_map', String(data=text), STATE)
    graph.wait_until(lambda: client.objects)
    assert [(thing.id, thing.label) for thing in client.objects] == [('1', 'chair')]
    publish('object_map', String(data='{"objects": 1}'), STATE)
    graph.wait_until(lambda: client.objects and client.dropped['object_map'])
    assert [thing.id for thing in client.objects] == ['1']


@pytest.fixture
def written(village, village_document, tmp_path):
    """Write the example and its document."""
    folder = tmp_path / 'village'
    write_bundle(village, folder)
    return load(folder), {**village_document, 'folder': str(folder)}


def test_the_ground_is_that_of_the_scene(graph, client, publish, written):
    """Heights, drivability and distance to the edge are equal to the bundle's."""
    bundle, document = written
    points = np.random.default_rng(1).uniform(-60.0, 60.0, (4, 500, 2))
    asked = (client.heights_at, client.drivable_at, client.distance_to_edge)
    assert [client.scene, *(ask(points) for ask in asked)] == [None] * 4
    publish('scene', String(data=write(document)), STATE)
    graph.wait_until(lambda: client.scene)
    assert client.scene == document
    own = (bundle.heightmap.heights_at, bundle.drivable.contains, bundle.drivable.distance_to_edge)
    for ask, expected in zip(asked, own, strict=True):
        np.testing.assert_array_equal(ask(points), expected(points))
    assert client.drivable_at(points).any()
    assert np.isnan(client.heights_at(points)).any()
    assert not client.dropped


def test_a_new_scene_is_loaded_again(graph, client, publish, written):
    """A scene published again from the same folder is loaded again, since it may have changed."""
    _, document = written
    point = np.zeros((1, 2))
    publish('scene', String(data=write(document)), STATE)
    graph.wait_until(lambda: client.scene)
    before = client.heights_at(point)
    raised = load(document['folder'])
    heights = raised.heightmap.heights + np.float32(0.25)
    low, high = raised.heightmap.height_range
    changed = replace(raised.heightmap, heights=heights, height_range=(low, high + 0.25))
    contents = BundleContents(
        **{name: getattr(raised, name) for name in PARTS} | {'heightmap': changed}
    )
    write_bundle(WorldBundle(raised.manifest, contents), document['folder'], overwrite=True)
    np.testing.assert_array_equal(client.heights_at(point), before)
    publish('scene', String(data=write({**document, 'number': 2})), STATE)
    graph.wait_until(lambda: client.scene['number'] == 2)
    np.testing.assert_allclose(client.heights_at(point), before + 0.25, atol=1e-5)


def test_a_missing_scene_is_counted_once(graph, client, publish, village_document):
    """Its document is kept but has no ground, and the folder is not read again."""
    publish('scene', String(data=write(village_document)), STATE)
    graph.wait_until(lambda: client.scene)
    for _ in range(3):
        assert client.heights_at(np.zeros((1, 2))) is None
    assert client.dropped == {'scene': 1}
    publish('scene', String(data='{"number": 1}'), STATE)
    graph.wait_until(lambda: client.dropped['scene'] == 2)
    assert client.scene['folder'] == '/not/here'
