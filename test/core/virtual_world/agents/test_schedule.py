# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Agents are called again after the time that they ask for."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.virtual_world.agents.schedule import (
    LONGEST_PERIOD,
    InvalidReplyError,
    Schedule,
)

SECOND = 1_000_000_000


def schedule(agent='ann', seconds=None):
    """Return a schedule of an agent that has replied at time 0, perhaps with a period."""
    found = Schedule()
    found.add(agent, 0)
    if seconds is not None:
        found.replied(agent, 0, seconds)
    return found


@given(seconds=st.floats(1e-9, LONGEST_PERIOD))
def test_a_call_is_due_from_its_time_on(seconds):
    """It must be due at the period after the reply, and 1 ns earlier not yet."""
    found = schedule(seconds=seconds)
    due = found.next_due_of(['ann'])
    assert abs(due - seconds * SECOND) <= 1
    assert found.due(due - 1) == set()
    assert found.due(due) == found.due(due + SECOND) == {'ann'}


@given(seconds=st.floats(max_value=0.0, allow_infinity=False))
def test_zero_and_negative_times_mean_the_next_step(seconds):
    """The first step at or after 1 ns is the next one."""
    assert schedule(seconds=seconds).next_due_of(['ann']) == 1


@pytest.mark.parametrize('seconds', [math.nan, math.inf, -math.inf, LONGEST_PERIOD * 1.001])
def test_invalid_times_leave_the_last_period(seconds):
    """The agent must be called as if it had returned its last valid time."""
    found = schedule(seconds=0.5)
    with pytest.raises(InvalidReplyError, match=r"'ann' returned .*86400 s"):
        found.replied('ann', SECOND, seconds)
    assert found.next_due_of(['ann']) == 1.5 * SECOND


@given(st.dictionaries(st.text(max_size=3), st.integers(0, 100)), st.integers(0, 100))
def test_due_agents_are_those_whose_time_has_come(times, now):
    """Each agent that was added counts."""
    found = Schedule()
    for agent, time_ns in times.items():
        found.add(agent, time_ns)
    assert found.due(now) == {name for name in times if times[name] <= now}
    assert found.next_due_of(times) == min(times.values(), default=None)


def test_removed_agents_are_never_due():
    """Also their late replies must not bring them back."""
    found = schedule()
    found.remove('ann')
    found.remove('ann')
    found.replied('ann', 0, 1.0)
    found.repeat('ann', 0)
    found.delay('ann', 0)
    assert found.next_due_of(['ann']) is None
    assert found.due(SECOND) == set()
