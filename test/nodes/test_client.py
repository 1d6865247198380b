# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a node that uses the world model gets from its topics."""

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
from world_model_core.match.ball.estimate import BallSource, BallState, Kick
from world_model_core.match.ball.parameters import BallParameters
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.match.documents import field_document, game_document, kick_document
from world_model_core.match.game.game_state import GameState
from world_model_core.match.play.travel_time import TravelLimits
from world_model_core.match.robots.robot_table import Robots
from world_model_core.match.ssl.values import ChipModel, Geometry, RobotId, StraightModel, Team
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
def say(graph):
    """Publish on a topic, to whom listens by then."""
    publishers = {}

    def publish(topic, message, qos=STREAM):
        if topic not in publishers:
            publishers[topic] = graph.publisher(type(message), topic, qos)
        publishers[topic].publish(message)

    return publish


@pytest.fixture
def client(graph):
    """Make a client on a node of its own."""
    return WorldModelClient(graph.add(rclpy.create_node('user')))


def test_at_first_nothing_is_known(client):
    """Without messages there is no ball, no prediction, no robots, no game."""
    assert (client.ball, client.robots, client.game, client.field) == (None,) * 4
    assert client.source is BallSource.NONE
    assert client.predict() is None
    assert (client.kick, client.owner, client.ball_now(), client.slacks()) == (None,) * 4
    assert client.interceptions() == {}
    assert not client.is_moving()
    assert not client.is_stopped()
    assert not client.is_moving_towards((0.0, 0.0))
    assert not client.is_moving_away_from((0.0, 0.0))


def test_the_latest_of_everything_is_kept(graph, client, say):
    """Ball, source, robots, game and field are those last published."""
    say('ball', ball_message(BALL, 'field'))
    say('ball/source', String(data='VISION'), STATE)
    say('robots', robots_message(ROBOTS, 'field'))
    say('game', String(data=write(game_document(GAME))), STATE)
    say('field', String(data=write(field_document(GEOMETRY))), STATE)
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


def test_none_takes_the_ball_away(graph, client, say):
    """When nobody has an idea where the ball is, there is none to predict."""
    say('ball', ball_message(BALL, 'field'))
    graph.wait_until(lambda: client.ball)
    say('ball/source', String(data='NONE'), STATE)
    graph.wait_until(lambda: client.ball is None)
    assert client.predict() is None


def test_predictions_are_the_cores(graph, client, say):
    """Ball and kick over topics lead to the same rest as straight into the core."""
    core = BallPredictor(BallParameters())
    core.observe_kick(KICK)
    expected = core.predict(BALL)
    say('ball/kick', String(data=write(kick_document(KICK))))
    say('ball', ball_message(BALL, 'field'))
    graph.wait_until(lambda: client.ball and client.predict().rest_ns == expected.rest_ns)
    predicted = client.predict()
    assert predicted.phase is expected.phase
    np.testing.assert_array_equal(
        predicted.trajectory.rest_position, expected.trajectory.rest_position
    )


def test_every_new_thing_is_predicted_anew(graph, client, say):
    """A new ball, the kick that explains it and other constants each lead to another rest."""
    say('ball', ball_message(BALL, 'field'))
    graph.wait_until(lambda: client.ball)
    rests = [client.predict().rest_ns]
    assert client.predict() is client.predict()
    say('ball/kick', String(data=write(kick_document(KICK))))
    graph.wait_until(lambda: client.kick)
    rests.append(client.predict().rest_ns)
    client.configure(BallParameters(roll_acceleration=-1.0))
    rests.append(client.predict().rest_ns)
    say('ball', ball_message(replace(BALL, velocity=np.array([2.9, 0.0, 0.0])), 'field'))
    graph.wait_until(lambda: client.ball.velocity[0] == 2.9)
    rests.append(client.predict().rest_ns)
    assert len(set(rests)) == 4


def test_the_ball_is_predicted_with_its_covariance(graph, client, say):
    """At an instant ahead it is where the trajectory has it, and less sure than it was."""
    say('ball', ball_message(BALL, 'field'))
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


def test_the_ball_now_makes_up_for_the_latency(graph, client, say):
    """A ball seen 0.1 s ago has gone on since, by the clock of the node."""
    seen_ns = client_time(graph) - SECOND // 10
    say('ball', ball_message(replace(BALL, stamp_ns=seen_ns), 'field'))
    graph.wait_until(lambda: client.ball)
    before_ns = client_time(graph)
    now = client.ball_now()
    assert before_ns <= now.stamp_ns <= client_time(graph)
    expected = client.predict_at(now.stamp_ns)
    np.testing.assert_array_equal(now.position, expected.position)
    assert now.position[0] > BALL.position[0] + 0.2


