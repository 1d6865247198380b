# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Objects go missing, are deleted, and are found at other places."""

import numpy as np

from world_model_core.objects.mapping.object_map import ObjectMap
from world_model_core.objects.mapping.parameters import ObjectMapParameters
from world_model_core.objects.values import ObjectState

PARAMETERS = ObjectMapParameters(missing_life=2.0)
NEAR, FAR = (2.0, 0.0, 0.0), (4.0, 0.0, 0.0)
SEEN = 12


def _known(frame, view, places=(NEAR,), sizes=None):
    """Build a map with some chairs."""
    objects = ObjectMap(PARAMETERS)
    for number in range(SEEN):
        objects.observe(frame(number, places, sizes=sizes), view)
    return objects


def _stare(objects, frame, view, frames=40, places=()):
    """Update the map with empty frames; return its updates."""
    return [objects.observe(frame(number, places), view) for number in range(SEEN, SEEN + frames)]


def _states(objects):
    return {each.id: each.state for each in objects.objects}


def test_what_is_not_seen_where_it_should_be_goes_missing_and_is_deleted(frame, view_along_x):
    """An object in view that is not detected goes missing, is deleted, and leaves a tombstone."""
    view = view_along_x()
    objects = _known(frame, view)
    updates = _stare(objects, frame, view)
    lost = [number for number, each in enumerate(updates) if each.missing == ('0',)]
    gone = [number for number, each in enumerate(updates) if each.deleted == ('0',)]
    assert len(lost) == len(gone) == 1
    assert 1 < lost[0] < gone[0]
    assert not objects.objects
    record = objects.tombstones[0]
    assert (record.id, record.label, record.merged_into) == ('0', 'chair', None)
    assert record.reason == 'not seen though in view'


def test_what_is_out_of_view_is_not_missed(frame, view_along_x):
    """No frame counts against objects outside the view, behind the camera, or too far away."""
    beside = ((2.0, 2.5, 0.0), (-2.0, 0.0, 0.0), (7.0, 0.0, 0.0))
    objects = _known(frame, view_along_x(horizontal=2.0 * np.pi, far=10.0), beside)
    _stare(objects, frame, view_along_x(), 100)
    assert set(_states(objects).values()) == {ObjectState.CONFIRMED}
    assert all(each.misses == 0 for each in objects.objects)


def test_without_a_view_nothing_is_missed(frame):
    """Empty frames with an unknown view do not count against any object."""
    objects = _known(frame, None)
    _stare(objects, frame, None, 100)
    assert _states(objects) == {'0': ObjectState.CONFIRMED}


def test_what_is_hidden_by_a_scan_is_not_missed(frame, view_along_x):
    """Objects that a scan shows to be occluded are not missed."""
    side, height = np.meshgrid(np.linspace(-0.5, 0.5, 41), np.linspace(-0.5, 0.5, 41))
    curtain = np.stack((np.full(side.size, 1.0), side.ravel(), height.ravel()), axis=1)
    objects = _known(frame, view_along_x())
    _stare(objects, frame, view_along_x(points=curtain), 100)
    assert _states(objects) == {'0': ObjectState.CONFIRMED}


def test_what_other_objects_hide_is_not_missed(frame, view_along_x):
    """A chair behind a large box of the map is not missed, and the box is."""
    sizes, view = ((0.5, 1.5, 1.5), (0.5, 0.5, 0.5)), view_along_x()
    objects = _known(frame, view, (NEAR, FAR), sizes)
    for number in range(SEEN, SEEN + 8):
        objects.observe(frame(number, (NEAR,), sizes=sizes[:1]), view)
    misses = {round(each.position[0]): each.misses for each in objects.objects}
    assert misses == {2: 0, 4: 0}


def test_what_is_of_no_interest_is_not_missed(frame, view_along_x):
    """A map with an interest in lamps keeps its chairs, and still misses a lamp."""
    objects, view = ObjectMap(PARAMETERS), view_along_x()
    for number in range(SEEN):
        objects.observe(frame(number, (NEAR, FAR), labels=('chair', 'lamp')), view)
    objects.interest = frozenset({'lamp'})
    _stare(objects, frame, view)
    assert [(each.label, each.misses) for each in objects.objects] == [('chair', 0)]
    assert [record.label for record in objects.tombstones] == ['lamp']


def test_what_was_moved_is_dropped_and_found_elsewhere(frame, view_along_x):
    """A moved chair becomes a new object at its new place, and the old one is deleted."""
    view = view_along_x()
    objects = _known(frame, view)
    _stare(objects, frame, view, 60, (FAR,))
    assert _states(objects) == {'1': ObjectState.CONFIRMED}
    np.testing.assert_allclose(objects.objects[0].position, FAR, atol=0.02)
    assert [record.id for record in objects.tombstones] == ['0']


def test_what_comes_back_is_the_same(frame, view_along_x):
    """A missing object that is detected again at its place is confirmed under its own id."""
    objects, view = ObjectMap(ObjectMapParameters(missing_life=100.0)), view_along_x()
    for number in range(SEEN):
        objects.observe(frame(number, (NEAR,)), view)
    _stare(objects, frame, view, 40)
    assert _states(objects) == {'0': ObjectState.MISSING}
    objects.observe(frame(100, (NEAR,)), view)
    assert _states(objects) == {'0': ObjectState.CONFIRMED}


def test_a_tentative_object_waits_no_longer_than_its_life(frame):
    """An object that was detected once only is discarded after some time, without a tombstone."""
    objects = ObjectMap(ObjectMapParameters(tentative_life=5.0))
    objects.observe(frame(0, (NEAR,)))
    objects.observe(frame(10, ((50.0, 0.0, 0.0),)))
    assert len(objects.objects) == 2
    objects.observe(frame(40, ((50.0, 0.0, 0.0),)))
    assert [each.position[0] for each in objects.objects] == [50.0]
    assert not objects.tombstones


def test_records_are_bounded(frame, view_along_x):
    """The newest tombstones are kept, up to the limit."""
    parameters = ObjectMapParameters(missing_life=1.0, tombstone_limit=2)
    objects, view, number = ObjectMap(parameters), view_along_x(), 0
    for place in (1.0, 2.0, 3.0, 4.0):
        for _ in range(30):
            objects.observe(frame(number, ((place, 0.0, 0.0),)), view)
            number += 1
    assert len(objects.tombstones) <= 2
    assert len({*_states(objects), *(record.id for record in objects.tombstones)}) >= 3
