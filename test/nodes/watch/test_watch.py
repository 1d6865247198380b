# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model watch`: table, lines, messages, plot, and the end by signals."""

from __future__ import annotations

import io
import os
import pty
import re
import signal
import subprocess
import sys
import termios
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from threading import Timer

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import (
    PoseArray,
    PoseWithCovarianceStamped,
    Transform,
    Vector3,
)
from hypothesis import given
from hypothesis import strategies as st
from nav_msgs.msg import Odometry, Path
from rich.console import Console
from rich.live import Live
from rich.text import Text
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import String

from world_model_core.documents import write
from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.estimate import BallSource, BallState, Kick
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.match.ball.trajectory import Samples
from world_model_core.match.documents import field_document, kick_document
from world_model_core.match.output_age import AgeSummary
from world_model_core.match.robots.robot_table import IDS, Robots
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.objects.documents.object_map_document import ObjectMapDocument, map_document
from world_model_core.objects.values import MapObject, ObjectState
from world_model_core.simulation.match.field import make_geometry
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND
from world_model_core.view.health import NodeHealth
from world_model_core.virtual_world.values import Entity, World
from world_model_core.virtual_world.world_document import world_document
from world_model_nodes.match.convert import (
    ball_message,
    path_message,
    rest_message,
    robots_message,
)
from world_model_nodes.match.watch_view import MatchView, draw_match, match_line
from world_model_nodes.objects.watch_view import ObjectsView, count_objects
from world_model_nodes.runtime.qos import STATE, STREAM
from world_model_nodes.uncertainty.convert import poses_message
from world_model_nodes.uncertainty.watch_view import FleetView, LocalizedPose
from world_model_nodes.virtual_world.watch_view import (
    WorldView,
    agent_counts,
    draw_world,
    world_line,
)
from world_model_nodes.watch.keyboard import KEY, STEPS
from world_model_nodes.watch.match_history import MatchHistory
from world_model_nodes.watch.pages import paginate
from world_model_nodes.watch.rate_counter import RateCounter
from world_model_nodes.watch.snapshot import WatchSnapshot
from world_model_nodes.watch.watch import LivePages, Watcher
from world_model_nodes.watch.watch_view import draw_line, draw_page

STAMP_NS = 1_700_000_000 * SECOND
TIME_LIMIT = 90.0
COMMAND = 'from world_model_nodes.commands.main import main; main()'
BALL = BallState(
    STAMP_NS, np.array((1.25, -0.5, 0.02)), np.array((3.0, -4.0, 0.0)), 0.0004 * np.eye(6)
)
ROBOTS = Robots(
    STAMP_NS,
    (RobotId(Team.BLUE, 3), RobotId(Team.YELLOW, 11)),
    np.array([(1.0, 2.0, np.pi / 2), (-3.0, 0.5, 0.0)]),
    np.array([(0.6, 0.8, 0.0), (0.0, 0.0, 0.0)]),
    np.zeros((2, 3, 2, 2)),
    np.ones(2),
)
TEAM = {
    'name': 'Bears',
    'score': 2,
    'goalkeeper': 0,
    'red_cards': 0,
    'yellow_cards': 0,
    'yellow_card_times': [],
    'timeouts': 4,
    'timeout_time': 300.0,
    'max_allowed_bots': 11,
    'foul_counter': 0,
    'ball_placement_failures': 0,
    'can_place_ball': True,
    'bot_substitution_intent': False,
}
GAME = {
    'stamp_ns': STAMP_NS,
    'stage': 'NORMAL_FIRST_HALF',
    'command': 'STOP',
    'command_counter': 3,
    'next_command': 'DIRECT_FREE_BLUE',
    'stage_time_left': 125.5,
    'action_time_left': -3.2,
    'our_team': 'blue',
    'our_side': 'negative',
    'ball_placement': None,
    'yellow': TEAM,
    'blue': {**TEAM, 'name': 'Foxes [b]'},
    'status_message': '',
}
MATCH = MatchView(
    BALL,
    BallSource.VISION,
    'ROLLING',
    (np.array((2.5, -3.0, 0.0)), STAMP_NS + 2 * SECOND),
    ROBOTS,
    GAME,
    {'ball': 149.0, 'robots': 75.0},
    AgeSummary(0.0031, 0.012, 0.02),
)
SNAPSHOT = WatchSnapshot(
    12.3,
    MATCH,
    health={
        '/ssl_receiver': NodeHealth(1, 'no referee packets [x]', 0.5),
        '/ball_predictor': NodeHealth(0, 'ok', 9.0),
        '/other': NodeHealth(0, 'ok', 1.0),
    },
)
EMPTY = WatchSnapshot(1.0)
HOUSE = ObjectMapDocument((MapObject('1', 'chair', np.zeros(3), np.eye(3)),))