def client_time(graph):
    """Read the clock that every node has [ns]."""
    return graph.probe.get_clock().now().nanoseconds


def test_which_way_the_ball_moves_is_told(graph, client, say):
    """A ball at (1, 2) that goes along +x moves towards what lies ahead, away from the rest."""
    say('ball', ball_message(BALL, 'field'))
    graph.wait_until(lambda: client.ball)
    assert client.is_moving()
    assert not client.is_stopped()
    assert client.is_moving_towards((4.0, 2.0))
    assert client.is_moving_away_from((-4.0, 2.0))
    say('ball', ball_message(replace(BALL, velocity=np.zeros(3)), 'field'))
    graph.wait_until(client.is_stopped)
    assert not client.is_moving()
    assert not client.is_moving_towards((4.0, 2.0))


def test_robots_that_can_meet_the_ball_are_told(graph, client, say):
    """The nearest robot first meets a ball at rest, and limits and horizon are heeded."""
    now_ns = client_time(graph)
    resting = replace(BALL, stamp_ns=now_ns, position=np.zeros(3), velocity=np.zeros(3))
    poses = np.array([[0.5, 0.0, 0.0], [-3.0, 0.0, 0.0]])
    robots = replace(ROBOTS, stamp_ns=now_ns, poses=poses, velocities=np.zeros((2, 3)))
    say('ball', ball_message(resting, 'field'))
    say('robots', robots_message(robots, 'field'))
    graph.wait_until(lambda: client.ball and client.robots)
    near, far = ROBOTS.ids
    meetings = client.interceptions()
    assert meetings[near].time == pytest.approx(0.8)
    assert meetings[far].time == pytest.approx(2.2)
    assert set(client.interceptions(TravelLimits(0.5, 1.0))) == {near}
    assert set(client.interceptions(horizon=1.0)) == {near}
    assert client.slacks(horizon=1.0, step=0.5).slacks.shape == (2, 3)


def test_the_owner_of_the_ball_is_told(graph, client, say):
    """The robot that touches it has it, until nobody knows where the ball is."""
    poses = np.array([[1.1, 2.0, 0.0], [-1.0, 0.0, 0.0]])
    say('robots', robots_message(replace(ROBOTS, poses=poses), 'field'))
    graph.wait_until(lambda: client.robots)
    say('ball', ball_message(BALL, 'field'))
    graph.wait_until(lambda: client.owner == ROBOTS.ids[0])
    say('ball/source', String(data='NONE'), STATE)
    graph.wait_until(lambda: client.owner is None)


def test_constants_of_vision_win(graph, client, say):
    """What vision sends of the ball replaces what was configured, now and after a change."""
    say('field', String(data=write(field_document(GEOMETRY))), STATE)
    graph.wait_until(lambda: client.field)
    assert client.parameters == BallParameters().with_models(STRAIGHT, CHIP)
    changed = BallParameters(stop_threshold=0.02)
    client.configure(changed)
    assert client.parameters == changed.with_models(STRAIGHT, CHIP)


TOLD = {
    'ball': ball_message(BALL, 'field'),
    'robots': robots_message(ROBOTS, 'field'),
    'ball/kick': String(data=write(kick_document(KICK))),
}


@pytest.mark.parametrize('topic', TOLD)
def test_what_is_new_is_told(graph, say, topic):
    """A callback gets each ball, the robots and each kick as they come, already kept."""
    name = topic.removeprefix('ball/')
    told = []
    callback = {f'on_{name}': lambda value: told.append((value, getattr(client, name)))}
    client = WorldModelClient(graph.add(rclpy.create_node('user')), **callback)
    say(topic, TOLD[topic])
    graph.wait_until(lambda: told)
    value, kept = told[0]
    assert value is kept
    assert value.stamp_ns == {'ball': BALL, 'robots': ROBOTS, 'kick': KICK}[name].stamp_ns


BROKEN = {
    'ball/source': ('SOMEWHERE', STATE),
    'ball/kick': ('{"number": 1}', STREAM),
    'game': ('no JSON', STATE),
    'field': ('{"length": NaN}', STATE),
}


