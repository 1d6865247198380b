# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Replay of the files of a journal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.objects.journal.journal_record import (
    JournalError,
    JournalRecord,
    decode,
    encode,
    fold,
)
from world_model_core.objects.journal.record_framing import frame_record, split_records

if TYPE_CHECKING:
    from collections.abc import Sequence

# A damaged journal does not show how many ids were given after the damage.
SKIPPED_IDS = 1_000_000


class Replay(NamedTuple):
    """
    Result of a replay.

    Attributes
    ----------
    files : int
        Number of files.
    record : JournalRecord or None
        The map as one full change; None if no record is intact.
    torn : int
        Number of files that end within a record, as after the death of the writer.
    damaged : tuple of int
        Indices of the files with other damage. Their records up to the damage are used, and so
        are all records of later files, since each contains whole objects.

    """

    files: int
    record: JournalRecord | None
    torn: int
    damaged: tuple[int, ...]


def replay(files: Sequence[bytes], tombstone_limit: int) -> Replay:
    """
    Add up the records of files.

    Parameters
    ----------
    files : sequence of bytes
        Contents, oldest first; any bytes.
    tombstone_limit : int
        Number of tombstones to keep.

    """
    records: list[JournalRecord] = []
    torn, damaged = 0, []
    for index, data in enumerate(files):
        found = split_records(data)
        torn += found.torn
        try:
            records.extend(map(decode, found.contents))
        except JournalError:
            damaged.append(index)
        else:
            damaged.extend([index] * found.damaged)
    record = fold(records, tombstone_limit)
    if damaged and record is not None:
        change = replace(record.change, next_id=record.change.next_id + SKIPPED_IDS)
        record = replace(record, change=change)
    return Replay(len(files), record, torn, tuple(damaged))


def record_bytes(record: JournalRecord) -> bytes:
    """Return a record as it is appended to a file."""
    return frame_record(encode(record))
