# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The object map has its documented accuracy on rooms that are small enough for a test."""

from __future__ import annotations

from dataclasses import replace

import pytest

from world_model_core.evaluation.objects.comparison import compare
from world_model_core.evaluation.objects.explored_houses import explore
from world_model_core.evaluation.objects.layouts import SIMULATED, cut_scene, simulate_layouts
from world_model_core.evaluation.objects.object_map_mapper import MAPPERS, OBJECT_MAP
from world_model_core.evaluation.objects.scores import summarize
from world_model_core.objects.documents.scene_files import load_scene
from world_model_core.simulation.house.parameters import HouseParameters

OURS = {OBJECT_MAP: MAPPERS[OBJECT_MAP]}
BOTH = {**OURS, 'oracle': MAPPERS['oracle']}
SCENES = ('3RScan_02b33e01-be2b-2d54-93fb-4145a709cec5', 'Unity_loft')


def check_precise(scores):
    """Check the documented accuracy at a position error of 5 cm."""
    assert scores.duplicates <= 0.003
    assert scores.recall >= 0.99
    assert scores.class_counts >= 0.98
    assert 0.8 <= scores.anees <= 1.25


def test_precise_detections_give_a_correct_map():
    """Few rooms vary more than many: their bounds are a little wider than documented."""
    (row,) = compare(SIMULATED, simulate_layouts(8), 0.05, OURS)
    assert (row.rooms, row.layouts, row.sigma, row.mapper) == (SIMULATED, 8, 0.05, OBJECT_MAP)
    check_precise(row.scores)


@pytest.mark.parametrize('name', SCENES)
def test_rooms_of_real_scenes_are_mapped_as_well(name, shared_data):
    """Parameters must not be fitted to the simulated rooms."""
    rooms = cut_scene(name, load_scene(shared_data(f'vla/vla3d/{name}')))
    (row,) = compare(name, rooms, 0.05, OURS)
    check_precise(row.scores)


def test_noisy_detections_are_assigned_nearly_optimally():
    """At 30 cm, at most twice the wrong detections of the oracle."""
    own, oracle = (row.scores for row in compare(SIMULATED, simulate_layouts(8), 0.3, BOTH))
    assert own.wrong_detections <= 2.0 * oracle.wrong_detections
    assert own.class_counts >= 0.85
    assert own.anees <= 1.8


def test_an_explored_room_is_mapped_without_duplicates():
    """With drift, occlusion, colors and sizes; always occluded objects do not count."""
    parameters = replace(HouseParameters(seed=3, rooms=1), scan_step=0.05)
    scores = summarize([explore(parameters, OURS)[OBJECT_MAP]])
    assert scores.duplicates <= 0.03
    assert scores.precision >= 0.95
    assert scores.recall >= 0.85
    assert scores.iou >= 0.5
    assert scores.position_error <= 0.06


def test_every_mapper_gets_the_same_detections():
    """Rows of one table differ by their mapper only."""
    rows = list(compare(SIMULATED, simulate_layouts(1), 0.05, MAPPERS))
    assert [row.mapper for row in rows] == list(MAPPERS)
    assert len({row.scores.objects for row in rows}) == 1
