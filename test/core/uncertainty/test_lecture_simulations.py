# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The lecture's nine simulations, each with a single error."""

from __future__ import annotations

import math

import numpy as np
import pytest

from world_model_core.errors import ConfigurationError
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.lecture_simulation_run import simulate
from world_model_core.uncertainty.lecture_simulations import (
    COMMAND,
    DURATION,
    IDEAL,
    IDEAL_MOTION,
    LECTURE_SIMULATIONS,
    lecture_simulation,
)
from world_model_core.uncertainty.random_draws import Draws

CAUSES = {
    'motion_noise': ErrorCause.PEBBLE,
    'motion_bias': ErrorCause.VELOCITY_BIAS,
    'stuck': ErrorCause.STUCK,
    'kidnap': ErrorCause.KIDNAP,
    'sensor_noise': ErrorCause.NOISE,
    'sensor_bias': ErrorCause.BIAS,
    'clutter': ErrorCause.CLUTTER,
    'missed_detection': ErrorCause.MISSED_DETECTION,
    'occlusion': ErrorCause.OCCLUSION,
}


@pytest.mark.parametrize('name', LECTURE_SIMULATIONS)
def test_each_has_the_one_cause_of_its_name(name):
    """Labels of steps and readings contain that cause and, except the field of view, no other."""
    run = simulate(LECTURE_SIMULATIONS[name], Draws(1))
    of_steps = np.bitwise_or.reduce(run.causes, axis=None)
    of_readings = np.bitwise_or.reduce(run.labels, axis=None)
    assert ErrorCause(int(of_steps | of_readings)) == CAUSES[name] | ErrorCause.OUT_OF_VIEW


def test_without_them_all_robots_end_on_the_same_circle():
    """After 30 s, and 300 degrees, robots are at the end of the arc, and readings are exact."""
    run = simulate(IDEAL, Draws(1), robots=3)
    radius, turn = COMMAND[0] / COMMAND[1], COMMAND[1] * DURATION
    end = (radius * math.sin(turn), radius * (1.0 - math.cos(turn)), turn)
    np.testing.assert_allclose(run.poses[-1], np.tile(end, (3, 1)), atol=1e-9)
    assert run.times[-1] == DURATION
    assert not run.causes.any()


@pytest.mark.parametrize(
    'name', [name for name, each in LECTURE_SIMULATIONS.items() if each.motion == IDEAL_MOTION]
)
def test_sensor_errors_move_no_robot(name):
    """The last five differ from the ideal in their readings alone."""
    run, ideal = simulate(LECTURE_SIMULATIONS[name], Draws(1)), simulate(IDEAL, Draws(1))
    assert np.array_equal(run.poses, ideal.poses)
    assert not np.array_equal(run.readings, ideal.readings, equal_nan=True)


def test_the_lecture_s_figures_are_met():
    """A fraction of 0.316 is stuck at the end; robots meet 30 pebbles on 6 m; both within 4 %."""
    stuck = simulate(LECTURE_SIMULATIONS['stuck'], Draws(2), robots=2000).stuck[-1].mean()
    pebbles = simulate(LECTURE_SIMULATIONS['motion_noise'], Draws(2), robots=2000).pebbles.mean()
    assert stuck == pytest.approx(0.316, abs=4.0 * math.sqrt(0.316 * 0.684 / 2000))
    assert pebbles == pytest.approx(30.0, abs=4.0 * math.sqrt(30.0 / 2000))


def test_an_unknown_name_is_rejected():
    """The error lists the names."""
    with pytest.raises(ConfigurationError, match=r"'rain'.*motion_noise.*occlusion"):
        lecture_simulation('rain')