def rendered(view):
    """Print everything on a terminal of 100 columns and many lines."""
    (page,) = pages_of(view, 100, 200)
    return page


def pages_of(view, width, height):
    """Print each page on a terminal."""
    console = Console(width=width, height=height, force_terminal=False)
    shown = []
    for number in count():
        with console.capture() as capture:
            console.print(draw_page(view, console, number))
        if shown and capture.get() == shown[0]:
            return shown
        shown.append(capture.get())
    return shown


@pytest.mark.parametrize(
    'shown',
    [
        *('world model · 12.3 s', 'ball 149 Hz, robots 75 Hz, age 3 ms, p99 12 ms'),
        *('Bears  2 : 2  Foxes [b]', 'STOP → DIRECT_FREE_BLUE   NORMAL_FIRST_HALF'),
        *('our team is blue, our goal at -x', '2:05 left of the stage, -0:03 left of the action'),
        *('VISION   ROLLING', '1.250     -0.500      0.020', '0.020      0.020      0.020'),
        *('5.00 m/s', 'rests at 2.50, -3.00 m in 2.0 s'),
        *('3   1.00   2.00    90°   1.00', '11  -3.00   0.50     0°   0.00'),
        *(
            'no referee packets [x]',
            'STALE    /ball_predictor',
            'silent for 9 s',
            'ok       /other',
        ),
    ],
)
def test_the_table_shows_everything(shown):
    """The table has ball, rest point, robots, game, rates and health, without markup in names."""
    assert shown in rendered(SNAPSHOT)


def crowded(nodes=12):
    """Return a match with all robots that there can be, and many nodes with long messages."""
    poses = [(-11.11 + n / 10, 10.0 + n / 10, -np.pi + n / 10) for n in range(32)]
    zeros = np.zeros((32, 3, 2, 2))
    robots = Robots(STAMP_NS, IDS, np.array(poses), np.full((32, 3), 3.0), zeros, np.ones(32))
    text = 'the published states are up to 0.123 s old, more than 0.1 s'
    health = {f'/field/node_{n}': NodeHealth(n == 3, text, 0.5) for n in range(nodes)}
    return WatchSnapshot(123.4, replace(MATCH, robots=robots), health=health)


def test_a_small_terminal_reaches_all_robots_and_nodes():
    """On 80 x 24 the first page has ball, game and age, another both teams, the last all nodes."""
    shown = pages_of(crowded(), 80, 24)
    for page in shown:
        lines = page.splitlines()
        assert len(lines) <= 23
        assert max(map(len, lines)) <= 80
        assert 'WARN 1 of 12 nodes: /field/node_3: the published' in lines[1]
        assert f'page {1 + shown.index(page)} of {len(shown)}' in lines[0]
    assert all(text in shown[0] for text in ('Bears  2 : 2', 'rests at', 'age 3 ms, p99 12 ms'))
    (teams,) = (page for page in shown if 'blue' in page and '-11.11' in page)
    for number, name in enumerate(IDS):
        x, y = (f'{start + number / 10:.2f}' for start in (-11.11, 10.0))
        assert re.search(rf'\b{name.number} +{x} +{y} ', teams), name
    for number in range(12):
        assert sum(f'/field/node_{number} ' in page.split('\n', 2)[2] for page in shown) == 1


@pytest.mark.parametrize('view', [SNAPSHOT, EMPTY], ids=['match', 'nothing'])
def test_what_fits_is_one_page_without_a_number(view):
    """Nobody is told to turn pages where there are none."""
    assert 'page' not in rendered(view)


