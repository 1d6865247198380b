# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The pose of ekf_localizer is accurate, tf agrees with it, and invalid input is counted."""

from __future__ import annotations

import math

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticStatus
from geometry_msgs.msg import Point, PoseWithCovarianceStamped
from hypothesis import given
from hypothesis import strategies as st
from nav_msgs.msg import Odometry
from rclpy.parameter import Parameter
from scipy.stats import chi2
from std_srvs.srv import Trigger
from vision_msgs.msg import Detection3DArray

from world_model_core.errors import ConfigurationError
from world_model_core.gaussian import mahalanobis_squared
from world_model_core.localization.measurement_queue import PoseFix
from world_model_core.localization.pose_estimators import (
    CorrectionResult,
    PoseEstimate,
    WrongLandmark,
)
from world_model_nodes.localization.convert import estimate_message, estimate_of, planar_of
from world_model_nodes.localization.ekf_localizer import EkfLocalizer, EkfLocalizerConfig
from world_model_nodes.localization.localizer_diagnostics import LocalizerReport
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.uncertainty.convert import (
    count_left_out,
    landmarks_message,
    odometry_message,
    readings_of,
)
from world_model_nodes.uncertainty.robot_simulator import RobotSimulator

RUNS, STEPS = 12, 30
METERS = st.floats(-1000.0, 1000.0)


def test_the_pose_is_as_accurate_as_its_covariance(course):
    """The mean NEES of the poses of a dozen runs is within the bounds of a consistent filter."""
    ride, nees = course(EkfLocalizer, initial_stds=[0.001, 0.001, 0.001]), []
    for seed in range(1, RUNS + 1):
        ride.begin(seed)
        ride.step(STEPS)
        nees.append(float(mahalanobis_squared(*ride.error())))
    low, high = chi2.ppf((0.0005, 0.9995), 3 * RUNS) / RUNS
    assert low < np.mean(nees) < high
    # In each run but the first, time jumped back and the filter restarted.
    ride.wait_for('clock.jumped back', str(RUNS - 1))


def test_tf_agrees_with_the_pose(course):
    """With the published frame of odometry, tf places the robot at its pose in every message."""
    ride = course(EkfLocalizer, transform_tolerance=0.0)
    for _ in range(5):
        estimated = ride.step(5)
        assert ride.base_link() == pytest.approx(planar_of(estimated.pose.pose), abs=1e-9)
    assert estimated.header.frame_id == 'map'


def test_tf_is_known_when_newer_odometry_arrives(course):
    """`transform_tolerance` later than the pose, tf must place the robot by its odometry."""
    ride = course(EkfLocalizer, transform_tolerance=0.2)
    ride.step(5)
    for _ in range(2):
        ride.fleet.step(0.1)
        ride.stamp_ns += ride.dt_ns
        ride.publish_odometry()
    off = ride.base_link() - ride.fleet.truth.poses[0]
    assert np.hypot(*off[:2]) < 0.3


def test_tf_broadcast_can_be_disabled(course):
    """With `tf_broadcast` false, another node may publish the frame of odometry."""
    ride = course(EkfLocalizer, tf_broadcast=False)
    ride.step(3)
    assert not ride.graph.probe.count_publishers('/tf')


def test_without_landmarks_odometry_is_followed(course):
    """Without landmarks the pose is published max_delay later, and its covariance grows."""
    ride = course(EkfLocalizer, max_delay=0.2)
    for _ in range(20):
        ride.fleet.step(0.1)
        ride.stamp_ns += ride.dt_ns
        ride.publish_odometry()
    last = ride.start_ns + 18 * ride.dt_ns
    ride.graph.wait_until(lambda: ride.poses and from_time(ride.poses[-1].header.stamp) == last)
    spreads = [np.trace(np.reshape(estimated.pose.covariance, (6, 6))) for estimated in ride.poses]
    assert (np.diff(spreads) > 0.0).all()


