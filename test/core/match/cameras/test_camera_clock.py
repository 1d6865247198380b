# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The clock of a camera from its stamps alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.cameras.camera_clock import (
    FRAMES_TO_RUN,
    FRAMES_TO_SETTLE,
    SLEW,
    CameraClock,
)

START_NS = 1_700_000_000_000_000_000


def follow(clock, stamps_ns, steps=None):
    """Start the clock with the first stamp; return the predictions of the others [ns]."""
    clock.start(int(stamps_ns[0]))
    predictions = []
    for periods, stamp_ns in zip(steps or [1] * len(stamps_ns), stamps_ns[1:], strict=False):
        predictions.append(clock.predict(periods, int(stamp_ns)))
        clock.follow(periods, int(stamp_ns))
    return np.array(predictions)


@given(
    period_ns=st.integers(2_000_000, 40_000_000),
    steps=st.lists(st.integers(1, 5), min_size=3, max_size=60),
)
def test_even_stamps_are_predicted_exactly(period_ns, steps):
    """Without delays each prediction must be right, with any gaps in the numbers."""
    stamps_ns = START_NS + period_ns * np.concatenate(([0], np.cumsum(steps)))
    clock = CameraClock()
    predictions_ns = follow(clock, stamps_ns, steps)
    assert max(abs(predictions_ns[1:] - stamps_ns[2:])) <= 2
    assert clock.period_ns == pytest.approx(period_ns, abs=0.1)


def test_a_clock_runs_after_some_frames():
    """The first frames must not be used."""
    clock = CameraClock()
    stamps_ns = START_NS + 10_000_000 * np.arange(FRAMES_TO_RUN)
    follow(clock, stamps_ns[:-1])
    assert not clock.runs
    clock.follow(1, int(stamps_ns[-1]))
    assert clock.runs
    clock.start(START_NS)
    assert not clock.runs
    assert clock.predict(3, 5) == 5


@pytest.mark.parametrize('late_ns', [5_000_000, -5_000_000])
def test_a_settled_clock_changes_slowly(late_ns):
    """Stamps that change by 5 ms for good must be followed, by 0.3 % of the period at most."""
    stamps_ns = START_NS + 13_644_000 * np.arange(900)
    stamps_ns[300:] += late_ns
    errors_ns = follow(CameraClock(), stamps_ns) - stamps_ns[1:]
    assert abs(errors_ns[-1]) < 100_000
    assert max(abs(np.diff(errors_ns[FRAMES_TO_SETTLE:298]))) < 10
    assert max(abs(np.diff(errors_ns[300:]))) < 1.3 * SLEW * 13_644_000


def test_late_stamps_hardly_move_a_clock():
    """With a quarter of the stamps milliseconds late, the clock must stay within 0.3 ms."""
    rng = np.random.default_rng(3)
    truth_ns = START_NS + 13_644_000 * np.arange(600)
    late_ns = (rng.random(600) < 0.25) * rng.exponential(4_000_000, 600)
    errors_ns = follow(CameraClock(), truth_ns + late_ns.astype(int)) - truth_ns[1:]
    assert max(abs(errors_ns[150:])) < 300_000
