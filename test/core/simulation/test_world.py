# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""House, match and robots implement SimulatedWorld: a reset repeats the run."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from world_model_core.simulation.house.explorer import Explorer
from world_model_core.simulation.house.house_generator import generate_house
from world_model_core.simulation.house.parameters import HouseParameters
from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.simulation.robots.robot_fleet import RobotFleet
from world_model_core.uncertainty.motion_parameters import LNPR as LNPR_MOTION
from world_model_core.uncertainty.observation_parameters import LNPR as LNPR_SENSOR

DT = 0.1
MATCH = replace(SslMatchParameters(), robots_per_team=3)


def make_house():
    """Make a robot that explores a small house."""
    return Explorer(generate_house(3, 2), HouseParameters(scan_step=0.5), 3)


def make_match():
    """Make a small match."""
    return SslMatch(MATCH, 0)


def make_robots():
    """Make two robots and a landmark."""
    return RobotFleet(LNPR_MOTION, LNPR_SENSOR, [(1.0, 0.0)], (0.2, 0.1), count=2, seed=3)


every_world = pytest.mark.parametrize('make', [make_house, make_match, make_robots])


def shown(value):
    """Write a value of arrays and dataclasses as text."""
    with np.printoptions(threshold=10**9, floatmode='unique'):
        return repr(value)


@every_world
def test_time_advances_by_the_step(make):
    """The time is 0 at the start and the sum of the steps after that."""
    world = make()
    assert world.time_ns == 0
    for _ in range(3):
        world.step(DT)
    assert world.time_ns == 300_000_000


@every_world
def test_a_reset_repeats_the_run(make):
    """After a reset the same steps give the same readings and the same ground truth."""
    world = make()
    first = [(shown(world.step(DT)), shown(world.truth)) for _ in range(5)]
    world.reset()
    assert world.time_ns == 0
    again = [(shown(world.step(DT)), shown(world.truth)) for _ in range(5)]
    assert again == first
    assert len({truth for _, truth in first}) > 1


@pytest.mark.parametrize('dt', [0.001, 0.0137, 0.1])
def test_steps_of_a_match_give_all_packets_in_order(dt):
    """Whatever the step, the packets are those of `packets`."""
    match = SslMatch(MATCH, 0)
    stepped = [sent for _ in range(round(0.5 / dt)) for sent in match.step(dt)]
    assert stepped == list(islice(SslMatch(MATCH, 0).packets(), len(stepped)))
    assert len(stepped) > 50
    assert all(sent.sent_ns <= match.time_ns for sent in stepped)


def test_the_truth_between_steps_does_not_change_a_match():
    """Reading the ground truth draws no random numbers."""
    match, other = SslMatch(MATCH, 0), SslMatch(MATCH, 0)
    for _ in range(20):
        sent = match.step(0.05)
        assert match.truth.stamp_ns == match.time_ns
        assert sent == other.step(0.05)
