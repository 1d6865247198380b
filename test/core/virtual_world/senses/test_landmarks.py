# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Landmarks are what is fixed to the world; sensors measure those that nothing stands before."""

from __future__ import annotations

import math

import numpy as np
import pytest

from world_model_core.uncertainty.observation_parameters import LNPR
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.virtual_world.senses.landmarks import (
    LandmarkSensor,
    fixed_landmarks,
    landmarks_at,
)
from world_model_core.virtual_world.senses.sense_frames import (
    base_frame,
    odom_frame,
    optical_frame,
    scan_frame,
)
from world_model_core.virtual_world.senses.ticks import Ticks
from world_model_core.virtual_world.values import (
    Box,
    Camera,
    Entity,
    Part,
    Pose,
    Shape,
    Wheels,
    World,
)

PLACES = np.array(((3.0, 0.0), (2.0, 1.5), (-2.0, 0.0)))
SEEN = np.zeros(3, dtype=np.bool_)
AHEAD = np.zeros(3)


def thing(name, x, y, size, *, movable=False):
    """Return a box on the floor."""
    shape = Shape(Box(size), Pose((0.0, 0.0, 0.5 * size[2])))
    place = Pose((x, y, 0.0))
    return Entity(name, pose=place, parts=(Part(name, shapes=(shape,)),), movable=movable)


@pytest.fixture
def sensed():
    """Return a world with a robot, a landmark, another one behind a table, and a long wall."""
    pytest.importorskip('mujoco', reason='the physics of the virtual world needs MuJoCo')
    from world_model_core.virtual_world.engine.engine import Engine  # noqa: PLC0415
    from world_model_core.virtual_world.senses.sensed_world import SensedWorld  # noqa: PLC0415

    engine = Engine(
        World(
            'room',
            (
                thing('robot', 0.0, 0.0, (0.3, 0.3, 0.5), movable=True),
                thing('pillar', 2.0, 0.0, (0.4, 0.4, 1.0)),
                thing('fridge', 0.0, 2.0, (0.6, 0.6, 1.8)),
                thing('table', 0.0, 1.0, (1.0, 0.5, 0.7), movable=True),
                thing('wall', 5.0, 0.0, (0.1, 6.0, 2.0)),
            ),
        )
    )
    return SensedWorld(engine, fixed_landmarks(engine), 0.3)


def test_what_is_fixed_and_small_is_a_landmark(sensed):
    """Its number is its place among them."""
    assert sensed.landmarks.names == ('pillar', 'fridge')
    assert sensed.landmarks.places == pytest.approx(np.array(((2.0, 0.0), (0.0, 2.0))), abs=1e-6)
    assert sensed.landmarks.radii == pytest.approx((math.hypot(0.2, 0.2), math.hypot(0.3, 0.3)))


def test_what_stands_behind_something_is_hidden(sensed):
    """Neither the robot itself nor the landmark hides it."""
    assert sensed.hidden('robot').tolist() == [False, True]
    places = np.array(((4.0, 0.0), (9.0, 0.0), (-3.0, 0.0)))
    high = type(sensed)(sensed.engine, landmarks_at(sensed.engine, places), 1.5)
    assert high.hidden('robot').tolist() == [False, True, False]


def test_points_in_an_entity_are_part_of_it(sensed):
    """The map of the localizers, given to the world, has the same landmarks."""
    places = sensed.landmarks.places.round(3)
    again = landmarks_at(sensed.engine, np.vstack((places, (9.0, 9.0))))
    assert again.names == (*sensed.landmarks.names, '')
    assert again.radii == pytest.approx((*sensed.landmarks.radii, 0.0), abs=0.01)
    same = type(sensed)(sensed.engine, landmarks_at(sensed.engine, places), 0.3)
    assert same.hidden('robot').tolist() == sensed.hidden('robot').tolist()


def test_a_sensor_measures_what_it_sees():
    """What is hidden, or behind it, has no reading."""
    sensor = LandmarkSensor(LNPR, PLACES, Draws(1))
    hidden = np.array((False, True, False))
    readings = sensor.measure(AHEAD, hidden, 0.1, 1)
    assert np.isnan(readings[:, 0]).tolist() == [False, True, True]
    assert readings[0] == pytest.approx((3.0, 0.0), abs=1.5)


def test_readings_depend_on_the_time_and_not_on_who_has_listened():
    """A sensor that nobody read until now measures what another one does."""
    read, unread = (LandmarkSensor(LNPR, PLACES, Draws(2)) for _ in range(2))
    for step in range(1, 20):
        readings = read.measure(AHEAD, SEEN, 0.1, step)
        if step < 19:
            unread.wait(0.1, step)
    assert unread.measure(AHEAD, SEEN, 0.1, 19) == pytest.approx(readings, nan_ok=True)


def test_ticks_are_multiples_of_the_period():
    """However late they are taken, each is taken once, and all again after a reset."""
    ticks = Ticks(10.0)
    assert ticks.take(0) == 0
    assert ticks.take(90_000_000) is None
    assert ticks.take(120_000_000) == 1
    assert ticks.next_ns == 200_000_000
    ticks.reset()
    assert ticks.take(120_000_000) == 1


def test_frames_of_a_robot_with_wheels_are_those_of_its_odometry():
    """Others have their senses in their own frames."""
    person, robot = Entity('A man'), Entity('R2', wheels=Wheels(0.1, 0.4))
    assert base_frame(person) == 'A_x20_man'
    assert base_frame(robot) == 'R2/base_link'
    assert odom_frame('R2') == 'R2/odom'
    camera = Camera(1, '', Pose(), 1.0, 1.0)
    assert optical_frame(person, camera) == 'A_x20_man/camera_1_optical'
    assert scan_frame(robot) == 'R2/scan'
