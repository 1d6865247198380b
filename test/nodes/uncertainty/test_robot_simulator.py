# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""robot_simulator drives robots by commands, and publishes sensor data and ground truth."""

from __future__ import annotations

import itertools
import math
import signal

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import PoseArray, Twist
from nav_msgs.msg import Odometry
from rclpy.parameter import Parameter
from rclpy.qos import QoSHistoryPolicy, QoSProfile
from rclpy.time import Time
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import MultiDOFJointState, PointCloud2
from std_srvs.srv import SetBool, Trigger
from tf2_ros import Buffer, TransformListener
from vision_msgs.msg import Detection3DArray
from visualization_msgs.msg import MarkerArray

from world_model_core.errors import ConfigurationError
from world_model_core.uncertainty.lecture_simulations import LANDMARKS
from world_model_core.uncertainty.stuck_robots import StuckParameters
from world_model_nodes.runtime.convert import from_time, header, heading_of
from world_model_nodes.runtime.qos import CLOCK
from world_model_nodes.uncertainty.convert import readings_of
from world_model_nodes.uncertainty.robot_publishers import MAX_NAMED
from world_model_nodes.uncertainty.robot_simulator import RobotSimulator, RobotSimulatorConfig

DT_NS = 100_000_000
STREAMS = {
    'robot_1/odom': Odometry,
    'robot_1/ground_truth': Odometry,
    'robot_1/landmarks': Detection3DArray,
    'robot_1/ground_truth/landmarks': Detection3DArray,
    'ground_truth': PoseArray,
    'ground_truth/causes': PointCloud2,
    'fleet': MultiDOFJointState,
    'fleet/markers': MarkerArray,
}


class Hall:
    """Run a simulator and record all of its topics."""

    def __init__(self, graph, **given):
        self.graph = graph
        values = {'robots': 3, 'speed': 5.0, 'clock_rate': 50.0, **given}
        overrides = [Parameter(name, value=value) for name, value in values.items()]
        self.node = graph.add(RobotSimulator(parameter_overrides=overrides))
        # A busy machine must lose no message that a test waits for.
        every = QoSProfile(history=QoSHistoryPolicy.KEEP_ALL)
        self.received = {name: graph.listen(kind, name, every) for name, kind in STREAMS.items()}
        self.clock = graph.listen(Clock, '/clock', CLOCK)
        self.reports = graph.listen(DiagnosticArray, '/diagnostics')
        self.tf = Buffer()
        self._listener = TransformListener(self.tf, graph.probe)

    def start(self):
        """Configure, wait for all subscriptions, and activate."""
        self.node.trigger_configure()
        self.graph.wait_until(
            lambda: all(self.graph.probe.count_publishers(name) for name in STREAMS)
        )
        self.node.trigger_activate()
        return self

    def wait_for(self, *names, count=3):
        """Wait for messages on some topics."""
        self.graph.wait_until(lambda: all(len(self.received[name]) >= count for name in names))

    def together(self, *names):
        """Return the newest messages of some topics that have the same stamp."""

        def stamped(name):
            return {from_time(each.header.stamp): each for each in self.received[name]}

        stamp = max(
            self.graph.wait_until(
                lambda: set.intersection(*(set(stamped(name)) for name in names))
            )
        )
        return [stamped(name)[stamp] for name in names]

    def wait_for_the_last(self, name):
        """Wait for the message of the time at which the simulator is paused."""
        self.graph.wait_until(
            lambda: (
                self.received[name]
                and from_time(self.received[name][-1].header.stamp) == self.node._stamp_ns
            )
        )

    @property
    def status(self):
        """Return the newest status, or None."""
        return self.reports[-1].status[0] if self.reports else None

    def value(self, key):
        """Return a value of the newest status."""
        return {} if self.status is None else {v.key: v.value for v in self.status.values}.get(key)


@pytest.fixture
def hall(graph, often):  # noqa: ARG001 (before the node is made)
    """Make a simulator of several robots."""
    return lambda **given: Hall(graph, **given)


def planar(pose):
    """Convert a pose to x, y [m] and theta [rad]."""
    return pose.position.x, pose.position.y, heading_of(pose.orientation)


