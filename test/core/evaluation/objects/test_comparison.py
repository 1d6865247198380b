# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Known accuracy of the baselines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.evaluation.objects.baselines import NearestNeighbor, Oracle, assign
from world_model_core.evaluation.objects.comparison import BASELINES, score
from world_model_core.evaluation.objects.layouts import cut_scene, simulate_layouts
from world_model_core.objects.documents.scene_files import load_scene
from world_model_core.simulation.house.room_detector import RoomDetector
from world_model_core.uncertainty.clutter import ClutterShare
from world_model_core.uncertainty.label_confusion import LabelConfusion

COUNT = 12
# Duplicates per true object and exact class counts that were measured elsewhere, on 60 real
# rooms with true labels and sigma 0.05 m, and the tolerance on generated rooms.
KNOWN = {
    'first match, 9.21': (0.017, 0.968),
    'nearest neighbor, 7.815': (0.269, 0.634),
    'nearest neighbor, 9.21': (0.135, 0.791),
    'nearest neighbor, 16.266': (0.003, 0.995),
}
FACTORIES = {
    **BASELINES,
    'nearest neighbor, 16.266': lambda _layout, _detector: NearestNeighbor(16.266),
}
NEAR = 0.08
COSTS = st.integers(0, 6).flatmap(
    lambda rows: st.lists(
        st.lists(st.floats(0.0, 20.0), min_size=4, max_size=4), min_size=rows, max_size=rows
    )
)


@pytest.fixture(scope='module')
def layouts():
    """Generate some rooms."""
    return simulate_layouts(COUNT)


@pytest.mark.parametrize('name', KNOWN)
def test_baselines_have_their_known_accuracy(name, layouts):
    """Rejected detections start duplicates: the narrower the gate, the more."""
    scores = score(
        layouts,
        RoomDetector(sigma=0.05, label_confusion=LabelConfusion(label_probability=0.0)),
        FACTORIES[name],
    )
    duplicates, counts = KNOWN[name]
    assert scores.duplicates == pytest.approx(duplicates, abs=NEAR)
    assert scores.class_counts == pytest.approx(counts, abs=NEAR)


def test_no_mapper_assigns_better_than_the_oracle(layouts):
    """Its wrong detections are caused by the noise alone."""
    detector = RoomDetector(sigma=0.3)
    wrong = {name: score(layouts, detector, BASELINES[name]) for name in BASELINES}
    best = wrong.pop('oracle')
    assert best.recall == best.precision == best.class_counts == 1.0
    assert all(best.wrong_detections < each.wrong_detections for each in wrong.values())


def test_oracle_of_a_perfect_detector_is_perfect(layouts):
    """Almost without noise there are no errors, and covariances are consistent."""
    detector = RoomDetector(
        sigma=0.001,
        clutter=ClutterShare(share=0.0),
        label_confusion=LabelConfusion(label_probability=0.0),
    )
    scores = score(layouts, detector, lambda room, _: Oracle(room.objects, 0.0))
    assert scores.wrong_detections == scores.mixed_identities == scores.duplicates == 0.0
    low, high = scores.anees_bounds
    assert 0.95 * low <= scores.anees <= 1.05 * high


@given(COSTS, st.floats(0.0, 20.0))
def test_assignment_is_one_to_one_and_within_the_gate(costs, gate):
    """No column is assigned twice, and no cost beyond the gate is used."""
    costs = np.array(costs).reshape(-1, 4)
    chosen = assign(costs, gate)
    used = [column for column in chosen.tolist() if column >= 0]
    assert len(used) == len(set(used))
    assert all(costs[row, column] < gate for row, column in enumerate(chosen) if column >= 0)


def test_assignment_takes_as_many_as_it_can():
    """A cheap pair must not leave another row without a column."""
    assert assign(np.array(((1.0, 2.0), (1.5, np.inf))), 10.0).tolist() == [1, 0]


def test_rooms_of_one_name_are_rooms_of_their_own(shared_data):
    """The house has four bathrooms, and nineteen rooms in all."""
    scene = load_scene(shared_data('vla/vla3d/Matterport_5q7pvUzZiYa'))
    names = [room.name for room in cut_scene('house', scene)]
    assert len(names) == 19
    assert sum('bathroom' in name for name in names) == 4


def test_scenes_are_cut_into_their_rooms(shared_data):
    """Each room is a layout of its own, with all its objects within its bounds."""
    scene = load_scene(shared_data('vla/vla3d/Unity_loft'))
    rooms = cut_scene('loft', scene)
    assert len(rooms) == 4
    assert sum(len(room.objects) for room in rooms) == len(scene.objects) == 115
    for room in rooms:
        places = np.array([each.position for each in room.objects])
        assert (places > room.bounds.low).all()
        assert (places < room.bounds.high).all()
