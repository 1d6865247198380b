# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Prediction errors: selection of windows, and errors within them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.evaluation.match.error_summary import summarize_errors
from world_model_core.evaluation.match.observed_ball import ObservedBall
from world_model_core.evaluation.match.prediction_errors import prediction_errors, windows
from world_model_core.evaluation.match.predictors import Predictor
from world_model_core.match.ball.contact_segmentation import BallDetections, Stretch
from world_model_core.match.ball.motion_segment import BallMotion

MS = 10**6


@dataclass
class Rolling:
    """A ball on the x axis at constant speed [m/s], known for a limited time [ns]."""

    start_ns: int
    end_ns: int
    speed: float

    def at(self, stamp_ns):
        """Return the position."""
        return np.array((self.speed * stamp_ns / 1e9, 0.0))

    def speed_at(self, _stamp_ns):
        """Return the speed."""
        return self.speed

    def motion_at(self, _stamp_ns):
        """Return the motion."""
        return BallMotion.ROLLING


instants = st.lists(st.integers(0, 3000), unique=True, max_size=40).map(sorted)


@given(instants, st.integers(0, 1500), st.integers(0, 1500), st.sampled_from([0.1, 0.25, 0.5]))
def test_a_window_is_within_one_free_segment(numbers, start, length, horizon):
    """From 10 ms after the first detection on, as long as it ends before the last."""
    ball = Rolling(start * MS, (start + length) * MS, 1.0)
    found = windows([ball], [number * MS for number in numbers], horizon)
    span = round(1e3 * horizon)
    expected = [n * MS for n in numbers if start + 10 < n and n + span <= start + length]
    assert [window.start_ns for window in found] == expected
    assert all(window.end_ns - window.start_ns == span * MS for window in found)


@pytest.mark.parametrize(('speed', 'count'), [(0.099, 0), (0.1, 1), (3.0, 1)])
def test_a_ball_that_hardly_moves_is_not_predicted(speed, count):
    """A window counts from 0.1 m/s on."""
    assert len(windows([Rolling(0, 1000 * MS, speed)], [20 * MS], 0.5)) == count


@given(st.floats(0.1, 8.0), st.floats(-1.0, 1.0))
def test_errors_are_distances_in_the_plane(speed, off):
    """A constant offset of a predictor is its error; a predictor without a result has none."""
    ball = Rolling(0, 1000 * MS, speed)
    chosen = windows([ball], [100 * MS, 200 * MS], 0.5)
    predictor = Predictor(
        'off', [100 * MS], [lambda times: np.array([(speed * (0.1 + times[0]), off)])]
    )
    (errors,) = prediction_errors([predictor], chosen, 0.5)
    assert (errors.windows, errors.all.n, errors.rolling.n, errors.sliding.n) == (2, 2, 2, 0)
    assert errors.all.median == pytest.approx(abs(off), abs=1e-9)
    _, nothing = prediction_errors([predictor, Predictor('none', [], [])], chosen, 0.5)
    assert (nothing.windows, nothing.all.n, nothing.all.median) == (2, 0, None)


def test_ours_are_given_in_the_windows_that_another_covers():
    """One that has no ball in the hard windows is compared with ours in the easy ones."""
    chosen = windows([Rolling(0, 1000 * MS, 1.0)], [100 * MS, 200 * MS, 300 * MS], 0.5)

    def at(x):
        return lambda _: np.array([(x, 0.0)])

    ours = Predictor('ours', [100 * MS, 200 * MS, 300 * MS], [at(0.61), at(0.9), None])
    other = Predictor('other', [100 * MS, 200 * MS, 300 * MS], [at(0.63), None, at(0.8)])
    own, beside = prediction_errors([ours, other], chosen, 0.5)
    assert (own.all.n, own.ours) == (2, own.all)
    assert (beside.coverage, beside.all.n) == (pytest.approx(2 / 3), 2)
    assert (beside.ours.n, beside.ours.median) == (1, pytest.approx(0.01))


def test_a_predictor_uses_nothing_of_the_future():
    """The state is the last one before the start of the window, and not too old."""
    extrapolations = [lambda _, name=name: np.array([(name, 0.0)]) for name in (1.0, 2.0)]
    predictor = Predictor('two', [1000 * MS, 2000 * MS], extrapolations)
    assert predictor.predict(999 * MS, 3000 * MS) is None
    assert predictor.predict(1400 * MS, 3000 * MS)[0] == 1.0
    assert predictor.predict(1600 * MS, 3000 * MS) is None
    assert predictor.predict(2000 * MS, 3000 * MS)[0] == 2.0


def test_no_errors_have_no_median():
    """Without comparisons there is no median."""
    assert summarize_errors([]).median is summarize_errors([]).p95 is None


def observed(speeds, kicked):
    """Return noise-free detections along the x axis, with a speed [m/s] for each 10 ms."""
    x = np.cumsum(np.asarray(speeds) * 0.01)
    stamps = np.arange(len(x), dtype=np.int64) * 10 * MS
    detections = BallDetections(
        stamps, np.stack((x, 0.0 * x), axis=1), np.zeros(len(x), dtype=int)
    )
    stretch = Stretch(0, int(stamps[-1]), np.arange(len(x)), kicked)
    return ObservedBall(detections, stretch, 0.7)


def test_a_kicked_ball_slides_until_it_is_slow_enough():
    """It slides above 0.7 of its kick speed and rolls below; without a kick it rolls."""
    speeds = np.maximum(4.0 - 0.04 * np.arange(200), 1.0)
    ball = observed(speeds, kicked=True)
    assert ball.motion_at(100 * MS) is BallMotion.SLIDING
    assert ball.motion_at(600 * MS) is BallMotion.ROLLING
    assert observed(speeds, kicked=False).motion_at(100 * MS) is BallMotion.ROLLING
    assert ball.speed_at(200 * MS) == pytest.approx(3.2, abs=0.05)


def test_the_position_is_interpolated_from_detections():
    """Between detections the position is interpolated; with too few nearby it is unknown."""
    ball = observed(np.full(50, 2.0), kicked=False)
    assert ball.at(103 * MS) == pytest.approx([2.0 * 0.113, 0.0], abs=1e-9)
    assert ball.at(2000 * MS) is None
    assert ball.speed_at(2000 * MS) == 0.0