def test_without_errors_all_topics_agree(hall):
    """Without errors, odometry equals the ground truth, and stamps are times of /clock."""
    place = hall(preset='ideal').start()
    odom, true, poses, fleet = place.together(
        'robot_1/odom', 'robot_1/ground_truth', 'ground_truth', 'fleet'
    )
    assert planar(odom.pose.pose) == pytest.approx(planar(true.pose.pose))
    assert planar(poses.poses[1]) == pytest.approx(planar(true.pose.pose))
    assert fleet.joint_names == ['robot_0', 'robot_1', 'robot_2']
    assert fleet.transforms[1].translation.x == pytest.approx(odom.pose.pose.position.x)
    assert (odom.header.frame_id, odom.child_frame_id) == ('robot_1/odom', 'robot_1/base_link')
    assert true.header.frame_id == poses.header.frame_id == 'map'
    assert odom.twist.twist.linear.x == pytest.approx(0.2)
    assert true.twist.twist.angular.z == pytest.approx(math.radians(10.0))
    # /clock keeps one message: a busy test misses some of them.
    place.graph.wait_until(
        lambda: (
            {from_time(each.header.stamp) for each in place.received['robot_1/odom']}
            & set(map(clock_ns, place.clock))
        )
    )


def clock_ns(message):
    """Convert a message of /clock to [ns]."""
    return from_time(message.clock)


def test_time_goes_in_steps(hall):
    """Stamps differ by whole steps, and the robot moves in proportion."""
    place = hall(preset='ideal').start()
    place.wait_for('robot_1/odom', count=10)
    stamps = [from_time(each.header.stamp) for each in place.received['robot_1/odom']]
    assert {(stamp - stamps[0]) % DT_NS for stamp in stamps} == {0}
    headings = [planar(each.pose.pose)[2] for each in place.received['robot_1/odom']]
    expected = headings[0] + math.radians(10.0) * (np.array(stamps) - stamps[0]) / 1e9
    assert np.cos(headings - expected) == pytest.approx(1.0)


def test_landmarks_have_the_right_position_and_frame(hall):
    """Landmarks are numbered, in the robot's frame; tf transforms them to the map."""
    place = hall(preset='ideal').start()
    place.graph.wait_until(
        lambda: any(message.detections for message in place.received['robot_1/landmarks'])
    )
    detected = [message for message in place.received['robot_1/landmarks'] if message.detections][
        -1
    ]
    assert detected.header.frame_id == 'robot_1/base_link'
    true = place.graph.wait_until(
        lambda: [
            each
            for each in place.received['robot_1/ground_truth']
            if each.header == true_of(detected)
        ]
    )[0]
    x, y, theta = planar(true.pose.pose)
    readings = readings_of(detected, len(LANDMARKS))
    for number in np.flatnonzero(~np.isnan(readings[:, 0])):
        distance, bearing = readings[number]
        found = x + distance * math.cos(theta + bearing), y + distance * math.sin(theta + bearing)
        assert found == pytest.approx(LANDMARKS[number])
    time = Time.from_msg(detected.header.stamp)
    place.graph.wait_until(lambda: place.tf.can_transform('map', 'robot_1/base_link', time))
    told_of = place.tf.lookup_transform('map', 'robot_1/base_link', time).transform
    assert (told_of.translation.x, told_of.translation.y) == pytest.approx((x, y))


def true_of(message):
    """Make the header of the ground truth at the time of a message."""
    return header(from_time(message.header.stamp), 'map')


def test_every_reading_has_a_ground_truth(hall):
    """Landmarks with a reading are in view and not missed; those out of view have none."""
    place = hall(preset='lecture').start()
    place.wait_for('robot_1/landmarks', 'robot_1/ground_truth/landmarks', count=20)
    detected, true = place.together('robot_1/landmarks', 'robot_1/ground_truth/landmarks')
    causes = {
        each.id: {result.hypothesis.class_id for result in each.results}
        for each in true.detections
    }
    assert set(causes) == {'0', '1', '2'}
    read = {each.id for each in detected.detections}
    for number, names in causes.items():
        assert (number in read) == names.isdisjoint({'out_of_view', 'missed_detection'})
        assert (number not in read) or {'noise', 'bias'} <= names


def test_a_localizer_may_publish_the_frame_of_odometry(hall):
    """With `place_odom` false, the transform from map to odometry is not published."""
    place = hall(preset='ideal', place_odom=False).start()
    place.wait_for('robot_1/odom')
    place.graph.wait_until(
        lambda: place.tf.can_transform('robot_1/odom', 'robot_1/base_link', Time())
    )
    assert not place.tf.can_transform('map', 'robot_1/base_link', Time())


