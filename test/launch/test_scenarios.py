# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Every scenario starts with its command, publishes its topics, and exits with 0."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import rclpy
from ament_index_python.packages import PackageNotFoundError, get_package_prefix
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PoseArray, PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
from nav_msgs.msg import Path as BallPath
from rclpy.qos import QoSProfile
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import MultiDOFJointState, PointCloud2
from std_msgs.msg import Int32, String
from tf2_msgs.msg import TFMessage
from vision_msgs.msg import Detection3DArray

from world_model_core.documents import parse
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.tracker_packets import decode_tracker
from world_model_core.virtual_world.rendering.contexts import RenderingError
from world_model_nodes.client import WorldModelClient
from world_model_nodes.match.convert import ball_of
from world_model_nodes.runtime.convert import from_time, to_time
from world_model_nodes.runtime.qos import CLOCK, LISTEN, STATE
from world_model_nodes.virtual_world.graphics_driver import find_driver

DEADLINE = 90.0
# Keeps messages while other processes have their turn on a busy machine.
PATIENT = QoSProfile(depth=2000)
# In the recording, since the first frame of its tracker [ns].
KICK_NS = 600_000_000
# How much /clock may be late on a busy machine, in the time of the recording [ns].
TIME_ERROR_NS = 300_000_000


def ports_of(scenario, endpoints):
    """Return the launch arguments that give a match its own ports."""
    channels = {
        'ssl_sim': ('vision', 'referee'),
        'ssl_replay': ('vision', 'tracker', 'referee'),
        'ssl_live': ('vision', 'tracker', 'referee'),
    }
    return [f'{channel}_port:={next(endpoints).port}' for channel in channels.get(scenario, ())]


class Listener:
    """A node that receives all topics of a scenario."""

    def __init__(self, context):
        self.node = rclpy.create_node('listener', context=context)
        self.executor = rclpy.executors.SingleThreadedExecutor(context=context)
        self.executor.add_node(self.node)
        self.balls, self.sources, self.kicks, self.world_models = [], [], [], []
        self.phases, self.paths, self.health, self.offsets_ns = [], [], {}, []
        self.client = WorldModelClient(self.node)
        subscribe = self.node.create_subscription
        subscribe(Odometry, 'ball', lambda m: self.balls.append(ball_of(m)), PATIENT)
        subscribe(String, 'ball/source', lambda m: self.sources.append(m.data), STATE)
        subscribe(String, 'ball/kick', lambda m: self.kicks.append(json.loads(m.data)), PATIENT)
        subscribe(String, 'ball/phase', lambda m: self.phases.append(m.data), LISTEN)
        subscribe(BallPath, 'ball/trajectory', self.paths.append, LISTEN)
        subscribe(String, 'world_model', lambda m: self.world_models.append(m.data), STATE)
        subscribe(DiagnosticArray, '/diagnostics', self.receive_health, LISTEN)
        self.answers, self.truths, self.numbers = [], [], []
        subscribe(String, 'answer', lambda m: self.answers.append(parse(m.data, 'reply')), STATE)
        subscribe(String, 'truth/answer', lambda m: self.truths.append(json.loads(m.data)), STATE)
        subscribe(Int32, 'numerical_response', lambda m: self.numbers.append(m.data), LISTEN)

    def receive_health(self, message):
        """Store the last report of every node."""
        for status in message.status:
            self.health[status.name] = status
            values = {pair.key: pair.value for pair in status.values}
            if 'vision.clock offset [s]' in values:
                self.offsets_ns.append(float(values['vision.clock offset [s]']) * 1e9)

    def wait(self, condition, process=None):
        """Spin until the condition holds, or fail."""
        end = time.monotonic() + DEADLINE
        while not condition():
            assert time.monotonic() < end, 'what was waited for did not come'
            assert process is None or process.poll() is None, 'the scenario ended by itself'
            self.executor.spin_once(timeout_sec=0.1)

    def wait_for_end(self, process):
        """Spin until the scenario has exited by itself."""
        end = time.monotonic() + DEADLINE
        while process.poll() is None:
            assert time.monotonic() < end, 'the scenario did not end'
            self.executor.spin_once(timeout_sec=0.1)


@pytest.fixture
def listener(domain, monkeypatch):
    """Make a listener in the ROS domain of this test process."""
    monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    context = rclpy.Context()
    rclpy.init(context=context)
    listener = Listener(context)
    yield listener
    listener.executor.shutdown(0)
    listener.node.destroy_node()
    context.try_shutdown()