@given(st.integers(1, 40), st.integers(1, 200), st.integers(0, 30))
def test_pages_contain_every_line_once(height, width, nodes):
    """Whatever the size of the terminal, no page is too high, and nothing is lost."""
    console = Console(width=width, height=height)
    parts = [Text('\n'.join(f'{n}.{m}' for m in range(n))) for n in range(1, nodes)]
    pages = paginate(parts, console, height)
    assert all(len(page.lines) <= height for page in pages)
    text = [''.join(segment.text for segment in line) for page in pages for line in page.lines]
    whole = [line for part in parts for line in console.render_lines(part, pad=False)]
    assert text == [''.join(segment.text for segment in line) for line in whole]


def test_the_line_shows_the_most_important_and_what_is_wrong():
    """One line has ball, robots, game and rates, and the nodes with errors or warnings."""
    assert draw_line(SNAPSHOT) == (
        '  12.3 s | ball +1.250 -0.500 +0.020 m 5.00 m/s VISION ROLLING, '
        'rests at 2.50, -3.00 m in 2.0 s | robots 1 yellow 1 blue | STOP 2:2 (yellow:blue) | '
        'ball 149 Hz | robots 75 Hz | age 3 ms, p99 12 ms | '
        '/ssl_receiver WARN: no referee packets [x] | '
        '/ball_predictor STALE: silent for 9 s; last: ok'
    )


def test_missing_topics_are_shown():
    """An empty snapshot and a match without packets are shown as such, and never as zeros."""
    table = rendered(EMPTY)
    for shown in ('no data received yet', 'no node reports its health'):
        assert shown in table
    assert draw_line(EMPTY) == '   1.0 s | no data received yet'
    console = Console(width=100, force_terminal=False)
    with console.capture() as capture:
        console.print(*draw_match(MatchView()))
    for shown in ('no referee packets received', 'NONE'):
        assert shown in capture.get()
    assert '0.00' not in table + capture.get()
    assert match_line(MatchView()) == 'ball NONE | robots 0 yellow 0 blue | no referee'


def house_snapshot(**changes):
    """Return a snapshot of a house with a question about the number of chairs."""
    reply = {
        'question': 'How many [b]chairs?',
        'decision': 'the map suffices',
        'final': True,
        'elapsed': 61.2,
        'answer': {'type': 'numerical', 'count': 3, 'probability': 0.91},
    }
    objects = ObjectsView({'chair': 3, 'lamp [b]': 1}, {**reply, **changes})
    return WatchSnapshot(12.3, objects=objects)


@pytest.mark.parametrize(
    'shown',
    [
        *('4 objects', '3 chair', '1 lamp [b]', 'How many [b]chairs?'),
        '3 (probability 91%), the map suffices, 61 s',
    ],
)
def test_the_table_shows_a_house(shown):
    """The table has classes with their numbers, the question and its answer, and no match."""
    table = rendered(house_snapshot())
    assert shown in table
    assert 'referee' not in table
    assert 'ball' not in table


def test_the_line_shows_a_house():
    """Objects and answer take the place of the match."""
    assert draw_line(house_snapshot()) == (
        '  12.3 s | 4 objects: 3 chair, 1 lamp [b] | 3 (probability 91%), the map suffices, 61 s'
    )
    assert 'ball' in draw_line(replace(SNAPSHOT, objects=house_snapshot().objects))


@pytest.mark.parametrize(
    ('answer', 'expected'),
    [
        ({'type': 'reference', 'object': {'class': 'cup', 'id': '7'}}, 'cup 7, the'),
        ({'type': 'instruction', 'probability': 1.0}, 'route (probability 100%)'),
        ({'type': 'none', 'missing': ['piano']}, 'no answer: piano, the map'),
        (None, '| the map suffices'),
    ],
)
def test_every_kind_of_answer_is_shown(answer, expected):
    """Each kind of answer, a missing one and a pending one have a text."""
    assert expected in draw_line(house_snapshot(answer=answer))