def test_frames_have_names_of_their_own(graph, often):  # noqa: ARG001 (before the node is made)
    """Frames start with the namespace, as topics do; the map's frame is a parameter."""
    overrides = [Parameter('robots', value=2), Parameter('frame_id', value='hall')]
    node = graph.add(RobotSimulator(namespace='/left', parameter_overrides=overrides))
    odometry = graph.listen(Odometry, 'left/robot_1/odom')
    truths = graph.listen(PoseArray, 'left/ground_truth')
    tf = Buffer()
    listener = TransformListener(tf, graph.probe)
    assert node.autostart()
    graph.wait_until(lambda: odometry and truths)
    assert odometry[-1].header.frame_id == 'left/robot_1/odom'
    assert odometry[-1].child_frame_id == 'left/robot_1/base_link'
    assert truths[-1].header.frame_id == 'hall'
    graph.wait_until(lambda: tf.can_transform('hall', 'left/robot_1/base_link', Time()))
    listener.unregister()


@pytest.mark.parametrize(
    ('given', 'namespace', 'frame'),
    [('', '/', 'robot_3/odom'), ('', '/a/b', 'a/b/robot_3/odom'), ('/', '/a', 'robot_3/odom'),
     ('/c/', '/a', 'c/robot_3/odom')],
)  # fmt: skip
def test_a_prefix_of_frames_may_be_given(given, namespace, frame):
    """The prefix replaces the namespace; a slash alone means no prefix."""
    assert RobotSimulatorConfig(frame_prefix=given).frames(namespace).odom(3) == frame


def test_a_map_without_a_name_is_refused():
    """An empty name of the map's frame is rejected."""
    with pytest.raises(ConfigurationError, match='frame_id'):
        RobotSimulatorConfig(frame_id='').frames('/')


def test_odometry_without_a_transform_is_not_drawn(hall):
    """With `place_odom` false, odometry has no place in the map and is not drawn."""
    place = hall(preset='ideal', place_odom=False).start()
    place.wait_for('fleet', 'fleet/markers')
    assert place.received['fleet'][-1].header.frame_id == ''
    drawn = {marker.ns for marker in place.received['fleet/markers'][-1].markers}
    assert drawn == {'robots', 'headings', 'landmarks', 'landmark readings'}


def test_a_command_moves_one_robot(hall):
    """Odometry has the command until the next one; the other robots drive circles."""
    place = hall(preset='ideal').start()
    commands = place.graph.publisher(Twist, 'robot_1/cmd_vel')
    command = Twist()
    command.linear.x, command.angular.z = -0.5, 0.0
    commands.publish(command)
    place.graph.wait_until(
        lambda: (
            place.received['fleet']
            and place.received['fleet'][-1].twist[1].linear.x == pytest.approx(-0.5)
        )
    )
    assert place.received['fleet'][-1].twist[0].linear.x == pytest.approx(0.2)


def test_an_invalid_command_is_counted(hall):
    """A command with NaN has no effect and is counted in /diagnostics."""
    place = hall(preset='ideal').start()
    commands = place.graph.publisher(Twist, 'robot_1/cmd_vel')
    command = Twist()
    command.linear.x = math.nan
    commands.publish(command)
    place.graph.wait_until(lambda: place.value('cmd_vel.malformed') == '1')
    place.wait_for('fleet')
    assert place.received['fleet'][-1].twist[1].linear.x == pytest.approx(0.2)


def test_a_step_that_cannot_be_taken_is_an_error(hall, tmp_path):
    """With too many pebbles for a step nothing moves, and /diagnostics has the cause."""
    path = tmp_path / 'noise.yaml'
    path.write_text('motion: {pebbles: {rate: 10000.0}}\n')
    place = hall(noise_file=str(path), nu=100.0, dt=1.0).start()
    place.graph.wait_until(lambda: place.status and place.status.level == DiagnosticStatus.ERROR)
    assert 'the simulation is stopped' in place.status.message
    assert place.value('time [s]') == '0.0'