def test_lost_odometry_does_no_harm(course):
    """The motion between two messages is computed from their poses."""
    ride = course(EkfLocalizer, preset='sensor_noise', max_odometry_gap=0.5)
    ride.step(5)
    for _ in range(10):
        ride.fleet.step(0.1)
        ride.stamp_ns += ride.dt_ns
    ride.publish_odometry()
    ride.publish_detections()
    ride.wait_for_pose()
    off, _ = ride.error()
    assert np.abs(off).max() < 0.05
    ride.wait_for('odom.gap', '1')


def test_an_initial_pose_sets_the_estimate(course):
    """`initialpose` sets pose and covariance; the default covariance is that of the parameters."""
    ride = course(EkfLocalizer)
    ride.step(3)
    for covariance, spread in ((np.eye(3), 0.5), (np.zeros((3, 3)), 0.05)):
        there = PoseEstimate(np.array((2.0, -1.0, 1.0)), covariance)
        ride.initial.publish(estimate_message(there, 0, 'map'))
        ride.graph.wait_until(lambda: ride.node._queue._estimator.estimate.pose[0] == 2.0)
        held = ride.node._queue._estimator.estimate.covariance
        assert math.sqrt(held[0, 0]) >= spread
        ride.kidnap(2.0, -1.0, 1.0)
        ride.step(2)
        off, _ = ride.error()
        assert np.hypot(*off[:2]) < 0.5


def test_a_kidnapped_robot_is_a_warning(course):
    """A Kalman filter cannot find a kidnapped robot: it warns until it gets an initial pose."""
    ride = course(EkfLocalizer, preset='sensor_noise')
    ride.step(10)
    ride.kidnap(-1.0, 1.0, -2.0)
    ride.graph.wait_until(lambda: ride.step() and ride.status and 'lost' in ride.status.message)
    assert ride.status.level == DiagnosticStatus.WARN
    assert int(ride.value('readings.gated')) > 1
    there = PoseEstimate(ride.fleet.truth.poses[0], 0.01 * np.eye(3))
    ride.initial.publish(estimate_message(there, 0, 'map'))
    ride.graph.wait_until(lambda: ride.step() and ride.status.message == 'ok')
    assert np.abs(ride.error()[0]).max() < 0.3


def test_a_wrong_landmark_is_a_warning(course):
    """A landmark elsewhere than in the map is named with its id and distance."""
    ride = course(EkfLocalizer, preset='sensor_noise')
    ride.fleet.landmarks[1, 0] += 0.6
    ride.graph.wait_until(
        lambda: ride.step() and ride.status and 'landmark 1' in ride.status.message
    )
    assert ride.status.level == DiagnosticStatus.WARN


def test_doubts_about_the_pose_are_warnings():
    """An uncertain position, a lost robot and a wrong landmark each have their text."""
    report, wrong = LocalizerReport(), WrongLandmark(2, 0.48)
    correction = CorrectionResult(np.ones(3, dtype=bool), np.ones(3), True, wrong)
    report.add(PoseFix(1, PoseEstimate(np.zeros(3), 0.04 * np.eye(3)), np.zeros(3), correction))
    lost, uncertain, landmark = report.warnings
    assert 'lost' in lost
    assert '0.28 m' in uncertain
    assert 'landmark 2' in landmark
    assert '0.48 m' in landmark


def test_diagnostics_have_the_nis_and_the_standard_deviation(course):
    """/diagnostics has the NIS, about 2, and the accuracy; before any input, what is missing."""
    ride = course(EkfLocalizer)
    ride.graph.wait_until(lambda: ride.status and 'received' in ride.status.message)
    ride.step(60)
    ride.wait_for('readings.gated', '0')
    ride.graph.wait_until(lambda: ride.status.message == 'ok')
    assert 1.0 < float(ride.value('NIS')) < 4.0
    _, covariance = ride.error()
    expected = math.sqrt(covariance[0, 0] + covariance[1, 1])
    ride.wait_for('position std [m]', str(round(expected, 4)))


