# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Lidars and distance sensors measure what rays meet, with noise that depends on the time."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.sensor_noise import RangeNoise
from world_model_core.virtual_world.values import Box, Camera, Entity, Part, Pose, Shape, World

NOISE = RangeNoise(range_fraction=0.0, range_std=0.01)


def box(name, x, y, size, *, turn=0.0):
    """Return a box on the floor."""
    shape = Shape(Box(size), Pose((0.0, 0.0, 0.5 * size[2])))
    turned = (0.0, 0.0, math.sin(0.5 * turn), math.cos(0.5 * turn))
    return Entity(name, pose=Pose((x, y, 0.0), turned), parts=(Part(name, shapes=(shape,)),))


@pytest.fixture
def lit():
    """Return a world in which a robot, with a camera before it, looks at a wall at its left."""
    pytest.importorskip('mujoco', reason='the physics of the virtual world needs MuJoCo')
    from world_model_core.virtual_world.engine.engine import Engine  # noqa: PLC0415
    from world_model_core.virtual_world.senses.landmarks import fixed_landmarks  # noqa: PLC0415
    from world_model_core.virtual_world.senses.sensed_world import SensedWorld  # noqa: PLC0415

    robot = box('robot', 0.0, 0.0, (0.3, 0.3, 0.5), turn=math.pi / 2.0)
    robot = replace(robot, cameras=(Camera(1, '', Pose((0.5, 0.0, 0.3)), 0.8, 1.3),))
    engine = Engine(World('room', (robot, box('wall', 0.0, 2.05, (4.0, 0.1, 1.0)))))
    return SensedWorld(engine, fixed_landmarks(engine), 0.3)


def lidar(**given):
    """Return a lidar with rays of 90 degrees between them."""
    from world_model_core.virtual_world.senses.lidar import Lidar  # noqa: PLC0415

    usual = {'height': 0.3, 'increment': math.pi / 2.0, 'range_min': 0.1, 'range_max': 9.0}
    return Lidar(**{**usual, 'noise': NOISE, **given})


def test_a_lidar_measures_in_the_frame_of_its_robot(lit):
    """The robot itself is not met; angles begin behind it, and go left."""
    assert lidar().angles == pytest.approx((-math.pi, -math.pi / 2.0, 0.0, math.pi / 2.0))
    behind, right, ahead, left = lidar().measure(lit, 'robot', Draws(1), 1)
    assert ahead == pytest.approx(2.0, abs=0.06)
    assert ahead != pytest.approx(2.0, abs=1e-6)
    assert behind == right == left == math.inf
    high = lidar(height=1.2).measure(lit, 'robot', Draws(1), 1)
    assert (high == math.inf).all()


def test_noise_depends_on_the_time_alone(lit):
    """The same number of a measurement has the same noise, another one has other noise."""
    first, second, again = (lidar().measure(lit, 'robot', Draws(1), step)[2] for step in (1, 2, 1))
    assert first == again != second


def test_ranges_beyond_the_limits_are_infinite(lit):
    """Near ones negative, as REP 117 says, also those that noise moves beyond them."""
    near = lidar(range_min=2.5).measure(lit, 'robot', Draws(1), 1)
    far = lidar(range_max=1.5).measure(lit, 'robot', Draws(1), 1)
    assert near[2] == -math.inf
    assert far[2] == math.inf
    noisy = lidar(range_min=1.0, range_max=2.0, noise=RangeNoise(0.0, 100.0))
    found = noisy.disturbed(np.full(100, 1.5), Draws(1).normal('', 0, 0, 100))
    assert {-math.inf, math.inf} <= set(found.tolist())
    assert ((found >= 1.0) | (found == -math.inf)).all()


def test_a_distance_sensor_measures_along_the_view_of_a_camera(lit):
    """It needs no picture."""
    robot = lit.engine.entity('robot')
    assert lidar().measure_ahead(lit, robot, Draws(1), 1) == pytest.approx(1.5, abs=0.06)
    assert lit.camera_pose(robot, robot.cameras[0]).position == pytest.approx((0.5, 0.0, 0.3))