def test_a_command_that_cannot_be_driven_stops_no_robot(hall, tmp_path):
    """The command is rejected; all robots continue with their last commands."""
    path = tmp_path / 'noise.yaml'
    path.write_text('motion: {pebbles: {rate: 10000.0}}\n')
    place = hall(noise_file=str(path), dt=0.1).start()
    commands = place.graph.publisher(Twist, 'robot_1/cmd_vel')
    command = Twist()
    command.linear.x = 99.0
    commands.publish(command)
    place.graph.wait_until(lambda: place.value('cmd_vel.malformed') == '1')
    place.received['fleet'].clear()
    place.wait_for('fleet')
    assert place.received['fleet'][-1].twist[1].linear.x == pytest.approx(0.2)


def test_another_command_lets_robots_move_again(hall, tmp_path):
    """After a valid command robots move again; a step without effect reports the cause."""
    path = tmp_path / 'noise.yaml'
    path.write_text('motion: {pebbles: {rate: 10000.0}}\n')
    place = hall(noise_file=str(path), nu=100.0, dt=0.1, robots=2).start()
    place.graph.wait_until(lambda: place.status and place.status.level == DiagnosticStatus.ERROR)
    call = place.graph.call
    call(SetBool, 'robot_simulator/pause', SetBool.Request(data=True))
    answer = call(Trigger, 'robot_simulator/step', Trigger.Request())
    assert not answer.success
    assert 'the simulation is stopped' in answer.message
    place.received['fleet'].clear()
    commands = [place.graph.publisher(Twist, f'robot_{robot}/cmd_vel') for robot in (0, 1)]

    def command_and_step():
        for each in commands:
            each.publish(Twist())
        return call(Trigger, 'robot_simulator/step', Trigger.Request()).success

    place.graph.wait_until(command_and_step)
    place.wait_for('fleet', count=1)


def test_a_missing_clock_is_an_error(hall):
    """Waiting for /clock is reported as an error."""
    place = hall(publish_clock=False, use_sim_time=True)
    place.node.trigger_configure()
    place.node.trigger_activate()
    place.graph.wait_until(lambda: place.status and place.status.level == DiagnosticStatus.ERROR)
    assert 'no time has been received on /clock' in place.status.message


@pytest.mark.parametrize(('preset', 'trouble'), [('stuck', 'stuck'), ('kidnap', 'kidnapped')])
def test_robots_in_trouble_are_named(hall, preset, trouble):
    """/diagnostics warns of stuck and kidnapped robots by name."""
    place = hall(preset=preset, speed=20.0, robots=20).start()
    place.graph.wait_until(lambda: place.value(trouble))
    assert place.status.level == DiagnosticStatus.WARN
    named = set(place.value(trouble).split(', '))
    assert named <= {f'robot_{number}' for number in range(20)}
    assert f'{trouble}: {place.value(trouble)}' in place.status.message


def test_the_covariance_of_odometry_grows(hall):
    """Covariances of odometry grow with the path; those of the ground truth are zero."""
    place = hall(preset='lnpr').start()
    place.wait_for('robot_1/odom', 'robot_1/ground_truth', count=20)
    early, late = (place.received['robot_1/odom'][number] for number in (2, 19))
    before, after = (np.reshape(each.pose.covariance, (6, 6)) for each in (early, late))
    assert np.array_equal(after, after.T)
    for axis in (0, 1, 5):
        assert 0.0 < before[axis, axis] < after[axis, axis] < 1.0
    assert not after[2:5].any()
    velocities = np.reshape(late.twist.covariance, (6, 6))
    assert np.sqrt(velocities[0, 0]) == pytest.approx(0.1 * 0.2)
    assert np.sqrt(velocities[5, 5]) == pytest.approx(0.1 * math.radians(10.0))
    truth = place.received['robot_1/ground_truth'][-1]
    assert not truth.pose.covariance.any()
    assert not truth.twist.covariance.any()


def test_odometry_ignores_kidnappings(hall):
    """The ground truth jumps while odometry continues, so that the two differ."""
    place = hall(preset='kidnap', speed=20.0).start()
    place.graph.wait_until(lambda: 'robot_1' in (place.value('kidnapped') or ''))

    def error():
        odom, true = place.together('robot_1/odom', 'robot_1/ground_truth')
        return math.dist(planar(odom.pose.pose)[:2], planar(true.pose.pose)[:2])

    place.graph.wait_until(lambda: error() > 0.1)