@pytest.mark.parametrize('topic', BROKEN)
def test_a_text_that_cannot_be_read_is_counted(graph, client, say, topic):
    """It changes nothing, is counted by topic, and the next good one is taken."""
    text, qos = BROKEN[topic]
    say(topic, String(data=text), qos)
    graph.wait_until(lambda: client.dropped[topic])
    assert (client.game, client.field, client.source) == (None, None, BallSource.NONE)
    say('ball', ball_message(BALL, 'field'))
    graph.wait_until(lambda: client.ball)


def test_a_constant_that_no_ball_has_is_refused(graph, client, say):
    """A model on the wire outside of the limits leaves the constants as they were."""
    absurd = Geometry(field=FIELD, cameras=(), straight=StraightModel(-3.0, -0.5, 7.0))
    say('field', String(data=write(field_document(absurd))), STATE)
    graph.wait_until(lambda: client.dropped['field'])
    assert client.parameters == BallParameters()


def test_a_ball_or_robot_that_is_no_number_is_refused(graph, client, say):
    """NaN on the topics is counted, and what was known stays."""
    broken = ball_message(BALL, 'field')
    broken.pose.pose.position.x = math.nan
    say('ball', broken)
    graph.wait_until(lambda: client.dropped['ball'])
    robots = robots_message(ROBOTS, 'field')
    robots.joint_names[0] = 'red/1'
    say('robots', robots)
    graph.wait_until(lambda: client.dropped['robots'])
    assert (client.ball, client.robots) == (None, None)


def test_objects_are_those_of_the_newest_map(graph, client, say):
    """They are read when they are asked for; a map that is none is counted, and the last kept."""
    assert client.objects == ()
    chair = MapObject('1', 'chair', np.zeros(3), np.eye(3))
    text = write(map_document(ObjectMapDocument((chair,))))
    say('object_map', String(data=text), STATE)
    graph.wait_until(lambda: client.objects)
    assert [(thing.id, thing.label) for thing in client.objects] == [('1', 'chair')]
    say('object_map', String(data='{"objects": 1}'), STATE)
    graph.wait_until(lambda: client.objects and client.dropped['object_map'])
    assert [thing.id for thing in client.objects] == ['1']


@pytest.fixture
def written(village, village_document, tmp_path):
    """Write the example, and tell where."""
    folder = tmp_path / 'village'
    write_bundle(village, folder)
    return load(folder), {**village_document, 'folder': str(folder)}


def test_the_ground_is_that_of_the_scene(graph, client, say, written):
    """Heights, where one may drive and how far its edge is are the bundle's own, to the bit."""
    bundle, document = written
    points = np.random.default_rng(1).uniform(-60.0, 60.0, (4, 500, 2))
    asked = (client.heights_at, client.drivable_at, client.distance_to_edge)
    assert [client.scene, *(ask(points) for ask in asked)] == [None] * 4
    say('scene', String(data=write(document)), STATE)
    graph.wait_until(lambda: client.scene)
    assert client.scene == document
    own = (bundle.heightmap.heights_at, bundle.drivable.contains, bundle.drivable.distance_to_edge)
    for ask, expected in zip(asked, own, strict=True):
        np.testing.assert_array_equal(ask(points), expected(points))
    assert client.drivable_at(points).any()
    assert np.isnan(client.heights_at(points)).any()
    assert not client.dropped


def test_a_new_scene_is_read_anew(graph, client, say, written):
    """Loaded again from the same folder, it may have changed."""
    _, document = written
    point = np.zeros((1, 2))
    say('scene', String(data=write(document)), STATE)
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
    say('scene', String(data=write({**document, 'number': 2})), STATE)
    graph.wait_until(lambda: client.scene['number'] == 2)
    np.testing.assert_allclose(client.heights_at(point), before + 0.25, atol=1e-5)


def test_a_scene_that_is_not_here_is_counted_once(graph, client, say, village_document):
    """Its document is known, but of its ground nothing; nobody looks for it again and again."""
    say('scene', String(data=write(village_document)), STATE)
    graph.wait_until(lambda: client.scene)
    for _ in range(3):
        assert client.heights_at(np.zeros((1, 2))) is None
    assert client.dropped == {'scene': 1}
    say('scene', String(data='{"number": 1}'), STATE)
    graph.wait_until(lambda: client.dropped['scene'] == 2)
    assert client.scene['folder'] == '/not/here'
