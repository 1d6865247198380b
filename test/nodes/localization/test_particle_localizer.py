# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The pose of particle_localizer is accurate, also after the robot was kidnapped."""

from __future__ import annotations

import numpy as np
import pytest
from geometry_msgs.msg import PoseArray
from scipy.stats import chi2

from world_model_core.gaussian import mahalanobis_squared
from world_model_core.localization.pose_estimators import PoseEstimate
from world_model_core.simulation.robots.robot_fleet import RobotFleet
from world_model_core.uncertainty.lecture_simulations import COMMAND
from world_model_nodes.localization.convert import estimate_message, planar_of
from world_model_nodes.localization.particle_localizer import ParticleLocalizer
from world_model_nodes.uncertainty.noise_config import NoiseConfig

RUNS, STEPS = 12, 30
# All around, so that a kidnapped robot has enough readings at any place.
WIDE = """
motion: {pebbles: {}, velocity_bias: {}, kidnap: {mean_interval: 1000.0}}
observation:
  field_of_view: {half_angle: 3.14, far: 10.0}
  bias: {range_fraction: 0.0, bearing_std: 0.0}
"""


@pytest.fixture
def all_around(tmp_path):
    """Write noise with an unbiased sensor whose field of view is a full turn."""
    path = tmp_path / 'noise.yaml'
    path.write_text(WIDE)
    return str(path)


def test_the_pose_is_as_accurate_as_its_covariance(course, all_around):
    """The mean NEES of the poses of a dozen runs is below the bound of a consistent filter."""
    ride, nees = course(ParticleLocalizer, noise_file=all_around), []
    for seed in range(1, RUNS + 1):
        ride.begin(seed)
        ride.step(STEPS)
        nees.append(float(mahalanobis_squared(*ride.error())))
    assert np.mean(nees) < chi2.ppf(0.9995, 3 * RUNS) / RUNS
    assert np.mean(nees) > 0.5


def test_tf_agrees_with_the_pose(course):
    """With the published frame of odometry, tf places the robot at its pose."""
    ride = course(ParticleLocalizer, transform_tolerance=0.0)
    for _ in range(3):
        estimated = ride.step(5)
        assert ride.base_link() == pytest.approx(planar_of(estimated.pose.pose), abs=1e-9)


def test_a_kidnapped_robot_is_found_again(course, all_around):
    """Three seconds after each kidnapping, the estimate is as accurate as before."""
    ride, found = course(ParticleLocalizer, noise_file=all_around), []
    ride.step(10)
    for place in ((-2.0, 3.0, 2.0), (3.0, 0.0, -2.5), (-3.0, -3.0, 0.0), (0.0, 4.0, -1.0)):
        ride.kidnap(*place)
        ride.step(1)
        ride.step(29)
        off, _ = ride.error()
        found.append(np.hypot(*off[:2]) < 0.5)
    assert np.mean(found) >= 0.75


def test_particles_are_where_the_pose_is(course, all_around):
    """The cloud has the configured size and the map's frame; its mean is the pose."""
    ride = course(ParticleLocalizer, noise_file=all_around, particles=500)
    clouds = ride.graph.listen(PoseArray, 'robot_0/particle_cloud')
    ride.graph.wait_until(lambda: ride.graph.probe.count_publishers('robot_0/particle_cloud'))
    ride.graph.wait_until(lambda: ride.step() and clouds)
    estimated = ride.poses[-1]
    ride.graph.wait_until(lambda: clouds[-1].header == estimated.header)
    cloud = clouds[-1]
    assert len(cloud.poses) == 500
    assert cloud.header.frame_id == 'map'
    places = np.array([planar_of(pose)[:2] for pose in cloud.poses])
    assert places.mean(axis=0) == pytest.approx(planar_of(estimated.pose.pose)[:2], abs=0.05)


def test_the_same_seed_makes_the_same_run(course):
    """After time has jumped back, the same messages lead to the same poses."""
    ride, runs = course(ParticleLocalizer), []
    for _ in range(2):
        ride.begin(3)
        ride.poses.clear()
        ride.step(15)
        runs.append([planar_of(each.pose.pose).tolist() for each in ride.poses])
    assert runs[0] == runs[1]


def test_an_initial_pose_sets_the_particles(course):
    """`initialpose` moves all particles to that pose."""
    ride = course(ParticleLocalizer)
    ride.step(3)
    ride.kidnap(2.0, 2.0, 3.0)
    there = PoseEstimate(np.array((2.0, 2.0, 3.0)), 0.01 * np.eye(3))
    ride.initial.publish(estimate_message(there, 0, 'map'))
    ride.graph.wait_until(lambda: ride.node._filter.estimate.pose[0] > 1.5)
    ride.step(1)
    assert np.abs(ride.error()[0]).max() < 0.5


def test_a_robot_is_found_that_begins_anywhere(course, all_around):
    """With `initial_anywhere` the covariance is large at first, and soon the pose is right."""
    ride = course(ParticleLocalizer, noise_file=all_around, initial_anywhere=True)
    ride.kidnap(3.0, -2.0, 2.0)
    ride.step(30)
    first = np.reshape(ride.poses[0].pose.covariance, (6, 6))
    assert np.hypot(*ride.error()[0][:2]) < 0.5
    assert np.trace(ride.error()[1][:2, :2]) < np.trace(first[:2, :2])


def test_landmarks_that_fit_no_pose_are_a_warning(course):
    """With the map of another place the particles converge, but readings do not fit: it warns."""
    elsewhere = [100.0, 100.0, 120.0, 100.0, 100.0, 120.0]
    ride = course(ParticleLocalizer, preset='sensor_noise', landmarks=elsewhere)
    noise, landmarks = ride.node.config.error_models(), NoiseConfig().places()
    ride.fleet = RobotFleet(*noise, landmarks, COMMAND, count=1, seed=1)
    ride.graph.wait_until(lambda: ride.step() and ride.status and 'lost' in ride.status.message)


def test_the_spread_follows_the_assumed_noise(course):
    """Without readings, a filter with less assumed velocity noise has a smaller covariance."""
    spreads = []
    for noise in (0.05, 0.5):
        ride = course(ParticleLocalizer, max_delay=0.1, **{'velocity_noise.nn': noise})
        for _ in range(10):
            ride.fleet.step(0.1)
            ride.stamp_ns += ride.dt_ns
            ride.publish_odometry()
        ride.graph.wait_until(lambda estimated=ride.poses: len(estimated) > 8)
        spreads.append(np.trace(ride.error()[1][:2, :2]))
        ride.graph.remove(ride.node)
    assert spreads[0] < 0.5 * spreads[1]