def test_many_robots_share_topics(hall):
    """Only the first hundred robots have own topics; all are in the ground truth."""
    place = hall(preset='lnpr', robots=MAX_NAMED + 20, speed=1.0).start()
    place.wait_for('ground_truth', 'fleet', 'fleet/markers', count=1)
    assert len(place.received['ground_truth'][-1].poses) == MAX_NAMED + 20
    assert place.received['fleet'][-1].joint_names[-1] == f'robot_{MAX_NAMED + 19}'
    robots = next(m for m in place.received['fleet/markers'][-1].markers if m.ns == 'robots')
    assert len(robots.points) == MAX_NAMED + 20
    published = {name for name, _ in place.graph.probe.get_topic_names_and_types()}
    assert f'/robot_{MAX_NAMED - 1}/odom' in published
    assert f'/robot_{MAX_NAMED}/odom' not in published


def test_time_can_be_paused_stepped_and_reset(hall):
    """A step moves robots by one dt; after a reset the same run starts again."""
    place = hall(preset='lecture', speed=1.0).start()
    place.wait_for('ground_truth', count=4)
    call = place.graph.call
    assert call(SetBool, 'robot_simulator/pause', SetBool.Request(data=True)).success
    place.wait_for_the_last('ground_truth')
    place.received['ground_truth'].clear()
    assert call(Trigger, 'robot_simulator/step', Trigger.Request()).success
    place.wait_for('ground_truth', count=1)
    assert call(Trigger, 'robot_simulator/step', Trigger.Request()).success
    place.wait_for('ground_truth', count=2)
    first, second = (from_time(each.header.stamp) for each in place.received['ground_truth'][-2:])
    assert second - first == pytest.approx(DT_NS, abs=2)

    def first_steps():
        place.received['ground_truth'].clear()
        assert call(Trigger, 'robot_simulator/reset', Trigger.Request()).success
        place.wait_for('ground_truth', count=1)
        for count in (2, 3, 4):
            assert call(Trigger, 'robot_simulator/step', Trigger.Request()).success
            place.wait_for('ground_truth', count=count)
        return [[planar(pose) for pose in each.poses] for each in place.received['ground_truth']]

    begun = first_steps()
    assert begun[0] == [(0.0, 0.0, 0.0)] * 3
    assert begun[3] != begun[0]
    assert first_steps() == begun


def test_the_speed_may_change_at_any_time(hall):
    """The speed can be changed at any time, other parameters only without robots."""
    place = hall(preset='ideal', speed=1.0).start()
    place.wait_for('fleet', count=1)
    assert place.node.set_parameters([Parameter('speed', value=50.0)])[0].successful
    place.graph.wait_until(lambda: float(place.value('time [s]') or 0.0) > 20.0)
    refused = place.node.set_parameters([Parameter('robots', value=5)])[0]
    assert not refused.successful
    assert 'read-only' in refused.reason


def test_another_clock_is_followed(hall):
    """Without `publish_clock` steps follow /clock; when it is set back, the run restarts."""
    place = hall(preset='ideal', publish_clock=False, use_sim_time=True).start()
    clock = place.graph.publisher(Clock, '/clock', CLOCK)

    def publish(stamp_ns, condition):
        def publish_again():
            clock.publish(Clock(clock=header(stamp_ns, '').stamp))
            return condition()

        place.graph.wait_until(publish_again)

    def stamped(stamp_ns):
        received = place.received['fleet']
        return lambda: received and from_time(received[-1].header.stamp) == stamp_ns

    publish(10**9, stamped(10**9))
    assert place.received['fleet'][-1].transforms[0].translation.x == 0.0
    publish(10**9 + 7 * DT_NS + 5, stamped(10**9 + 7 * DT_NS))
    turned = place.received['fleet'][-1].transforms[0].rotation
    assert heading_of(turned) == pytest.approx(0.7 * math.radians(10.0))
    place.received['fleet'].clear()
    times = itertools.count(5 * 10**8, 1000)

    def publish_next():
        clock.publish(Clock(clock=header(next(times), '').stamp))
        return place.received['fleet']

    begun = place.graph.wait_until(publish_next)[0]
    assert 5 * 10**8 <= from_time(begun.header.stamp) < 10**9
    assert begun.transforms[0].translation.x == 0.0
    assert place.graph.call(Trigger, 'robot_simulator/reset', Trigger.Request()).success


def test_deactivation_stops_robots(hall):
    """An inactive simulator reports it; activation starts a new run."""
    place = hall(preset='ideal').start()
    place.wait_for('fleet')
    place.node.trigger_deactivate()
    place.graph.wait_until(
        lambda: place.status is not None and place.status.message == 'not active'
    )
    place.received['fleet'].clear()
    place.node.trigger_activate()
    place.wait_for('fleet', count=1)
    place.node.trigger_deactivate()
    place.node.trigger_cleanup()
    place.graph.wait_until(lambda: place.status.message == 'not configured')


