# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The relation between system time and the local clock."""

from hypothesis import given
from hypothesis import strategies as st
from match_packets import MS, START

from world_model_core.match.system_to_local_time import ClockRelation
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND


@given(st.lists(st.integers(0, 2 * SECOND), min_size=1), st.floats(0.0, 1.0))
def test_system_time_is_converted_to_itself(steps, fraction):
    """If the local clock is system time, stamps must be unchanged, whatever the stalls."""
    relation, now_ns = ClockRelation(), START
    relation.read(now_ns, now_ns)
    for step in steps:
        stamp_ns = now_ns + int(fraction * step)
        now_ns += step
        relation.read(now_ns, now_ns)
        assert relation.to_local(stamp_ns) == stamp_ns


def test_simulated_time_is_interpolated_over_a_stall():
    """After a stall the time of a stamp within must be found, at any speed of simulation."""
    relation = ClockRelation()
    relation.read(START, 100 * SECOND)
    relation.read(START + 2 * SECOND, 110 * SECOND)
    assert relation.to_local(START + SECOND) == 105 * SECOND


def test_no_result_is_in_the_future():
    """A time after the latest reading must be converted to that of the reading."""
    relation = ClockRelation()
    relation.read(START, 100 * SECOND)
    assert relation.to_local(START + MS) == 100 * SECOND


def test_after_a_jump_back_all_times_are_new():
    """Stamps from before a restart of simulated time must not be converted to old times."""
    relation = ClockRelation()
    relation.read(START, 100 * SECOND)
    relation.read(START + MS, SECOND)
    assert relation.to_local(START) == SECOND


def test_a_clock_that_starts_is_not_interpolated():
    """The first time of a simulation must not be mixed with the 0 before it."""
    relation = ClockRelation()
    relation.read(START, 0)
    relation.read(START + SECOND, 100 * SECOND)
    assert relation.to_local(START + SECOND // 2) == 100 * SECOND


@given(st.lists(st.tuples(st.integers(0, 300 * MS), st.integers(0, 900 * MS)), max_size=400))
def test_the_order_of_times_is_kept(steps):
    """Later stamps must never be converted to earlier times, while no clock is set back."""
    relation, system_ns, local_ns, last_ns = ClockRelation(), START, SECOND, 0
    for system_step, local_step in steps:
        stamp_ns = system_ns + system_step // 2
        system_ns, local_ns = system_ns + system_step, local_ns + local_step
        relation.read(system_ns, local_ns)
        converted_ns = relation.to_local(stamp_ns)
        assert last_ns <= converted_ns <= local_ns
        last_ns = converted_ns
