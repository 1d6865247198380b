# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Calibration of the published chip probability in simulated kicks with realistic errors."""

import pytest

from benchmarks.match.chip_quality import TIMES, judge_probabilities, summarize


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
