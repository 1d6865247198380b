# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A process that stands still now and then: time has one order, and no datagram is forgotten."""

from random import Random

import pytest
from match_packets import MS, START
from stalled_process import StalledProcess

from world_model_core.match.values import Channel
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

# With each of the two clocks.
STALLS = 500
# Who stands still: the receiving thread, the executor, or the whole process.
STALLED = ({'reads': False}, {'executes': False}, {'reads': False, 'executes': False})
CLOCKS = {
    'system time': lambda system_ns: system_ns,
    'simulated time': lambda system_ns: (system_ns - START) // (10 * MS) * 10 * MS + 5 * SECOND,
}


@pytest.mark.parametrize('clock', CLOCKS.values(), ids=CLOCKS)
def test_stalls_are_no_jumps_in_time(clock):
    """500 stalls of 0.05 to 2 s must reset nothing, and every datagram must be counted."""
    process, random = StalledProcess(START, 50 * MS, clock), Random(1)  # noqa: S311 (no secret)
    process.run(200 * MS)
    for number in range(STALLS):
        duration = round(50 * MS * 40 ** random.random())
        process.run(duration, **STALLED[number % len(STALLED)])
        process.run(random.randrange(2, 12) * 10 * MS)
    process.run(500 * MS)
    counters = process.match.counters
    jumps = {cause: count for cause, count in counters.items() if 'jumped' in cause}
    assert jumps == {}
    assert not process.queues
    for channel in Channel:
        dropped = process.queues.counters
        drops = dropped[f'{channel.value}.queue full'] + dropped[f'{channel.value}.too old']
        used = counters[f'{channel.value}.received']
        assert process.sent[channel] == used + drops + process.kernel_drops[channel]
        assert used == process.taken[channel]
        assert drops > 0 or channel is Channel.REFEREE


def test_a_replay_that_starts_over_after_stalls_is_a_jump():
    """Simulated time that goes back must reset the match, exactly once for each time."""
    offset = [0]
    process = StalledProcess(START, 0, lambda system_ns: system_ns - START + SECOND - offset[0])
    for restarts in range(1, 6):
        process.run(SECOND)
        process.run(SECOND // 2, executes=False)
        offset[0] = process.now_ns - START
        process.run(SECOND // 2)
        assert process.match.counters['clock.jumped back'] == restarts