@pytest.fixture
def start(endpoints, monkeypatch, tmp_path):
    """Return a function that starts a scenario with the installed command."""
    monkeypatch.setenv('ROS_HOME', str(tmp_path / 'ros_home'))
    try:
        command = Path(get_package_prefix('world_model')) / 'lib/world_model/world_model'
    except PackageNotFoundError:
        pytest.skip('world_model is not installed: nothing to start')
    started = []

    def run(scenario, *arguments):
        words = [str(command), 'run', scenario, *ports_of(scenario, endpoints), *arguments]
        started.append(subprocess.Popen(words, stdout=sys.stderr))  # noqa: S603
        return started[-1]

    yield run
    for process in started:
        if process.poll() is None:
            process.kill()
            process.wait()


def end(process):
    """Send SIGINT, and return the exit code."""
    process.send_signal(signal.SIGINT)
    return process.wait(timeout=DEADLINE)


def test_a_simulated_match_is_published(listener, start):
    """Ball, robots, game, predictions and a valid world model are published; Ctrl-C gives 0."""
    process = start('ssl_sim')
    listener.wait(
        lambda: (
            len(listener.balls) > 100
            and listener.client.robots is not None
            and listener.client.game is not None
            and listener.client.field is not None
            and listener.phases
            and listener.paths
            and listener.kicks
            and listener.world_models
            and 'ball' in json.loads(listener.world_models[-1])
            and {'robots', 'output_age'} <= json.loads(listener.world_models[-1]).keys()
        ),
        process,
    )
    assert len(listener.client.robots) == 12
    assert listener.client.game['our_team'] == 'yellow'
    assert 'VISION' in listener.sources
    document = parse(listener.world_models[-1], 'world_model')
    assert set(document) == {'objects', 'ball', 'robots', 'game', 'output_age'}
    assert end(process) == 0


def test_a_recorded_match_is_published_as_recorded(listener, start, shared_data):
    """Values are those of the recording, in its time; the scenario ends with it."""
    path = shared_data('ssl/match_2022_part1.log.gz')
    messages = list(RecordingReader(path))
    start_ns, end_ns = messages[0].received_ns, messages[-1].received_ns
    for _ in range(10):  # discovery by DDS takes up to 3 s, longer than the recording
        listener.balls.clear()
        # Slowly, for a busy machine.
        process = start('ssl_replay', f'log:={path}', 'team_name:=KIKS', 'speed:=0.5')
        listener.wait_for_end(process)
        assert process.returncode == 0
        if listener.balls and listener.balls[0].stamp_ns < start_ns + 0.3e9:
            break
    balls = listener.balls
    assert all(start_ns - 1e9 < ball.stamp_ns < end_ns + 1e9 for ball in balls)
    offset_ns = int(np.median(listener.offsets_ns))
    # The tracker of this recording stamps with vision's clock.
    times = np.array([ball.stamp_ns - offset_ns - tracker_start_ns(messages) for ball in balls])
    errors = distances_to_tracker(messages, balls, times)
    assert len(errors) > 150
    assert np.median(errors) < 0.01
    # Tracker and vision may detect a kick between two frames one frame apart.
    assert np.quantile(errors, 0.9) < 0.025
    speeds = np.linalg.norm([ball.velocity for ball in balls], axis=1)
    assert max(speeds[times < KICK_NS - TIME_ERROR_NS]) < 0.5
    assert max(speeds) > 3.5
    assert listener.kicks[0]['kicker'] == 'blue/2'
    game = listener.client.game
    assert game['command'] == 'DIRECT_FREE_BLUE'
    assert (game['yellow']['name'], game['blue']['name']) == ('KIKS', 'ER-Force')
    assert game['our_team'] == 'yellow'
    teams = {name.team.value for name in listener.client.robots.ids}
    assert teams == {'blue', 'yellow'}
    documents = [parse(text, 'world_model') for text in listener.world_models]
    assert any({'ball', 'robots', 'game'} <= set(document) for document in documents)
    assert any('rest' in document.get('ball', {}) for document in documents)


def tracker_frames(messages):
    """Return the frames of the tracker of a recording."""
    return [
        decode_tracker(message.data).frame
        for message in messages
        if message.kind is MessageKind.VISION_TRACKER_2020
    ]


def tracker_start_ns(messages):
    """Return the stamp of the first frame of the tracker [ns]."""
    return tracker_frames(messages)[0].stamp_ns


def distances_to_tracker(messages, balls, times):
    """
    Return each ball's smallest distance [m] from the tracker's ball.

    Parameters
    ----------
    messages : list of Message
    balls : list of BallState, length N
    times : array, shape (N,)
        Times of the balls since the first frame of the tracker [ns]. A time may be wrong by
        TIME_ERROR_NS: the receiver's clock is /clock, which is late on a busy machine.

    """
    frames = tracker_frames(messages)
    stamps = np.array([frame.stamp_ns - frames[0].stamp_ns for frame in frames])
    positions = np.array([frame.balls[0].position for frame in frames])
    shifts = np.linspace(-TIME_ERROR_NS, TIME_ERROR_NS, 301)
    wanted = times[:, None] + shifts
    truth = np.stack([np.interp(wanted, stamps, axis) for axis in positions.T], axis=-1)
    given = np.array([ball.position for ball in balls])
    return np.linalg.norm(truth - given[:, None], axis=-1).min(axis=1)


