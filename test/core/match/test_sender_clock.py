# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The clocks of the senders, estimated from the times of their packets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.sender_clock import JUMP_NS, SenderClock
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

HOUR = 3600 * SECOND


@given(st.integers(-(2**60), 2**60), st.lists(st.integers(0, 5_000_000), min_size=1, max_size=100))
def test_the_offset_is_within_the_delays(offset, delays):
    """The offset must be found up to the transmission delays, and map in both directions."""
    clock = SenderClock()
    for index, delay in enumerate(delays):
        assert clock.observe(index * SECOND, index * SECOND + offset + delay)
    assert offset <= clock.offset_ns <= offset + max(delays)
    assert clock.to_sender(clock.to_local(123)) == 123


def test_rare_delays_do_not_move_the_offset():
    """One packet in five delayed by 100 ms must not shift the mapping by a millisecond."""
    clock, rng = SenderClock(), np.random.default_rng(0)
    for index in range(200):
        delay = 100_000_000 if index % 5 == 0 else int(rng.uniform(0, 200_000))
        clock.observe(index * 10_000_000, index * 10_000_000 + delay)
    assert clock.offset_ns < 1_000_000


def test_one_wrong_stamp_is_not_a_new_clock():
    """A single packet an hour off must be rejected and change nothing."""
    clock = SenderClock()
    clock.observe(0, 5)
    assert not clock.observe(HOUR, 10)
    assert clock.observe(20, 25)
    assert (clock.offset_ns, clock.jumps) == (5, 0)


@pytest.mark.parametrize('jump', [HOUR, -HOUR, JUMP_NS + 1])
def test_a_clock_that_was_set_is_followed_after_three_packets(jump):
    """Three packets with another offset must be accepted, and counted as one jump."""
    clock = SenderClock()
    clock.observe(0, 0)
    taken = [clock.observe(n + jump, n) for n in range(1, 5)]
    assert taken == [False, False, True, True]
    assert clock.offset_ns == -jump
    assert clock.jumps == 1


def test_an_unused_clock_is_unknown():
    """Before the first packet the offset must be unknown."""
    clock = SenderClock()
    assert not clock.known
    clock.observe(7, 7)
    assert clock.known