def fleet_snapshot():
    """Return a snapshot of two robots: one drives by odometry, the other is localized."""
    poses = {'robot_0': np.array((1.0, 2.0, np.pi / 2)), 'robot_1': np.array((4.0, 0.0, 0.0))}
    odometry = {'robot_0': np.array((1.3, 2.4, 1.6))}
    estimate = LocalizedPose(np.array((4.0, 0.1, 0.0)), np.array((0.03, 0.04, 0.01)))
    return WatchSnapshot(5.0, fleet=FleetView(poses, odometry, {'robot_1': estimate}, 10.0))


def test_simulated_robots_are_shown():
    """The table has poses and the errors of odometry and localizer, and no match."""
    table = rendered(fleet_snapshot())
    for shown in ('robot_0', '90°', '0.50 m', '0.10 m', '0.05', '2 robots'):
        assert shown in table, shown
    assert 'ball' not in table
    assert draw_line(fleet_snapshot()) == (
        '   5.0 s | 2 robots, odometry error 0.50 m (mean), '
        'robot_1 localized, error 0.10 m, ± 0.05 m | ground_truth 10 Hz'
    )


def test_a_crowd_of_robots_is_counted():
    """Beyond a dozen robots the table has only the number of the others."""
    poses = {f'robot_{number}': np.zeros(3) for number in range(100)}
    table = rendered(WatchSnapshot(1.0, fleet=FleetView(poses)))
    assert 'and 88 more' in table
    assert 'robot_12' not in table


def test_no_scenario_shows_a_python_list():
    """No output contains brackets with quotes or None."""
    missing = house_snapshot(answer={'type': 'none', 'missing': ['piano', 'harp']})
    for snapshot in (SNAPSHOT, EMPTY, missing, fleet_snapshot()):
        for text in (rendered(snapshot), draw_line(snapshot)):
            assert "['" not in text
            assert 'None' not in text
    assert 'no answer: piano, harp' in draw_line(missing)


def test_the_watcher_receives_simulated_robots(graph):
    """True poses, odometry in the map and the pose of a localizer that starts later."""
    watcher = graph.add(Watcher())
    assert watcher.is_silent
    truth = poses_message(np.array([(1.0, 2.0, 0.5), (3.0, 4.0, 0.0)]), STAMP_NS, 'map')
    estimate = PoseWithCovarianceStamped()
    estimate.pose.pose = truth.poses[1]
    estimate.pose.covariance[0] = estimate.pose.covariance[7] = 0.01
    fleet = MultiDOFJointState(joint_names=['robot_0', 'robot_1'])
    fleet.header.frame_id = 'map'
    for pose in truth.poses:
        shift = Vector3(x=pose.position.x + 0.3, y=pose.position.y)
        fleet.transforms.append(Transform(translation=shift, rotation=pose.orientation))
    topics = (
        (graph.publisher(PoseArray, 'ground_truth'), truth),
        (graph.publisher(MultiDOFJointState, 'fleet'), fleet),
        (graph.publisher(PoseWithCovarianceStamped, 'robot_1/amcl_pose'), estimate),
    )

    def publish():
        for publisher, message in topics:
            publisher.publish(message)
        found = watcher.snapshot().fleet
        return len(found.poses) == len(found.odometry) == 2 and found.estimates

    graph.wait_until(publish)
    found = watcher.snapshot().fleet
    assert not watcher.is_silent
    assert found.poses['robot_0'] == pytest.approx((1.0, 2.0, 0.5))
    assert found.distance('robot_0', found.odometry['robot_0']) == pytest.approx(0.3)
    assert found.estimates['robot_1'].pose == pytest.approx((3.0, 4.0, 0.0))
    assert found.estimates['robot_1'].deviations == pytest.approx((0.1, 0.1, 0.0))
    assert found.rate > 0.0
    assert not watcher.snapshot().match


def test_a_scene_is_shown(village_document):
    """Table and line have the contents of the scene; a match without messages is not shown."""
    view = WatchSnapshot(12.3, scene=village_document)
    table, count = rendered(view), f'{village_document["splats"]["count"]:,} splats'
    for word in ('example_village', count, 'a node every 0.5 m', 'front 10 Hz', 'top 20 Hz'):
        assert word in table, word
    assert 'ball' not in table
    assert 'referee' not in table
    assert f'scene example_village: {count}, ' in draw_line(view)
    assert 'ball' not in draw_line(view)
    assert 'ball' in draw_line(replace(SNAPSHOT, scene=village_document))