def test_a_live_match_waits_for_the_network_and_reports_it(listener, start):
    """Without packets the nodes report an error with the address; Ctrl-C gives 0."""
    process = start('ssl_live')
    port = next(word for word in process.args if word.startswith('vision_port:='))[13:]
    listener.wait(
        lambda: (
            f'224.5.23.2:{port} for 1 s'
            in getattr(listener.health.get('/ssl_receiver'), 'message', '')
        ),
        process,
    )
    assert listener.health['/ssl_receiver'].level == b'\x02'
    assert end(process) == 0


def test_a_question_about_a_simulated_house_is_answered(listener, start):
    """A robot explores one room, and its answer is the true one; Ctrl-C gives 0."""
    process = start('vla_sim', 'rooms:=1', 'speed:=10.0', 'question:=How many doors are there?')
    listener.wait(lambda: listener.numbers and listener.truths, process)
    assert listener.numbers[-1] == listener.truths[-1]['count']
    assert listener.answers[-1]['decision'] == 'the map suffices'
    listener.wait(
        lambda: listener.world_models and json.loads(listener.world_models[-1])['objects'], process
    )
    document = parse(listener.world_models[-1], 'world_model')
    assert {'door'} <= {thing['class'] for thing in document['objects'].values()}
    assert listener.client.objects
    assert end(process) == 0


def test_a_house_waits_for_its_detector_and_reports_it(listener, start):
    """Without detections and questions the nodes warn; Ctrl-C gives 0."""
    process = start('vla', 'detections:=yolo/detections', 'interest:=chair, table')
    nodes = ('/object_map', '/question_answerer', '/world_model_publisher')
    listener.wait(lambda: all(name in listener.health for name in nodes), process)
    assert listener.health['/object_map'].message == 'no detections received'
    assert listener.health['/question_answerer'].message == 'no question received'
    values = {pair.key: pair.value for pair in listener.health['/object_map'].values}
    assert values['interest'] == 'chair, table'
    assert listener.node.count_subscribers('yolo/detections') == 1
    assert end(process) == 0


def test_a_scene_is_published(listener, start):
    """Without arguments the example is published: frames, document and ground; Ctrl-C gives 0."""
    frames, splats = [], []
    listener.node.create_subscription(TFMessage, '/tf_static', frames.append, STATE)
    listener.node.create_subscription(PointCloud2, 'splats', splats.append, STATE)
    process = start('bundle', 'publish_clock:=true', 'max_points:=1000')
    listener.wait(
        lambda: (
            frames
            and splats
            and listener.client.scene is not None
            and listener.world_models
            and 'scene' in json.loads(listener.world_models[-1])
        ),
        process,
    )
    document = parse(listener.world_models[-1], 'world_model')
    assert document['scene'] == listener.client.scene
    scene = document['scene']
    children = {each.child_frame_id for each in frames[-1].transforms}
    assert {'base_link', *(each['frame_id'] for each in scene['lidars'].values())} <= children
    assert splats[-1].width == 1000
    start_point = scene['initial']['position']
    assert listener.client.heights_at(start_point[:2]) == pytest.approx(start_point[2], abs=0.5)
    assert listener.client.drivable_at(start_point[:2])
    assert end(process) == 0


def test_simulated_robots_drive(listener, start):
    """Ground truth, odometry, landmarks and diagnostics are published; Ctrl-C gives 0."""
    poses, odometry, landmarks = [], [], []
    subscribe = listener.node.create_subscription
    subscribe(PoseArray, 'ground_truth', poses.append, LISTEN)
    subscribe(Odometry, 'robot_1/odom', odometry.append, LISTEN)
    subscribe(Detection3DArray, 'robot_1/landmarks', landmarks.append, LISTEN)
    process = start('robots_sim', 'robots:=2', 'preset:=stuck', 'speed:=10.0')
    listener.wait(
        lambda: poses and odometry and landmarks and '/robot_simulator' in listener.health, process
    )
    assert len(poses[-1].poses) == 2
    assert end(process) == 0