def test_noise_comes_from_a_file(tmp_path):
    """Values of the file replace those of the preset; the others stay."""
    path = tmp_path / 'noise.yaml'
    path.write_text('motion: {stuck: {mean_free: 7.0}}\n')
    motion, observation = RobotSimulatorConfig(noise_file=str(path)).error_models()
    assert motion.stuck.mean_free == 7.0
    assert motion.pebbles is None
    assert observation == RobotSimulatorConfig().error_models()[1]


def test_null_is_off(tmp_path):
    """In a noise file, null disables a source; an omitted source has its default."""
    path = tmp_path / 'noise.yaml'
    sources = (
        'noise',
        'bias',
        'drift',
        'clutter',
        'missed_detection',
        'occlusion',
        'lasting_occlusion',
    )
    nulls = ', '.join(f'{name}: null' for name in sources)
    path.write_text(f'motion: {{pebbles: null, stuck: {{}}}}\nobservation: {{{nulls}}}\n')
    motion, observation = RobotSimulatorConfig(noise_file=str(path)).error_models()
    assert (motion.pebbles, motion.stuck) == (None, StuckParameters())
    assert list(observation.sources()) == ['field_of_view']


@pytest.mark.parametrize(
    ('text', 'complaint'),
    [
        ('[', 'the file is not YAML'),
        ('motion: {}\nmotion: {}', 'the key motion is repeated'),
        ('motion: {pebbles: {rate: 1, rate: 2}}', 'the key rate is repeated'),
        ('motion: {pebbles: {rate: 1e1}}', 'noise.yaml: pebbles.rate is .1e1.; it must .* 1.0e.1'),
        (f'motion: {{pebbles: {{rate: 1{"0" * 5000}}}}}', 'noise.yaml'),
        ('[' * 5000 + ']' * 5000, 'nested deeper'),
        ('observation: {field_of_view: null}', 'noise.yaml: field_of_view is (None|null)'),
        ('3', 'must have'),
        ('noise: {}', 'must have'),
        ('motion: 3', 'must be a mapping'),
        ('motion: {stuck: 3}', 'must be a mapping'),
        ('motion: {mud: {}}', 'mud'),
        ('observation: {noise: {loud: 1.0}}', 'loud'),
        ('observation: {order: mine}', 'mine'),
        ('observation: {missed_detection: {probability: 2.0}}', '2.0'),
    ],
)
def test_a_bad_noise_file_is_refused(tmp_path, text, complaint):
    """The error names the cause."""
    path = tmp_path / 'noise.yaml'
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=complaint):
        RobotSimulatorConfig(noise_file=str(path)).error_models()


def test_landmarks_come_in_pairs():
    """An x without a y is rejected."""
    with pytest.raises(ConfigurationError, match='5 numbers'):
        RobotSimulatorConfig(landmarks=(1.0, 2.0, 3.0, 4.0, 5.0)).places()


def test_a_world_may_have_no_landmarks(hall):
    """Without landmarks robots publish no readings and report it; odometry continues."""
    place = hall(preset='lecture', landmarks=[]).start()
    place.wait_for('robot_1/odom', 'robot_1/landmarks', 'fleet/markers')
    assert place.received['robot_1/landmarks'][-1].detections == []
    assert place.status is None or place.status.level != DiagnosticStatus.ERROR


@pytest.mark.parametrize(
    'words',
    [['robots:=0'], ['preset:=mud'], ['landmarks:=[1.0]'], ['use_sim_time:=true']],
    ids=lambda words: words[0],
)
def test_an_invalid_parameter_stops_the_start(running, words):
    """A FATAL message names the parameter, and the process exits with 1."""
    with running('robot_simulator', '-p', words[0]) as process:
        _, errors = process.communicate()
    assert process.returncode == 1
    assert words[0].split(':')[0] in errors


def test_interrupt_ends_quietly(running, graph):
    """Ctrl-C ends the process with exit code 0 and no traceback."""
    received = graph.listen(Odometry, 'robot_0/odom')
    with running('robot_simulator') as process:
        graph.wait_until(lambda: received)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 0, errors
    assert 'Traceback' not in errors
