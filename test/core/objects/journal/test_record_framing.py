# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Records of a journal: whatever the death of a process or a disk leaves of them."""

from hypothesis import given
from hypothesis import strategies as st

from world_model_core.objects.journal.id_blocks import BLOCK, reserve_ids
from world_model_core.objects.journal.record_framing import frame_record, split_records

CONTENTS = st.lists(st.binary(max_size=40), max_size=5)


@given(CONTENTS, st.data())
def test_a_file_that_is_cut_off_has_all_complete_records(contents, data):
    """At any cut, the complete records are read, and a torn one is reported."""
    framed = [frame_record(each) for each in contents]
    whole = b''.join(framed)
    cut = data.draw(st.integers(0, len(whole)))
    found = split_records(whole[:cut])
    ends = [len(b''.join(framed[:count])) for count in range(len(framed) + 1)]
    complete = max(count for count, end in enumerate(ends) if end <= cut)
    assert list(found.contents) == contents[:complete]
    assert found.torn == (cut not in ends)
    assert not found.damaged


@given(CONTENTS.filter(bool), st.data())
def test_a_changed_bit_is_found(contents, data):
    """The records before the damage are read, and none that differs from what was written."""
    whole = bytearray(b''.join(map(frame_record, contents)))
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= 1 << data.draw(st.integers(0, 7))
    found = split_records(bytes(whole))
    assert list(found.contents) == contents[: len(found.contents)]
    assert len(found.contents) < len(contents)
    assert found.torn or found.damaged


@given(st.binary(max_size=200))
def test_any_bytes_are_split(data):
    """Nothing is raised, and what is no record is reported."""
    found = split_records(data)
    assert not data or found.contents or found.torn or found.damaged


def test_zeros_after_a_power_cut_are_damage():
    """A file system may extend a file before it writes the data."""
    found = split_records(frame_record(b'x') + bytes(100))
    assert (found.contents, found.torn, found.damaged) == ((b'x',), False, True)


@given(st.integers(0, 10**6), st.integers(0, 10**5), st.integers(0, 10**6))
def test_ids_are_reserved_before_they_are_given(next_id, count, reserved):
    """A reservation covers what is asked, is never reduced, and grows by blocks."""
    limit = reserve_ids(next_id, count, reserved)
    assert limit >= max(next_id + count, reserved)
    assert limit == reserved or limit == next_id + count + BLOCK