def test_the_scene_alone_is_not_silence(graph, village_document):
    """Without any topic but the scene the watch does not report silence."""
    watcher = graph.add(Watcher())
    graph.publisher(String, 'scene', STATE).publish(String(data=write(village_document)))
    graph.wait_until(lambda: watcher.snapshot().scene)
    assert not watcher.is_silent


def test_a_virtual_world_is_shown(graph):
    """Its entities are counted by class, on the page and on the line."""
    entities = tuple(
        Entity(f'{kind} {number}', kind) for kind in ('cup', 'chair', '') for number in range(2)
    )
    watcher = graph.add(Watcher())
    document = write(world_document(World('kitchen', entities)))
    graph.publisher(String, 'world', STATE).publish(String(data=document))
    states = graph.publisher(MultiDOFJointState, 'objects/state')
    graph.wait_until(lambda: watcher.snapshot().world)
    assert not watcher.is_silent
    graph.wait_until(
        lambda: states.publish(MultiDOFJointState()) or watcher.snapshot().world.rate > 0.0
    )
    line = draw_line(watcher.snapshot())
    assert 'world kitchen, 6 entities: 2 cup, 2 chair, 2 other' in line
    with (console := Console(width=80)).capture() as shown:
        console.print(draw_world(watcher.snapshot().world))
    assert all(text in shown.get() for text in ('world kitchen', '2 cup', 'objects/state'))


def test_agents_of_a_world_are_shown_with_their_counts():
    """Only what the diagnostics of a world say of them; nothing before a controller has come."""
    document = world_document(World('kitchen', ()))
    counts = agent_counts({'entities': '3', 'agents': '2', 'agents.late': '7', 'images': '1'})
    assert agent_counts({'entities': '3'}) == {}
    view = WorldView(document, 50.0, counts)
    assert world_line(view) == 'world kitchen, 0 entities; 2 agents (late 7)'
    with (console := Console(width=80)).capture() as shown:
        console.print(draw_world(view))
    assert '2 agents (late 7)' in shown.get()
    assert world_line(WorldView(document, 50.0, {'agents': '0'})) == 'world kitchen, 0 entities'


def test_objects_are_counted_by_class():
    """Objects that probably exist are counted, the most frequent class first."""
    states = (
        ObjectState.CONFIRMED,
        ObjectState.CONFIRMED,
        ObjectState.MISSING,
        ObjectState.CONFIRMED,
    )
    labels = ('cup', 'chair', 'chair', 'chair')
    objects = tuple(
        MapObject(str(index), label, np.zeros(3), np.eye(3), state=state)
        for index, (label, state) in enumerate(zip(labels, states, strict=True))
    )
    assert list(count_objects(objects).items()) == [('chair', 2), ('cup', 1)]


def test_a_rate_counts_the_last_second():
    """Each message counts for one second."""
    counter = RateCounter()
    for number in range(300):
        counter.add(number / 100)
    assert counter.rate(2.99) == pytest.approx(100.0, abs=1.0)
    assert counter.rate(3.5) == pytest.approx(50.0, abs=1.0)
    assert counter.rate(9.0) == 0.0
    assert counter.count == 300


