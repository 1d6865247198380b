# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Calibration of the published chip probability in simulated kicks with realistic errors."""

import numpy as np
import pytest

from benchmarks.match.chip_quality import TIMES, judge_probabilities, summarize
from benchmarks.match.kicked_balls import REALISTIC, simulate_kick, track_kick


@pytest.fixture(scope='module')
def judged():
    """Return the probabilities of 60 kicks, half of them chips that rise from 0.8 m/s on."""
    return [each for seed in range(60) for each in judge_probabilities(seed)]


@pytest.mark.parametrize(('time', 'log_loss'), list(zip(TIMES, (0.35, 0.25, 0.3), strict=True)))
def test_the_chip_probability_is_calibrated(judged, time, log_loss):
    """The log loss must be small: no chip may be called straight with confidence."""
    for score in (summarize(judged, time)[name] for name in ('all', 'rise below 2.0 m/s')):
        assert score['log loss'] < log_loss


@pytest.mark.parametrize('time', TIMES)
def test_no_straight_kick_is_called_a_chip(judged, time):
    """No straight kick may have a chip probability above one half."""
    assert summarize(judged, time)['straight called chip'] == 0


@pytest.mark.parametrize(('seed', 'rise'), [(10_009, 2.2458), (10_013, 1.9383)])
def test_a_bounce_seen_by_one_camera_does_not_lengthen_the_flight(seed, rise):
    """The first measurements after a bounce must not be explained by a higher flight."""
    run = simulate_kick(seed, rise, REALISTIC)
    bounces = [each.time for each in run.course.legs[-1].trajectory.touchdowns]
    off = [
        abs(sample.ball.position[2] - sample.truth.position[2])
        for sample in track_kick(run, bounces[1] + 0.1)
        if sample.age > bounces[0] and sample.kick is not None
    ]
    assert np.percentile(off, 90) < 0.1
