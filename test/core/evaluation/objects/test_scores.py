# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Scores of object maps with known faults."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2

from world_model_core.evaluation.objects.mapping_run import MappingRun, run_mapper
from world_model_core.evaluation.objects.scores import mean_bounds, summarize, tally
from world_model_core.objects.values import UNKNOWN, Detections, MapObject
from world_model_core.simulation.house.room_detector import SimulatedFrame

NEVER = -1


def thing(name, label, x, **values):
    """Build an object on the x axis with a standard deviation of 0.1 m."""
    return MapObject(name, label, np.array((x, 0.0, 0.0)), 0.01 * np.eye(3), **values)


TRUTH = (thing('a', 'chair', 0.0), thing('b', 'chair', 1.0), thing('c', 'lamp', 3.0))


def score_map(found, sources=(), owners=(), truth=TRUTH):
    """Score a map of one layout."""
    arrays = (np.array(each, dtype=np.intp) for each in (sources, owners))
    return summarize([tally(MappingRun(truth, tuple(found), *arrays, np.zeros(0)))])


def test_a_perfect_map_has_perfect_scores():
    """Every score of a perfect map is the best possible."""
    scores = score_map(TRUTH, (0, 1, 2, 0), (0, 1, 2, 0))
    assert (scores.recall, scores.precision, scores.class_counts) == (1.0, 1.0, 1.0)
    assert (scores.duplicates, scores.wrong_detections, scores.mixed_identities) == (0, 0, 0)
    assert (scores.unused_detections, scores.position_error, scores.anees) == (0, 0, 0)
    assert scores.iou is None


def test_two_records_of_one_object_are_a_duplicate():
    """One of three true objects is duplicated: one third; its class has one object too many."""
    found = (*TRUTH, thing('d', 'chair', 0.1))
    scores = score_map(found, (0, 0, 0, 1, 2), (0, 0, 3, 1, 2))
    assert scores.duplicates == scores.unpaired_duplicates == pytest.approx(1 / 3)
    assert (scores.recall, scores.precision) == (1.0, 0.75)
    assert scores.class_counts == 0.5
    assert scores.wrong_detections == 0.0


def test_two_records_with_one_majority_truth_are_a_duplicate():
    """Both got more detections of the first chair; as two chairs are there, both are paired."""
    scores = score_map(TRUTH, (0, 0, 0, 1, 2), (0, 1, 1, 1, 2))
    assert (scores.unpaired_duplicates, scores.class_counts) == (0.0, 1.0)
    assert scores.duplicates == pytest.approx(1 / 3)


def test_a_record_of_false_detections_only_reduces_precision():
    """It has no true object, so no error either; its class counts as wrong."""
    scores = score_map((*TRUTH, thing('d', 'ghost', 0.0)), (0, 1, 2, NEVER), (0, 1, 2, 3))
    assert (scores.duplicates, scores.precision) == (0.0, 0.75)
    assert scores.class_counts == pytest.approx(2 / 3)


def test_detections_of_another_than_the_majority_truth_are_wrong():
    """Of four used detections one was assigned to another object; a fifth was not assigned."""
    scores = score_map(TRUTH, (0, 0, 1, 1, 2, NEVER), (0, 0, 0, 1, NEVER, 0))
    assert scores.wrong_detections == pytest.approx(1 / 5)
    assert scores.unused_detections == pytest.approx(1 / 5)
    assert scores.mixed_identities == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ('found', 'recall'),
    [
        (thing('x', 'lamp', 3.5), 1 / 3),
        (thing('x', 'lamp', 3.501), 0.0),
        (thing('x', 'chair', 3.0), 0.0),
        (thing('x', 'chair', 0.5), 1 / 3),
    ],
)
def test_an_object_is_found_by_its_class_within_half_a_meter(found, recall):
    """Neither a distant lamp nor a chair at its place is the lamp; one chair cannot be two."""
    assert score_map([found]).recall == pytest.approx(recall)


def test_pairs_are_as_many_as_can_be():
    """The nearest pair must not block another: 0.4 finds 0, 0.55 finds 1."""
    assert score_map(
        [thing('x', 'chair', 0.4), thing('y', 'chair', 0.55)]
    ).recall == pytest.approx(2 / 3)


def test_errors_are_measured_against_the_majority_truth():
    """An error of two standard deviations along one of three axes gives 4 / 3."""
    scores = score_map([thing('x', 'chair', 0.2)], (0, 0, 1), (0, 0, 0))
    assert scores.anees == pytest.approx(4 / 3)
    assert scores.position_error == pytest.approx(0.2)


def test_boxes_are_compared_where_both_are_known():
    """Half a length off, a third of the union is shared."""
    size, place = np.ones(3), np.array((0.5, 0.0, 0.0))
    truth = (replace(TRUTH[0], size=size, heading=0.0), TRUTH[1])
    found = replace(truth[0], position=place)
    scores = score_map([found, TRUTH[1]], (0, 1), (0, 1), truth)
    assert scores.iou == pytest.approx(1 / 3)


@pytest.mark.parametrize('found', [(), (thing('x', 'chair', 0.0),)])
def test_nothing_to_measure_is_none(found):
    """An empty map or room has scores; undefined ones are None."""
    scores = score_map(found, (), (), ())
    assert (scores.recall, scores.wrong_detections, scores.anees) == (None, None, None)
    assert scores.anees_bounds is None


def test_bounds_of_means_are_those_of_chi_square():
    """With many samples they approach 1 as the normal approximation does."""
    low, high = mean_bounds(1)
    assert (low, high) == pytest.approx(tuple(chi2.ppf((0.025, 0.975), 3) / 3))
    low, high = mean_bounds(60_000)
    assert (low, high) == pytest.approx((1 - 0.00653, 1 + 0.00653), abs=1e-4)
    assert mean_bounds(0) is None


class Merging:
    """Creates an object for each detection; the second frame merges the first two."""

    def __init__(self):
        """Start with an empty map."""
        self.objects = ()

    def observe(self, detections, _view=None):
        """Return the numbers of the detections as ids."""
        first = len(self.objects)
        names = tuple(str(first + index) for index in range(len(detections)))
        pairs = zip(names, detections.positions, strict=True)
        self.objects += tuple(MapObject(n, 'chair', p, 0.01 * np.eye(3)) for n, p in pairs)
        return names

    @property
    def counted(self):
        """All but the second."""
        return tuple(each for each in self.objects if each.id != '1')

    def survivor(self, name):
        """Return the id after the merge of the second object into the first."""
        return '0' if name == '1' else name


def test_detections_follow_merged_objects():
    """Sources and owners follow the merged map."""
    count = 2
    frame = Detections(
        0, ('chair',) * count, np.zeros((count, 3)), np.tile(np.eye(3), (count, 1, 1)),
        np.ones(count), (UNKNOWN,) * count, np.full((count, 3), np.nan), np.full(count, np.nan),
    )  # fmt: skip
    frame_of_two = SimulatedFrame(frame, np.array((0, 1)))
    made = run_mapper(TRUTH, [frame_of_two, frame_of_two], Merging())
    assert made.owners.tolist() == [0, 0, 1, 2]
    assert made.sources.tolist() == [0, 1, 0, 1]
