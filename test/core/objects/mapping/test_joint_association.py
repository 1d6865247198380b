# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Joint association of detections with objects that compete for them."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from world_model_core.objects.mapping.association_marginals import (
    CandidatePairs,
    association_marginals,
)
from world_model_core.objects.mapping.detection_window import WindowMeasurements
from world_model_core.objects.mapping.joint_association import (
    MAX_PAIRS,
    Ambiguity,
    AssociationModel,
    JointAssociation,
)
from world_model_core.objects.mapping.label_model import LabelModel
from world_model_core.objects.mapping.object_map import ObjectMap
from world_model_core.objects.values import ObjectState


def _exact(weights):
    """Sum over all assignments of one frame, objects by rows and detections by columns."""
    objects, detections = weights.shape
    total, sums = 0.0, np.zeros_like(weights)
    for chosen in product(range(-1, detections), repeat=objects):
        used = [column for column in chosen if column >= 0]
        if len(set(used)) < len(used):
            continue
        pairs = [(row, column) for row, column in enumerate(chosen) if column >= 0]
        weight = float(np.prod([weights[pair] for pair in pairs]))
        total += weight
        for pair in pairs:
            sums[pair] += weight
    return sums / total


@pytest.mark.parametrize('seed', range(5))
def test_marginals_are_nearly_those_of_all_assignments(seed):
    """Belief propagation gives the probabilities of an exhaustive sum over all assignments."""
    weights = np.exp(np.random.default_rng(seed).normal(0.0, 2.0, (3, 4)))
    objects, detections = (each.ravel() for each in np.indices(weights.shape))
    frames = np.zeros(weights.size, dtype=np.int64)
    found = association_marginals(
        CandidatePairs(detections, objects, frames), weights.ravel()
    ).probability
    np.testing.assert_allclose(found.reshape(weights.shape), _exact(weights), atol=0.08)


def test_two_alike_side_by_side_are_two(watch):
    """Two chairs closer than the detector is accurate become two objects at their places."""
    random, objects = np.random.default_rng(3), ObjectMap()
    places = np.array(((0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (3.0, 0.0, 0.0), (3.0, 2.0, 0.0)))
    watch(objects, places, ['chair'] * 4, 60, random, sigma=0.3, detected=0.5)
    found = [each for each in objects.objects if each.state is ObjectState.CONFIRMED]
    assert len(found) == 4
    distances = np.linalg.norm(places[:, None] - [each.position for each in found], axis=2)
    rows, columns = linear_sum_assignment(distances)
    assert distances[rows, columns].max() < 0.35


def test_one_alone_stays_one(watch):
    """One chair is one object, for any number and accuracy of its detections."""
    random, objects = np.random.default_rng(4), ObjectMap()
    watch(objects, ((0.0, 0.0, 0.0),), ['chair'], 200, random, sigma=0.3, detected=0.5)
    assert [each.state for each in objects.objects] == [ObjectState.CONFIRMED]


def test_two_classes_in_one_place_are_two(watch):
    """A cup on a table with close centers is distinguished from it by its label."""
    random, objects = np.random.default_rng(5), ObjectMap()
    places = ((0.0, 0.0, 0.0), (0.0, 0.1, 0.1), (2.0, 0.0, 0.0), (2.0, 2.0, 0.0))
    labels = ('table', 'cup', 'chair', 'lamp')
    watch(objects, places, labels, 40, random, sigma=0.2, detected=0.6)
    found = [each.label for each in objects.objects if each.state is ObjectState.CONFIRMED]
    assert sorted(found) == ['chair', 'cup', 'lamp', 'table']


def test_labels_that_flicker_make_no_new_objects(watch):
    """An object with some wrong labels remains one object of its own class."""
    random, objects = np.random.default_rng(6), ObjectMap()
    for number in range(100):
        label = (
            'cabinet' if random.random() < 0.9 else str(random.choice(('box', 'shelf', 'desk')))
        )
        watch(objects, ((1.0, 1.0, 0.5),), [label], 1, random, start=number)
    confirmed = [each for each in objects.objects if each.state is ObjectState.CONFIRMED]
    assert [each.label for each in confirmed] == ['cabinet']
    assert confirmed[0].classes['cabinet'] > 0.99


def test_the_densest_places_take_bounded_work():
    """A detection is compared with a bounded number of objects, even if many share one place."""
    random, count = np.random.default_rng(7), 200
    positions = random.uniform(0.0, 0.1, (count, 3))
    blank = np.zeros((count, 3, 3))
    ambiguity = Ambiguity(
        position=positions.copy(),
        covariance=np.tile(0.01 * np.eye(3), (count, 1, 1)),
        prior_information=blank,
        prior_vector=blank[:, 0],
        prior_counts=np.zeros((count, 1)),
        counts=np.ones((count, 1)),
        free=np.ones(count, dtype=bool),
    )
    measurements = WindowMeasurements(
        owners=np.arange(count),
        positions=positions,
        information=np.tile(100.0 * np.eye(3), (count, 1, 1)),
        labels=np.zeros(count, dtype=np.int64),
        frames=np.ones(count, dtype=np.int64),
    )
    association = JointAssociation(
        ambiguity, measurements, AssociationModel(0.5, 0.005, LabelModel(0.05, 10), 16.266)
    )
    association.run()
    assert np.bincount(association.pairs.detections).max() <= MAX_PAIRS + 1
    assert np.isfinite(association.ambiguity.position).all()
