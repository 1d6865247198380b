# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Moves are timed right, on maps that forget by a known rule, and on ours."""

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
    """Forgets at once what is not in a frame, and remembers at the second sight."""

    def __init__(self):
        """Begin with nothing."""
        super().__init__(30.0)
        self._frame = 0
        self._seen = {}

    def observe(self, detections, _view=None):
        """Note when each object was seen last."""
        self._frame += 1
        owners = super().observe(detections)
        self._seen.update(dict.fromkeys(owners, self._frame))
        return owners

    @property
    def counted(self):
        """What the last frame showed, and another before."""
        return tuple(
            each for each in self.objects if self._seen[each.id] == self._frame and each.hits > 1
        )


@pytest.fixture(scope='module')
def layouts():
    """Make some rooms."""
    return simulate_layouts(6)


def test_what_forgets_at_once_is_timed_so(layouts):
    """The first frame after the move drops the old place, the second finds the new one."""
    moves = measure_moves(layouts, SURE, Forgetful)
    assert moves.moved == len(layouts)
    assert (moves.dropped, moves.found) == (1.0, 1.0)
    assert (moves.frames_to_drop, moves.frames_to_find) == (1.0, 2.0)


def test_what_never_forgets_is_said_to_keep_all(layouts):
    """Plain nearest neighbors have the object at both places for ever."""
    moves = measure_moves(layouts, SURE, lambda: NearestNeighbor(30.0))
    assert (moves.dropped, moves.frames_to_drop) == (0.0, None)
    assert (moves.found, moves.frames_to_find) == (1.0, 4.0)


def test_without_rooms_there_are_no_times():
    """Nothing moved is no division by zero."""
    moves = measure_moves((), SURE, Forgetful)
    assert (moves.moved, moves.dropped, moves.frames_to_find) == (0, None, None)


def test_the_object_map_drops_what_was_moved_and_finds_it_again(layouts):
    """While the room is in view, within the 60 frames that are watched."""
    moves = measure_moves(layouts, RoomDetector(), ObjectMapMapper)
    assert (moves.dropped, moves.found) == (1.0, 1.0)
