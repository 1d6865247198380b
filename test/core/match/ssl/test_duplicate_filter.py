# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Filter of duplicate datagrams."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.ssl.duplicate_filter import DuplicateFilter


@given(st.lists(st.integers(0, 20).map(lambda n: bytes([n])), max_size=100), st.integers(1, 8))
def test_agrees_with_a_list(datagrams, capacity):
    """A datagram must be a duplicate exactly if it is among the last distinct ones."""
    duplicates, recent = DuplicateFilter(capacity), []
    for datagram in datagrams:
        assert duplicates.is_duplicate(datagram) == (datagram in recent[-capacity:])
        if datagram not in recent[-capacity:]:
            recent.append(datagram)


def test_a_loop_longer_than_the_memory_is_not_a_duplicate():
    """A recording that starts over must be received again."""
    duplicates = DuplicateFilter(capacity=64)
    loop = [n.to_bytes(2, 'big') for n in range(65)]
    assert not any(duplicates.is_duplicate(datagram) for datagram in loop + loop)


def test_a_forgotten_datagram_is_new():
    """A datagram that was not used must be accepted from another sender, once."""
    duplicates = DuplicateFilter(capacity=2)
    duplicates.is_duplicate(b'a')
    duplicates.is_duplicate(b'b')
    duplicates.forget(b'a')
    duplicates.forget(b'never received')
    assert not duplicates.is_duplicate(b'a')
    assert duplicates.is_duplicate(b'a')
    assert duplicates.is_duplicate(b'b')


def test_reset_forgets():
    """After a jump back in time even the last datagram must be new."""
    duplicates = DuplicateFilter()
    assert not duplicates.is_duplicate(b'a')
    duplicates.reset()
    assert not duplicates.is_duplicate(b'a')
    assert duplicates.is_duplicate(b'a')