class MatchPublisher:
    """Publishes one moment of a match repeatedly."""

    def __init__(self, graph):
        kick = Kick(STAMP_NS, BALL.position[:2], BALL.velocity, None, 0.1, None, 4)
        times = np.array((0.0, 0.25, 0.5))
        way = Samples(times, BALL.position + times[:, None] * BALL.velocity, np.zeros((3, 3)))
        status = DiagnosticStatus(level=DiagnosticStatus.WARN, name='/a', message='tired')
        field = field_document(make_geometry(BallParameters()))
        rest = BallState(STAMP_NS + SECOND, np.array((2.0, 1.0, 0.0)), np.zeros(3), np.eye(6))
        prediction = BallPredictor(BallParameters()).predict(rest)
        topics = [
            (Odometry, 'ball', ball_message(BALL, 'field'), STREAM),
            (String, 'ball/source', String(data='VISION'), STATE),
            (String, 'ball/phase', String(data='ROLLING'), STREAM),
            (String, 'ball/kick', String(data=write(kick_document(kick))), STREAM),
            (Path, 'ball/trajectory', path_message(way, STAMP_NS, 'field'), STREAM),
            (PoseWithCovarianceStamped, 'ball/rest', rest_message(prediction, 'field'), STREAM),
            (MultiDOFJointState, 'robots', robots_message(ROBOTS, 'field'), STREAM),
            (String, 'game', String(data=write(GAME)), STATE),
            (String, 'field', String(data=write(field)), STATE),
            (String, 'object_map', String(data=write(map_document(HOUSE))), STATE),
            (String, 'answer', String(data=write(dict(house_snapshot().objects.answer))), STATE),
            (DiagnosticArray, '/diagnostics', DiagnosticArray(status=[status]), STREAM),
        ]
        self._publishers = [
            (graph.probe.create_publisher(kind, topic, qos), message)
            for kind, topic, message, qos in topics
        ]
        graph.probe.create_timer(0.01, self.publish)

    def publish(self):
        """Publish every topic once."""
        for publisher, message in self._publishers:
            publisher.publish(message)


def test_the_watcher_receives_every_topic(graph):
    """Published values are in the snapshot and in the history."""
    watcher = graph.add(Watcher(MatchHistory()))
    assert watcher.is_silent
    MatchPublisher(graph)
    history = watcher.finished_history()
    graph.wait_until(
        lambda: (
            (view := watcher.snapshot()).match.robots
            and view.match.game
            and view.match.phase
            and view.match.rest
            and view.health
            and view.objects.counts
            and view.objects.answer
            and watcher.finished_history().field
            and history.kicks
            and len(history.path()) > 1
        )
    )
    view = watcher.snapshot()
    assert not watcher.is_silent
    assert view.match.ball.position == pytest.approx(BALL.position)
    assert (view.match.source, view.match.phase) == (BallSource.VISION, 'ROLLING')
    assert view.match.rest[0] == pytest.approx((2.0, 1.0, 0.0))
    assert view.match.rest[1] == STAMP_NS + SECOND
    assert view.match.robots.ids == ROBOTS.ids
    assert view.match.game == GAME
    assert view.objects.counts == {'chair': 1}
    assert view.objects.answer['decision'] == 'the map suffices'
    assert view.match.rates['ball'] > 0.0
    assert (view.health['/a'].level, view.health['/a'].message) == (1, 'tired')
    assert list(history.kicks) == [4]
    assert history.tracks[RobotId(Team.BLUE, 3)] == [(1.0, 2.0)]


def test_invalid_messages_are_ignored(graph):
    """A robot without a name and a kick that is not JSON change nothing."""
    watcher = graph.add(Watcher(MatchHistory()))
    kicks, robots = (
        graph.publisher(String, 'ball/kick'),
        graph.publisher(MultiDOFJointState, 'robots'),
    )
    bad = robots_message(ROBOTS, 'field')
    bad.joint_names[0] = 'green/1'

    def publish():
        kicks.publish(String(data='{'))
        robots.publish(bad)
        return watcher.snapshot().match.rates['robots'] > 0.0

    graph.wait_until(publish)
    assert watcher.snapshot().match.robots is None
    assert not watcher.finished_history().kicks


