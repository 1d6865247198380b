# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Scores of one map against the true objects."""

from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np
import pytest

from world_model_core.documents import parse, write
from world_model_core.evaluation.objects.map_scores import score_map
from world_model_core.objects.values import MapObject, ObjectState

SIZE = np.array((0.4, 0.4, 0.8))


def thing(label, x, deviation=0.1, **changes):
    """Return an object on the x axis."""
    place = np.array((x, 0.0, 0.4))
    spread = deviation**2 * np.eye(3)
    made = MapObject(f'{label} {x}', label, place, spread, SIZE, 0.0, state=ObjectState.CONFIRMED)
    return replace(made, **changes)


def test_a_map_is_scored():
    """Pairs, a duplicate, a wrong count, and the error of a pair beside its covariance."""
    truth = [thing('Chair', 0.0), thing('chair', 3.0), thing('side_table', 6.0)]
    found = [thing('chair', 0.1), thing('chair', 0.4), thing('side table', 6.0)]
    tentative = thing('lamp', 2.0, state=ObjectState.TENTATIVE)
    scores = score_map(truth, [*found, tentative])
    assert (scores.objects, scores.found, scores.paired, scores.duplicates) == (3, 3, 2, 1)
    # Two chairs are true and two in the map, although one of them is the other's duplicate.
    assert scores.class_counts == 1.0
    assert scores.anees == pytest.approx(0.5 * 1.0 / 3.0)
    assert scores.position_error == pytest.approx(0.05)
    assert scores.iou == pytest.approx(0.5 * (0.3 / 0.5 + 1.0))
    parse(write(asdict(scores)), 'live_objects_evaluation')


def test_what_is_far_from_all_of_its_class_is_no_duplicate():
    """A chair next to a table is just wrong."""
    scores = score_map([thing('table', 0.0)], [thing('table', 0.0), thing('chair', 0.1)])
    assert (scores.paired, scores.duplicates, scores.class_counts) == (1, 0, 0.5)


@pytest.mark.parametrize('truth', [[], [thing('chair', 0.0)]])
def test_an_empty_map_has_no_means(truth):
    """Nothing can be measured."""
    scores = score_map(truth, [])
    assert (scores.found, scores.duplicates, scores.anees, scores.iou) == (0, 0, None, None)
    assert scores.class_counts == (0.0 if truth else None)
    parse(write(asdict(scores)), 'live_objects_evaluation')
