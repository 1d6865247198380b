# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Order of frames by their stamps."""

import numpy as np

from world_model_core.objects.mapping.frame_history import StampFilter
from world_model_core.objects.mapping.object_map import ObjectMap
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

START = 1000 * SECOND


def _refusals(*seconds):
    stamps = StampFilter(lateness=1.0, leap=60.0)
    return [stamps.check(START + round(each * SECOND)) for each in seconds]


def test_frames_in_order_are_taken():
    """Frames of one sensor arrive in order."""
    assert _refusals(0.0, 0.1, 0.2, 5.0) == [None] * 4


def test_a_frame_that_is_a_little_late_is_taken():
    """Two sensors whose frames interleave are both used."""
    assert _refusals(0.0, 1.0, 0.5, 1.5) == [None] * 4


def test_a_frame_sent_twice_counts_once():
    """A known stamp is a repeated frame."""
    assert _refusals(0.0, 0.1, 0.1, 0.0, 0.2) == [None, None, *['frame repeated'] * 2, None]


def test_a_frame_from_long_ago_is_refused():
    """A frame older than the newest by more than the limit is out of order."""
    assert _refusals(10.0, 5.0, 10.1) == [None, 'frame out of order', None]


def test_one_frame_from_the_future_spoils_nothing():
    """A step that the next frame does not confirm is an error, and time continues as before."""
    assert _refusals(0.0, 1e6, 0.1, 0.2) == [None, 'frame from the future', None, None]


def test_time_that_has_changed_is_followed():
    """A restarted recording, or a changed clock, is accepted at its second frame."""
    refused = _refusals(100.0, 0.0, 0.1, 0.2)
    assert refused == [None, 'frame out of order', None, None]
    refused = _refusals(0.0, 500.0, 500.1)
    assert refused == [None, 'frame from the future', None]


def test_refused_frames_are_counted_and_change_nothing(frame):
    """A repeated frame adds no evidence, and is counted by its cause."""
    objects = ObjectMap()
    detections = frame(1, np.zeros((1, 3)))
    objects.observe(detections)
    updates = objects.observe(detections)
    assert updates.ids == (None,)
    assert objects.objects[0].hits == 1
    assert objects.dropped == {'frame repeated': 1}


def test_a_late_frame_makes_nothing_older(frame):
    """The time of an object's last detection does not go back."""
    objects = ObjectMap()
    for number in (3, 5, 4):
        objects.observe(frame(number, np.zeros((1, 3))))
    found = objects.objects[0]
    assert (found.first_seen_ns, found.last_seen_ns) == (3 * SECOND // 5, SECOND)
    assert found.hits == 3
