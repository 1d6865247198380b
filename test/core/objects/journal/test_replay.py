# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Replay of a journal: the map as it was at one of its records, from any bytes."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.objects.documents.object_map_document import map_document
from world_model_core.objects.documents.object_map_file import OriginError
from world_model_core.objects.journal.journal_record import (
    JournalError,
    JournalRecord,
    decode,
    encode,
)
from world_model_core.objects.journal.record_framing import frame_record
from world_model_core.objects.journal.replay import SKIPPED_IDS, record_bytes, replay
from world_model_core.objects.mapping.map_changes import MapChange
from world_model_core.objects.mapping.parameters import ObjectMapParameters
from world_model_core.objects.persistent_map import MapOrigin, PersistentObjectMap
from world_model_core.objects.values import CameraView, Detections, MapObject, Swatch

ORIGIN = MapOrigin('house', 'map')
PARAMETERS = ObjectMapParameters(confirm_hits=2, tentative_life=0.5, missing_life=0.5)
STONES = 1000
EVERYWHERE = CameraView(np.zeros(3), np.eye(3), 2 * np.pi, np.pi, 0.0, 100.0)
FRAMES = 40


def frame(rng, number):
    """Draw a frame: objects on a line, of which some come, some go, and some are clutter."""
    places = np.arange(number // 4, number // 4 + 8)
    positions = np.column_stack((places, np.sin(places), np.ones(8))) + rng.normal(0, 0.02, (8, 3))
    positions[0] = rng.uniform(-20.0, -10.0, 3)
    return Detections(
        stamp_ns=number * 10**8,
        labels=tuple(f'class {place % 5}' for place in places),
        positions=positions,
        covariances=np.tile(4e-4 * np.eye(3), (8, 1, 1)),
        scores=np.ones(8),
        colors=('red', 'blue') * 4,
        sizes=np.full((8, 3), 0.3),
        headings=rng.normal(0.0, 0.1, 8),
    )


def written(kept):
    """Return the map as JSON values."""
    return map_document(kept.document(ORIGIN))


def resumed(record):
    """Return a new map that continues a record."""
    kept = PersistentObjectMap(PARAMETERS)
    kept.resume(record, ORIGIN, force=False)
    return kept


@pytest.fixture(scope='module')
def course():
    """Make a journal with a record of each frame, and the maps at these times."""
    rng, kept = np.random.default_rng(3), PersistentObjectMap(PARAMETERS)
    records, maps = [], []
    for number in range(1, FRAMES):
        kept.observe(frame(rng, number), EVERYWHERE)
        records.append(record_bytes(kept.take_record(ORIGIN)))
        maps.append(written(kept))
    return records, maps


def test_the_course_has_all_kinds_of_changes(course):
    """Objects are created, changed, discarded and deleted."""
    _, maps = course
    assert maps[-1]['tombstones']
    assert maps[-1]['next_id'] > len(maps[-1]['objects']) + len(maps[-1]['tombstones'])


def test_every_prefix_is_the_map_of_its_time(course):
    """Position, covariance, classes, counts, states and tombstones are exactly the same."""
    records, maps = course
    for count in (1, 2, 17, len(records)):
        found = replay([b''.join(records[:count])], STONES)
        assert written(resumed(found.record)) == maps[count - 1]


@given(st.data())
def test_a_journal_that_is_cut_off_is_an_earlier_map(course, data):
    """Wherever the process died, the result is the map of the last complete record."""
    records, maps = course
    whole = b''.join(records)
    cut = data.draw(st.integers(len(records[0]), len(whole)))
    found = replay([whole[:cut]], STONES)
    complete = max(n for n in range(1, len(records) + 1) if len(b''.join(records[:n])) <= cut)
    assert not found.damaged
    assert written(resumed(found.record)) == maps[complete - 1]


def test_compaction_changes_nothing(course):
    """One full record is the same map, and later records continue it."""
    records, maps = course
    full = record_bytes(replay([b''.join(records[:20])], STONES).record)
    assert len(full) < len(b''.join(records[:20]))
    found = replay([full, b''.join(records[20:])], STONES)
    assert written(resumed(found.record)) == maps[-1]
    # The older files may still be there if the process died before it removed them.
    found = replay([*records[:20], full, *records[20:]], STONES)
    assert written(resumed(found.record)) == maps[-1]


def test_a_resumed_map_continues(course):
    """Further detections update the objects with their ids; no id is given twice."""
    records, maps = course
    kept = resumed(replay([b''.join(records)], STONES).record)
    kept.observe(frame(np.random.default_rng(4), FRAMES), EVERYWHERE)
    after = written(kept)
    given = set(maps[-1]['objects']) | set(maps[-1]['tombstones'])
    new = set(after['objects']) - given
    assert len(set(after['objects']) & set(maps[-1]['objects'])) >= 6
    assert all(int(name) >= maps[-1]['next_id'] for name in new)


def test_damage_costs_what_follows_in_its_file_only(course):
    """Objects that appear in later records are there; ids skip what may have been given."""
    records, maps = course
    broken = bytearray(b''.join(records[:20]))
    broken[-100] ^= 255
    found = replay([bytes(broken), b''.join(records[20:])], STONES)
    assert found.damaged == (0,)
    after = written(resumed(found.record))
    assert after['next_id'] == maps[-1]['next_id'] + SKIPPED_IDS
    for name in set(after['objects']) & set(maps[-1]['objects']):
        assert after['objects'][name]['position'] == maps[-1]['objects'][name]['position']
    assert set(maps[-1]['objects']) <= set(after['objects'])


@given(st.binary(max_size=300))
def test_any_content_is_read_or_rejected(content):
    """A record with a valid checksum may still be another program's."""
    found = replay([frame_record(content)], STONES)
    try:
        decode(content)
    except JournalError:
        assert found.damaged == (0,)


@pytest.mark.parametrize(
    ('key', 'value'),
    [('version', 2), ('ids', ['a']), ('full', 1), ('removed', [1]), ('labels', None)],
)
def test_a_header_is_checked(key, value):
    """A wrong type, length or version is rejected by name."""
    content = encode(JournalRecord(MapChange()))
    header = {**json.loads(content[4:]), key: value}
    data = json.dumps(header).encode()
    with pytest.raises(JournalError):
        decode(len(data).to_bytes(4, 'little') + data)


def test_invalid_rows_are_dropped_and_counted(course):
    """A row with NaN, without a known label, or without a state is no object."""
    records, _ = course
    record = replay([b''.join(records)], STONES).record
    rows = record.change.rows.copy()
    rows['position'][0] = np.nan
    rows['labels'][1] = 10**6
    rows['state'][2] = 0
    rows['covariance'][3] = 0.0
    kept = resumed(replace(record, change=replace(record.change, rows=rows)))
    assert kept.map.dropped['invalid object in the journal'] == 4
    assert len(kept.map.objects) == len(rows) - 4


def test_what_was_loaded_from_a_file_is_kept():
    """Aliases, rooms, shades and unknown keys are not in the rows, but in the journal."""
    thing = MapObject(
        'shelf',
        'book shelf',
        np.zeros(3),
        np.eye(3),
        colors=(Swatch('red', 1.0, (200.0, 10.0, 10.0)),),
        aliases=('rack',),
        region='study',
        extra={'owner': 'Ada'},
    )
    kept = PersistentObjectMap(PARAMETERS)
    kept.map.restore((thing,), (), 5)
    before = written(kept)
    first, second = (record_bytes(kept.take_record(ORIGIN)) for _ in range(2))
    assert written(resumed(replay([first + second], STONES).record)) == before
    kept.clear()
    found = replay([first + second + record_bytes(kept.take_record(ORIGIN))], STONES)
    assert written(resumed(found.record)) == {**written(kept), 'next_id': 5}


def test_a_map_of_another_place_is_not_continued(course):
    """Its positions would be meaningless."""
    records, _ = course
    record = replay([b''.join(records)], STONES).record
    with pytest.raises(OriginError, match="map_id is 'house', expected 'office'"):
        PersistentObjectMap(PARAMETERS).resume(record, MapOrigin('office', 'map'), force=False)
    PersistentObjectMap(PARAMETERS).resume(record, MapOrigin('office', 'map'), force=True)


def test_nothing_is_written_of_what_did_not_change(course):
    """The rows of a record are those that a frame changed."""
    records, _ = course
    kept = resumed(replay([b''.join(records)], STONES).record)
    assert len(kept.take_record(ORIGIN).change.ids) == len(kept.map.objects)
    change = kept.take_record(ORIGIN).change
    assert not change.full
    assert not any(
        (change.ids, change.removed, change.labels, change.tombstones, len(change.rows))
    )
