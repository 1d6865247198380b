# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Reaction times to moved objects, for a map with a known rule and the object map."""

from __future__ import annotations

import pytest

from world_model_core.evaluation.objects.baselines import NearestNeighbor
from world_model_core.evaluation.objects.layouts import simulate_layouts
from world_model_core.evaluation.objects.moved_objects import measure_moves
from world_model_core.evaluation.objects.object_map_mapper import ObjectMapMapper
from world_model_core.simulation.house.room_detector import RoomDetector
from world_model_core.uncertainty.clutter import ClutterShare
from world_model_core.uncertainty.label_confusion import LabelConfusion
from world_model_core.uncertainty.missed_detection import MissedDetection

SURE = RoomDetector(
    sigma=0.02,
    missed_detection=MissedDetection(probability=0.0),
    clutter=ClutterShare(share=0.0),
    label_confusion=LabelConfusion(label_probability=0.0),
)


class Forgetful(NearestNeighbor):
    """Map that deletes missing objects at once, and adds objects at the second detection."""

    def __init__(self):
        """Start with an empty map."""
        super().__init__(30.0)
        self._frame = 0
        self._seen = {}

    def observe(self, detections, _view=None):
        """Record the last detection of each object."""
        self._frame += 1
        owners = super().observe(detections)
        self._seen.update(dict.fromkeys(owners, self._frame))
        return owners

    @property
    def counted(self):
        """The objects of the last two frames."""
        return tuple(
            each for each in self.objects if self._seen[each.id] == self._frame and each.hits > 1
        )


@pytest.fixture(scope='module')
def layouts():
    """Generate some rooms."""
    return simulate_layouts(6)


def test_immediate_deletion_has_its_known_times(layouts):
    """The first frame after the move deletes the old place, the second finds the new one."""
    moves = measure_moves(layouts, SURE, Forgetful)
    assert moves.moved == len(layouts)
    assert (moves.dropped, moves.found) == (1.0, 1.0)
    assert (moves.frames_to_drop, moves.frames_to_find) == (1.0, 2.0)


def test_a_map_without_deletion_keeps_all(layouts):
    """Plain nearest neighbor keeps the object at both places."""
    moves = measure_moves(layouts, SURE, lambda: NearestNeighbor(30.0))
    assert (moves.dropped, moves.frames_to_drop) == (0.0, None)
    assert (moves.found, moves.frames_to_find) == (1.0, 4.0)


def test_without_rooms_there_are_no_times():
    """Without moves there is no division by zero."""
    moves = measure_moves((), SURE, Forgetful)
    assert (moves.moved, moves.dropped, moves.frames_to_find) == (0, None, None)


def test_the_object_map_drops_what_was_moved_and_finds_it_again(layouts):
    """The object map reacts within 60 frames while the room is in view."""
    moves = measure_moves(layouts, RoomDetector(), ObjectMapMapper)
    assert (moves.dropped, moves.found) == (1.0, 1.0)
