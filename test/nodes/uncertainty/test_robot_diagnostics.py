# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Events between two reports are counted in the second."""

from __future__ import annotations

import numpy as np
import pytest

from world_model_core.simulation.robots.robot_fleet import RobotFleet
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.lecture_simulations import COMMAND, LANDMARKS
from world_model_nodes.uncertainty.noise_config import PRESETS
from world_model_nodes.uncertainty.robot_diagnostics import MAX_NAMES, FleetReport


@pytest.fixture
def fleet():
    """Make robots, some of which are kidnapped."""
    motion, observation = PRESETS['lecture']
    return RobotFleet(motion, observation, LANDMARKS, COMMAND, count=MAX_NAMES, seed=4)


def advance(fleet, record, steps):
    """Take steps of half a second; count kidnapped robots and noisy readings."""
    taken, noisy = 0, 0
    for _ in range(steps):
        sensed = fleet.step(0.5)
        record.add(sensed)
        taken += np.count_nonzero(sensed.motion.causes & int(ErrorCause.KIDNAP))
        noisy += np.count_nonzero(sensed.labels & int(ErrorCause.NOISE))
    return taken, noisy


def test_causes_are_counted_from_report_to_report(fleet):
    """Counts of steps and readings add up; the next report starts at zero."""
    record = FleetReport()
    for steps in (40, 3):
        taken, noisy = advance(fleet, record, steps)
        values = record.make(fleet, 0, (), ()).values
        assert values.get('robots.kidnap', 0) == taken
        assert values.get('readings.noise', 0) == noisy
    assert 'robots.kidnap' not in record.make(fleet, 0, (), ()).values


def test_all_kidnapped_robots_are_named(fleet):
    """Robots kidnapped since the last report, and within five seconds at least, are named."""
    record = FleetReport()
    for steps in (3, 60):
        before = fleet.time
        advance(fleet, record, steps)
        since = min(before, fleet.time - 5.0)
        taken = np.flatnonzero(fleet.kidnapped_at >= since)
        reported = record.make(fleet, 0, (), ()).values['kidnapped']
        assert reported == ', '.join(f'robot_{number}' for number in taken)
        assert len(taken) > 0


def test_negative_ranges_are_counted(fleet):
    """A negative range comes from large noise; it is no landmark behind the robot."""
    record = FleetReport()
    sensed = fleet.step(0.5)
    sensed.readings[0, 0] = -0.1, 0.0
    record.add(sensed)
    assert record.make(fleet, 0, (), ()).values['readings.echoless'] == 1
