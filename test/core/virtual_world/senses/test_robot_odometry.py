# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Odometry of robots by their names: who else is in the world changes nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest

from world_model_core.uncertainty.motion_parameters import LNPR, MotionParameters
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.virtual_world.values import Entity, Part, Pose, Wheels, World

TURNED = (0.0, 0.0, math.sin(0.4), math.cos(0.4))
PLACES = {'ada': 0.0, 'bob': 3.0, 'cy': 6.0}


def rover(name):
    """Return a robot without dynamics, whose base is moved."""
    root = Part('base', pose=Pose((0.1, 0.05, 0.2)))
    place = Pose((PLACES[name], 1.0, 0.0), TURNED)
    return Entity(name, pose=place, parts=(root,), dynamics=False, wheels=Wheels(0.1, 0.4))


@pytest.fixture
def driven():
    """Return a function that drives robots, and returns the engine and their odometry."""
    pytest.importorskip('mujoco', reason='the physics of the virtual world needs MuJoCo')
    from world_model_core.virtual_world.engine.engine import Engine  # noqa: PLC0415
    from world_model_core.virtual_world.senses.robot_odometry import (  # noqa: PLC0415
        RobotOdometry,
    )

    def drive(motion, *names, late=()):
        engine = Engine(World('hall', tuple(rover(name) for name in names)))
        odometry = RobotOdometry(motion, Draws(3))
        odometry.begin(engine, names)
        for step in range(1, 61):
            if late and step == 30:
                odometry.follow(engine, [*engine.spawn([rover(name) for name in late]), *names])
            for name in names:
                engine.drive(name, 0.4, 0.2 * math.sin(step / 9.0))
            engine.step(0.05)
            odometry.measure(engine, step)
        return engine, odometry

    return drive


def test_without_errors_it_leads_to_the_true_pose(driven):
    """From the pose at the start, by the frame of the robot, whatever its root is."""
    engine, odometry = driven(MotionParameters(), 'ada', 'bob')
    x, y, heading = odometry.start_of('bob')
    assert (x, y, heading) == pytest.approx((3.0, 1.0, 0.8))
    ahead, left, turned = odometry.pose_of('bob')
    place = x + 1j * y + (ahead + 1j * left) * np.exp(1j * heading)
    state = engine.state_of('bob')
    assert (place.real, place.imag) == pytest.approx(state.pose.position[:2], abs=1e-4)
    qz, qw = state.pose.orientation[2:]
    assert math.remainder(heading + turned - 2.0 * math.atan2(qz, qw), math.tau) == (
        pytest.approx(0.0, abs=1e-6)
    )
    assert odometry.reading_of('bob').velocity[0] == pytest.approx(0.4)


def test_robots_that_come_or_go_change_nothing_for_others(driven):
    """Pose and covariance are those of a robot alone; a new one begins at its own pose."""
    _, alone = driven(LNPR, 'bob')
    _, among = driven(LNPR, 'ada', 'bob')
    _, joined = driven(LNPR, 'bob', late=('cy',))
    for odometry in (among, joined):
        assert odometry.pose_of('bob') == pytest.approx(alone.pose_of('bob'), abs=1e-12)
    expected = alone.reading_of('bob').covariances[0]
    assert among.reading_of('bob').covariances[0] == pytest.approx(expected)
    assert joined.reading_of('bob').covariances[0] == pytest.approx(expected, rel=0.05)
    assert not joined.pose_of('cy').any()
    assert joined.start_of('cy')[0] == 6.0
    assert not np.array_equal(among.pose_of('ada'), among.pose_of('bob'))