def test_a_clock_that_is_set_back_keeps_the_pose(course):
    """Set back by 50 ms, the estimate continues when stamps exceed the last one."""
    ride = course(EkfLocalizer, preset='sensor_noise')
    ride.step(10)
    ride.fleet.step(0.1)
    for back_ms in (50, 30, 10):
        stamp_ns = ride.stamp_ns - back_ms * 10**6
        still = ride.fleet.odometry[0], np.zeros(2), stamp_ns
        ride.odometry.publish(odometry_message(*still, *ride.frames))
    ride.wait_for('odom.out of order', '3')
    ride.step(2)
    assert np.abs(ride.error()[0]).max() < 0.1
    assert ride.value('clock.jumped back') is None


def test_odometry_that_restarts_keeps_the_pose(course):
    """When odometry restarts at zero, the estimate continues, and the jump is counted."""
    ride = course(EkfLocalizer, preset='sensor_noise', max_speed=1.0)
    ride.step(20)
    ride.fleet.odometry = np.zeros((1, 3))
    ride.step(2)
    assert np.abs(ride.error()[0]).max() < 0.2
    ride.wait_for('odom.jumped', '1')


def wrong_odometry():
    """Make odometry that cannot be used, by cause."""
    here, still, frames = np.zeros(3), np.zeros(2), ('robot_0/odom', 'robot_0/base_link')
    nothing = odometry_message(here, still, 1, *frames)
    nothing.pose.pose.orientation.w = 0.0
    return {
        'odom.malformed': (
            nothing,
            odometry_message(np.array((math.nan, 0.0, 0.0)), still, 1, *frames),
            odometry_message(np.array((0.0, 1e9, 0.0)), still, 1, *frames),
            odometry_message(here, still, 1, '', frames[1]),
            odometry_message(here, still, 1, 'map', frames[1]),
        ),
        'odom.other frame': (odometry_message(here, still, 1, 'robot_1/odom', frames[1]),),
    }


def test_odometry_that_cannot_be_used_is_counted(course):
    """Odometry without a pose, or of another robot, is counted; the estimate continues."""
    ride = course(EkfLocalizer)
    ride.step(2)
    for cause, messages in wrong_odometry().items():
        for message in messages:
            ride.odometry.publish(message)
        ride.wait_for(cause, str(len(messages)))
    old = odometry_message(np.zeros(3), np.zeros(2), ride.stamp_ns - 10**7, *ride.frames)
    ride.odometry.publish(old)
    ride.wait_for('odom.out of order', '1')
    ride.step(2)
    assert 'clock.jumped back' not in {pair.key for pair in ride.status.values}


def test_landmarks_that_cannot_be_used_are_counted(course):
    """Landmarks in another frame, malformed or late, are counted; the valid ones are used."""
    ride = course(EkfLocalizer)
    ride.step(2)
    readings = np.array(((3.0, 0.1), (np.nan, np.nan), (3.0, -0.1)))
    far, bare, odd = (
        landmarks_message(readings, ride.noise, ride.stamp_ns, ride.frames[1]) for _ in '123'
    )
    far.detections[0].results[0].pose.pose.position.x = math.inf
    bare.detections[0].results.clear()
    odd.detections[0].id = '3'
    other = landmarks_message(readings, ride.noise, ride.stamp_ns, 'robot_1/base_link')
    unknown = landmarks_message(readings, ride.noise, ride.stamp_ns, ride.frames[1])
    for detection in unknown.detections:
        detection.id = 'door'
    for message in (far, bare, other, odd, unknown):
        ride.detections.publish(message)
    # The rest of the last one is a second message with the same stamp.
    expected = {'malformed': '2', 'other frame': '1', 'unknown id': '3', 'repeated': '1'}
    for cause, count in expected.items():
        ride.wait_for(f'landmarks.{cause}', count)
    ride.step(2)