@contextmanager
def watching(*words, **streams):
    """Run the command as a process, which is killed after the time limit."""
    streams = {'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, **streams}
    words = (sys.executable, '-c', COMMAND, 'watch', *words)
    with subprocess.Popen(words, **streams) as process:  # noqa: S603 (this very interpreter)
        timer = Timer(TIME_LIMIT, process.kill)
        timer.start()
        try:
            yield process
        finally:
            timer.cancel()
            process.kill()


def output_until(graph, file, *wanted):
    """Publish until the output has all expected texts, and return it."""
    os.set_blocking(file, False)
    output = bytearray()

    def read():
        try:
            output.extend(os.read(file, 1 << 16))
        except BlockingIOError:
            return False
        return all(part in output for part in wanted)

    graph.wait_until(read, TIME_LIMIT)
    return bytes(output)


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_lines_are_printed_until_a_signal_and_then_a_plot(graph, tmp_path, number):
    """Without a terminal whole lines are printed; a signal gives exit code 0 and a PNG."""
    MatchPublisher(graph)
    picture = tmp_path / 'match.png'
    with watching('--plot', str(picture)) as process:
        output = output_until(
            graph, process.stdout.fileno(), b' s | ball +1.250 -0.500', b' | STOP 2:2 '
        )
        assert b'\x1b' not in output
        process.send_signal(number)
        graph.wait_until(lambda: process.poll() is not None, TIME_LIMIT)
        errors = process.stderr.read()
    assert (process.returncode, errors) == (0, b'')
    assert picture.read_bytes().startswith(b'\x89PNG')


def test_a_terminal_shows_live_pages(graph, monkeypatch):
    """On a terminal a page is updated in place, and a key turns it; then the terminal is reset."""
    monkeypatch.setenv('TERM', 'xterm-256color')
    monkeypatch.setenv('COLUMNS', '80')
    monkeypatch.setenv('LINES', '12')
    MatchPublisher(graph)
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    with watching(stdin=theirs, stdout=theirs) as process:
        cursor_up = b'\x1b[1A'
        output_until(graph, ours, b'page 1 of ', b'our goal at -x', cursor_up)
        os.write(ours, b' ')
        output_until(graph, ours, b'page 2 of ', b'rests at 2.00, 1.00 m in 1.0 s')
        os.write(ours, b'\x1b[A\x1b[A')
        output_until(graph, ours, b' nodes ', b'tired')
        process.send_signal(signal.SIGINT)
        graph.wait_until(lambda: process.poll() is not None, TIME_LIMIT)
        assert (process.returncode, process.stderr.read()) == (0, b'')
    assert termios.tcgetattr(theirs) == before
    os.close(theirs)
    os.close(ours)


@pytest.mark.parametrize(
    ('keys', 'steps'),
    [
        (b'', 0),
        (b'  b', 1),
        (b'\x1b[B\x1b[6~\x1b[C', 3),
        (b'\x1b[A\x1b[5~\x1b[D', -3),
        (b'xq\x1b[1;5B\x1b\xff', 0),
    ],
)
def test_keys_turn_pages(keys, steps):
    """Space and arrows turn, b and the other arrows turn back, and no other key does."""
    assert sum(STEPS.get(key, 0) for key in KEY.findall(keys)) == steps


def test_pages_turn_by_themselves_without_a_keyboard():
    """Each is shown for five seconds, so that all are seen."""
    console = Console(width=80, height=24, force_terminal=True, file=io.StringIO())
    with Live(console=console, auto_refresh=False) as live:
        pages = LivePages(live, None)
        for elapsed in range(0, 20, 2):
            pages.show(replace(crowded(), elapsed=float(elapsed)))
    found = re.findall(r'page (\d) of 4', console.file.getvalue())
    assert list(dict.fromkeys(found)) == ['1', '2', '3', '4']


def test_matplotlib_is_imported_only_for_the_plot(running_code):
    """Its import takes as long as all others, and only the plot needs it."""
    code = "import sys, world_model_nodes.watch.watch; sys.exit('matplotlib' in sys.modules)"
    with running_code(code) as process:
        process.communicate()
    assert process.returncode == 0


@pytest.mark.usefixtures('ros_environment')
def test_silence_is_explained(tmp_path):
    """Without messages the exit code is 1, no plot is written, and hints are printed."""
    picture = tmp_path / 'match.png'
    words = ('--seconds', '0.3', '--plot', str(picture), '--ros-args', '-r', '__ns:=/nobody')
    with watching(*words) as process:
        _, errors = process.communicate()
    assert process.returncode == 1
    assert not picture.exists()
    for hint in (
        'Is a scenario running',
        f'({os.environ["ROS_DOMAIN_ID"]} here)',
        '(/nobody here)',
    ):
        assert hint in errors.decode()


@pytest.mark.usefixtures('ros_environment')
def test_invalid_ros_arguments_are_named():
    """Arguments that ROS rejects are an error without a traceback."""
    with watching('--ros-args', '--nonsense') as process:
        _, errors = process.communicate()
    assert process.returncode == 1
    assert b"--ros-args --nonsense: ['--nonsense']" in errors
    assert b'Traceback' not in errors