def test_a_household_runs(listener, start):
    """The kitchen's state is published and its simulation plays; Ctrl-C gives 0."""
    pytest.importorskip('mujoco', reason='the physics of the virtual world needs MuJoCo')
    states, worlds = [], []
    subscribe = listener.node.create_subscription
    subscribe(MultiDOFJointState, 'objects/state', states.append, LISTEN)
    subscribe(String, 'world', worlds.append, STATE)
    process = start('household', 'speed:=2.0')
    listener.wait(
        lambda: len(states) > 5 and worlds and '/virtual_world' in listener.health, process
    )
    assert set(states[-1].joint_names) == set(parse(worlds[-1].data, 'virtual_world')['entities'])
    assert stamp_of(states[-1]) > stamp_of(states[0])
    assert end(process) == 0


def test_a_household_is_explored(listener, start):
    """The robot is localized and maps what it sees, and a question is answered; Ctrl-C gives 0."""
    pytest.importorskip('mujoco', reason='the physics of the virtual world needs MuJoCo')
    try:
        find_driver()
    except RenderingError as error:
        pytest.skip(str(error))
    poses, maps = [], []
    subscribe = listener.node.create_subscription
    subscribe(PoseWithCovarianceStamped, 'robot/amcl_pose', poses.append, PATIENT)
    subscribe(String, 'object_map', lambda m: maps.append(json.loads(m.data)), STATE)
    question = 'How many chairs are there?'
    process = start('household_explore', f'question:={question}', 'speed:=3.0', 'time_budget:=5.0')
    listener.wait(lambda: poses and maps and maps[-1]['objects'] and listener.truths, process)
    listener.wait(lambda: listener.answers and listener.answers[-1]['final'], process)
    assert listener.truths[-1]['count'] == 4
    assert poses[-1].header.frame_id == maps[-1]['frame_id'] == 'world'
    assert {each['class'] for each in maps[-1]['objects'].values()} == {'chair'}
    assert end(process) == 0


def test_simulated_robots_follow_another_clock(listener, start):
    """With /clock from another node all stamps are those of /clock."""
    odometry, clock_ns = [], 1000 * 10**9
    subscribe = listener.node.create_subscription
    subscribe(Odometry, 'robot_1/odom', lambda m: odometry.append(stamp_of(m)), PATIENT)
    clock = listener.node.create_publisher(Clock, '/clock', CLOCK)
    process = start('robots_sim', 'robots:=2', 'publish_clock:=false')

    def publish_time():
        nonlocal clock_ns
        clock.publish(Clock(clock=to_time(clock_ns)))
        clock_ns += 20_000_000
        return len(odometry) > 20

    listener.wait(publish_time, process)
    assert all(1000 * 10**9 <= stamp_ns <= clock_ns for stamp_ns in odometry)
    assert np.diff(odometry).min() >= 99_999_999
    assert end(process) == 0


def stamp_of(message):
    """Return the stamp of a message [ns]."""
    return from_time(message.header.stamp)


def test_simulated_robots_are_localized(listener, start):
    """Both robots are localized near the truth, each by its own filter; Ctrl-C gives 0."""
    truths, poses, clouds = {}, {0: [], 1: []}, []
    subscribe = listener.node.create_subscription

    def receive_truth(message):
        truths[from_time(message.header.stamp)] = message.poses

    def receive_pose(robot, message):
        poses[robot].append((from_time(message.header.stamp), message.pose.pose.position))

    subscribe(PoseArray, 'ground_truth', receive_truth, PATIENT)
    for robot in poses:
        receive = partial(receive_pose, robot)
        subscribe(PoseWithCovarianceStamped, f'robot_{robot}/amcl_pose', receive, PATIENT)
    subscribe(PoseArray, 'robot_1/particle_cloud', clouds.append, LISTEN)
    process = start('robots_localization', 'speed:=5.0')

    def errors(robot):
        pairs = [(truths[ns][robot].position, at) for ns, at in poses[robot] if ns in truths]
        return [np.hypot(true.x - found.x, true.y - found.y) for true, found in pairs]

    nodes = ('/robot_0/ekf_localizer', '/robot_1/particle_localizer')
    listener.wait(
        lambda: (
            min(len(errors(robot)) for robot in poses) > 50
            and clouds
            and all(name in listener.health for name in nodes)
        ),
        process,
    )
    assert max(np.median(errors(robot)) for robot in poses) < 1.0
    assert end(process) == 0


def test_the_window_is_open_before_any_scenario_runs(listener, start):
    """The viewer reports that it shows no scene and has no page; Ctrl-C gives 0."""
    pytest.importorskip('viser', reason='the extra [view] is not installed')
    process = start('view', 'view_port:=0')
    listener.wait(lambda: '/viewer' in listener.health, process)
    values = {pair.key: pair.value for pair in listener.health['/viewer'].values}
    assert (values['scenes'], values['pages']) == ('none', '0')
    assert end(process) == 0
