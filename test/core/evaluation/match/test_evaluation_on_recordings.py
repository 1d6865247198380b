# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Evaluations of real and simulated recordings, compared with known results."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache

import pytest

from world_model_core.documents import parse
from world_model_core.evaluation.match.evaluation import evaluate
from world_model_core.evaluation.match.ground_truth import read_kicks
from world_model_core.match.ssl.recording import RecordingReader

# Errors from the states of the recorded tracker: medians [mm] by predictor and horizon, and n.
KNOWN = {
    ('constant velocity', 0.25): (22.6, 147),
    ('deceleration 0.7', 0.25): (16.9, 147),
    ('TIGERs', 0.25): (12.7, 147),
    ('constant velocity', 0.5): (62.5, 87),
    ('deceleration 0.7', 0.5): (40.4, 87),
    ('TIGERs', 0.5): (22.1, 87),
}


@pytest.fixture(scope='module')
def match(shared_data):
    """Evaluate the match of RoboCup 2022."""
    return evaluate(RecordingReader(shared_data('ssl/match_2022_part1.log.gz')))[0]


# Medians of ER-Force's tracker 0.25 s ahead [mm], with ground truth.
PEER = {'sim_straight_realistic': 22.6, 'sim_chip_realistic': 60.2}


@pytest.fixture(scope='module')
def simulated(shared_data):
    """Evaluate a recording of a simulator with its ground truth."""

    @cache
    def run(name):
        kicks = read_kicks(shared_data(f'ssl/{name}.kicks.json').read_text())
        own, peer = (
            RecordingReader(shared_data(f'ssl/{file}.log.gz'))
            for file in (name, f'peers/{name}_erforce')
        )
        return evaluate(own, kicks=kicks, others={'peer': peer})[0]

    return run


@pytest.mark.parametrize(('predictor', 'horizon'), KNOWN)
def test_the_known_errors_of_the_recorded_tracker_are_found(match, predictor, horizon):
    """The medians equal those measured by hand to 5 %, and so does the number of windows."""
    median, n = KNOWN[predictor, horizon]
    (found,) = (
        errors
        for errors in match.predictions
        if (errors.predictor, errors.horizon) == (predictor, horizon)
    )
    assert 1e3 * found.all.median == pytest.approx(median, rel=0.05)
    assert found.all.n == found.windows == pytest.approx(n, rel=0.05)
    assert found.all.n == found.sliding.n + found.rolling.n


def test_the_kick_of_the_match_is_evaluated(match):
    """It is found at 0.59 s, and no other kick is."""
    (kick,) = match.kicks.kicks
    assert kick.time == pytest.approx(0.59, abs=0.01)
    assert (match.kicks.found, match.kicks.missed) == (1, 0)
    assert kick.delay < 0.1


def test_the_delay_of_the_match_is_measured(match):
    """Vision sends 7.9 to 20 ms after the capture, 10.9 on average."""
    assert 0.0079 < match.latency.sending_median < 0.0109 < match.latency.sending_p95 < 0.02


@pytest.mark.parametrize(
    ('name', 'delay', 'rms'),
    [('sim_straight_noisefree', 0.032, 5e-4), ('sim_straight_realistic', 0.0265, 1.6e-3)],
)
def test_the_times_of_simulated_kicks_are_recovered(simulated, name, delay, rms):
    """The fitted truth has the known delay despite camera offsets, and fits to the noise."""
    truth = simulated(name).truth
    assert len(truth) in (3, 6)
    for kick in truth:
        assert kick.delay == pytest.approx(delay, abs=0.0016)
        assert kick.rms < rms
        assert kick.duration > 2.0


@pytest.mark.parametrize('name', ['sim_chip_noisefree', 'sim_chip_realistic'])
def test_simulated_chips_are_followed_through_their_bounces(simulated, name):
    """The model fits until the end, and chips of over 0.3 s have a landing."""
    evaluation = simulated(name)
    assert all(kick.rms < 0.005 for kick in evaluation.truth)
    assert all(kick.duration > 1.0 for kick in evaluation.truth)
    landings = [len(kick.landing) for kick in evaluation.kicks.kicks]
    assert landings == ([2, 2, 2, 2, 0, 2] if len(landings) == 6 else [2, 2, 2])
    assert all(kick.chip for kick in evaluation.kicks.kicks)


def test_the_ball_is_as_accurate_as_documented(simulated):
    """After settling, a simulated ball is right to millimeters, without false balls."""
    evaluation = simulated('sim_straight_realistic')
    assert evaluation.state.settled.median < 0.003
    assert evaluation.state.settled.p95 < 0.01
    assert evaluation.state.settled.n > 1000
    assert evaluation.track.on_false_ball == 0
    assert evaluation.kicks.missed == 0


@pytest.mark.parametrize('name', ['sim_straight_noisefree', 'sim_straight_realistic'])
def test_a_ball_that_is_put_elsewhere_is_found_again(simulated, name):
    """Before its kicks the ball is moved, out of a goal as well, where no robot can hide it."""
    evaluation = simulated(name)
    assert (evaluation.kicks.missed, evaluation.kicks.false) == (0, 0)
    assert evaluation.track.jumps == 0
    assert max(kick.frames for kick in evaluation.kicks.kicks) <= 5


@pytest.mark.parametrize('name', PEER)
def test_another_tracker_is_scored_in_the_same_windows(simulated, name):
    """ER-Force's tracker has a ball in all windows; its errors are those known."""
    errors = {e.predictor: e for e in simulated(name).predictions if e.horizon == 0.25}
    peer = errors['ER-Force']
    assert peer.windows == errors['ours'].windows
    assert peer.coverage == 1.0
    assert 1e3 * peer.all.median == pytest.approx(PEER[name], rel=0.05)
    assert errors['ours'].all.median < peer.all.median


def test_an_evaluation_follows_its_schema(match, simulated):
    """The document is valid by its schema, with and without ground truth."""
    for evaluation in (match, simulated('sim_chip_realistic')):
        document = {'path': 'match.log', 'truncated': False, **asdict(evaluation)}
        parse(json.dumps(document), 'evaluation')