def test_landmarks_that_are_all_refused_are_a_warning(course):
    """The node names the cause, until a message is used."""
    ride = course(EkfLocalizer)
    readings = np.array(((3.0, 0.1), (4.0, 0.2), (3.0, -0.1)))
    ride.step(1)
    ride.node._inputs = ride.node._new_ages()
    ride.node._drops.refuse = ride.node._inputs.refuse
    other = landmarks_message(readings, ride.noise, ride.stamp_ns, 'robot_1/base_link')
    ride.detections.publish(other)
    words = 'landmarks: 1 messages refused and none used: other frame: robot_1/base_link'
    ride.graph.wait_until(lambda: ride.status is not None and words in ride.status.message)
    ride.step(1)
    ride.graph.wait_until(lambda: words not in ride.status.message)


def test_poses_that_cannot_be_used_are_counted(course):
    """Initial poses with an invalid frame or covariance are counted; the estimate stays."""
    ride = course(EkfLocalizer)
    ride.step(2)
    there = PoseEstimate(np.array((50.0, 0.0, 0.0)), np.eye(3))
    ride.initial.publish(estimate_message(there, 0, 'odom'))
    ride.wait_for('initialpose.other frame', '1')
    ride.initial.publish(estimate_message(PoseEstimate(there.pose, -np.eye(3)), 0, 'map'))
    for x, spread in ((math.nan, 1.0), (1e7, 1.0), (0.0, 1e300)):
        nowhere = PoseEstimate(np.array((x, 0.0, 0.0)), spread * np.eye(3))
        ride.initial.publish(estimate_message(nowhere, 0, 'map'))
    ride.wait_for('initialpose.malformed', '4')
    ride.step(2)
    assert np.abs(ride.error()[0]).max() < 1.0


def test_an_inactive_localizer_ignores_input(course):
    """It reports that it is inactive; activated, it starts again; cleanup removes its topics."""
    ride = course(EkfLocalizer)
    ride.step(2)
    ride.node.trigger_deactivate()
    ride.graph.wait_until(lambda: ride.status and ride.status.message == 'not active')
    received, reported = len(ride.poses), len(ride.reports)
    ride.odometry.publish(Odometry())
    ride.detections.publish(Detection3DArray())
    ride.initial.publish(PoseWithCovarianceStamped())
    ride.graph.wait_until(lambda: len(ride.reports) > reported + 2)
    assert not any('malformed' in pair.key for pair in ride.status.values)
    ride.node.trigger_activate()
    ride.begin(2)
    ride.step(2)
    assert len(ride.poses) == received + 2
    refused = ride.node.set_parameters([Parameter('gate', value=0.9)])[0]
    assert 'read-only' in refused.reason
    ride.node.trigger_deactivate()
    ride.node.trigger_cleanup()
    ride.graph.wait_until(lambda: ride.status.message == 'not configured')
    ride.graph.wait_until(lambda: not ride.graph.probe.count_publishers('robot_0/amcl_pose'))


def test_a_simulated_robot_is_found(graph, often):  # noqa: ARG001 (before the nodes are made)
    """With robot_simulator the pose is near the ground truth, also after a reset."""
    values = {'robots': 1, 'place_odom': False, 'speed': 10.0, 'clock_rate': 50.0}
    overrides = [Parameter(name, value=value) for name, value in values.items()]
    simulator = graph.add(RobotSimulator(parameter_overrides=overrides))
    localizer = graph.add(EkfLocalizer(namespace='robot_0'))
    poses = graph.listen(PoseWithCovarianceStamped, 'robot_0/amcl_pose')
    truths = graph.listen(Odometry, 'robot_0/ground_truth')
    assert localizer.autostart()
    assert simulator.autostart()

    def offs():
        true = {from_time(each.header.stamp): each.pose.pose.position for each in truths}
        pairs = [
            (each.pose.pose.position, true[from_time(each.header.stamp)])
            for each in poses
            if from_time(each.header.stamp) in true
        ]
        return [math.hypot(a.x - b.x, a.y - b.y) for a, b in pairs]

    graph.wait_until(lambda: len(offs()) > 40)
    assert np.median(offs()) < 0.3
    before = from_time(poses[-1].header.stamp)
    assert graph.call(Trigger, 'robot_simulator/reset', Trigger.Request()).success
    graph.wait_until(lambda: from_time(poses[-1].header.stamp) < before)
    poses.clear()
    graph.wait_until(lambda: len(offs()) > 20)
    assert np.median(offs()) < 0.3


@given(METERS, METERS, st.floats(-3.1, 3.1))
def test_an_estimate_comes_back_from_its_message(x, y, theta):
    """Conversion to a message and back must keep pose and covariance."""
    root = np.array(((0.3, 0.0, 0.0), (0.1, 0.2, 0.0), (-0.1, 0.05, 0.1)))
    estimate = PoseEstimate(np.array((x, y, theta)), root @ root.T)
    back = estimate_of(estimate_message(estimate, 1, 'map'), np.eye(3))
    assert np.allclose(back.pose, estimate.pose)
    assert np.allclose(back.covariance, estimate.covariance)


@given(st.text(max_size=12))
def test_any_id_is_a_landmark_or_unknown(name):
    """Any ID of a detection must name a landmark or be counted as unknown."""
    message = landmarks_message(
        np.ones((1, 2)), EkfLocalizerConfig().error_models()[1].noise, 1, 'base_link'
    )
    message.detections[0].id = name
    unknown = count_left_out(message, 3)['unknown id']
    assert unknown == np.isnan(readings_of(message, 3)).all()


@pytest.mark.parametrize('name', ['9' * 5000, '3', '-1', '1.0', '', '0x1'])
def test_such_ids_are_unknown(name):
    """IDs that only resemble the number of a landmark must be unknown."""
    message = landmarks_message(
        np.ones((1, 2)), EkfLocalizerConfig().error_models()[1].noise, 1, 'base_link'
    )
    message.detections[0].id = name
    assert count_left_out(message, 3) == {'unknown id': 1}


def test_the_first_detection_of_a_landmark_is_used():
    """A second detection, and one at the robot itself, is dropped and counted."""
    message = landmarks_message(
        np.full((3, 2), 2.0), EkfLocalizerConfig().error_models()[1].noise, 1, 'base_link'
    )
    message.detections[1].id = '0'
    message.detections[1].results[0].pose.pose.position.x = 7.0
    message.detections[2].results[0].pose.pose.position = Point()
    assert count_left_out(message, 3) == {'repeated id': 1, 'without a range': 1}
    readings = readings_of(message, 3)
    assert readings[0] == pytest.approx((2.0, 2.0))
    assert np.isnan(readings[1:]).all()


@pytest.mark.parametrize(
    ('given_values', 'complaint'),
    [
        ({'initial_pose': (1.0, 2.0)}, 'initial_pose is'),
        ({'initial_pose': (1.0, 2.0, math.nan)}, 'initial_pose is'),
        ({'initial_pose': (1e7, 2.0, 0.0)}, 'initial_pose is'),
        ({'initial_stds': (1.0, -1.0, 1.0)}, 'from 0.0'),
    ],
)
def test_an_invalid_initial_pose_is_rejected(given_values, complaint):
    """The error names the parameter."""
    with pytest.raises(ConfigurationError, match=complaint):
        EkfLocalizerConfig(**given_values).beginning()


@pytest.mark.parametrize('preset', ['ideal', 'kidnap', 'lecture', 'missed_detection'])
def test_every_preset_can_be_used(preset):
    """Every preset makes a filter; for an exact sensor the filter assumes some noise."""
    config = EkfLocalizerConfig()
    config = EkfLocalizerConfig(preset=type(config.preset)(preset))
    _, observation = config.filter_models()
    assert observation.noise.range_std == config.min_range_std
