# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Posterior samples have the distribution of the map."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.objects.answering.object_arrays import ObjectArrays
from world_model_core.objects.answering.posterior_samples import (
    DISTINCT,
    SAMPLES,
    PosteriorSamples,
)
from world_model_core.objects.relations.boxes import boxes_of
from world_model_core.objects.values import MapObject, ObjectState


def thing(name, *, label='chair', covariance=None, **rest):
    """Build an object at the origin."""
    covariance = np.zeros((3, 3)) if covariance is None else covariance
    return MapObject(str(name), label, np.zeros(3), covariance, np.ones(3), 0.0, **rest)


def draw(*objects):
    """Sample all objects."""
    arrays = ObjectArrays(objects)
    return PosteriorSamples(arrays, boxes_of(objects), np.arange(len(objects)))


def test_a_certain_map_has_one_sample():
    """All objects are at their estimated positions."""
    samples = draw(thing(0), thing(1))
    assert samples.count == 1
    assert samples.existing.all()
    assert (samples.positions == 0.0).all()


@given(confidence=st.floats(0.0, 1.0))
def test_objects_exist_in_their_share_of_samples(confidence):
    """The share of samples equals the probability, up to one sample."""
    samples = draw(thing(0, confidence=confidence), thing(1, confidence=0.5))
    assert samples.existing[:, 0].mean() == pytest.approx(confidence, abs=1.0 / SAMPLES)


def test_classes_occur_in_their_share_of_samples():
    """Classes exclude each other and are as frequent as in the histogram."""
    samples = draw(thing(0, classes={'chair': 0.75, 'stool': 0.25}))
    columns = np.array([0])
    chair, stool = (samples.of_class((label,), columns)[:, 0] for label in ('chair', 'stool'))
    assert chair.mean() == 0.75
    assert (chair ^ stool).all()
    assert samples.of_class(('chair', 'stool'), columns).all()


def test_an_alias_is_as_probable_as_the_label():
    """Another name of an object stands for its label."""
    samples = draw(thing(0, classes={'chair': 0.5, 'table': 0.5}, aliases=('Arm_Chair',)))
    named = samples.of_class(('arm chair',), np.array([0]))
    assert (named == samples.of_class(('chair',), np.array([0]))).all()


def test_positions_have_the_estimated_covariance():
    """Means and covariances agree, also if one axis is exact."""
    covariance = np.array(((0.04, 0.03, 0.0), (0.03, 0.09, 0.0), (0.0, 0.0, 0.0)))
    samples = draw(*(thing(number, covariance=covariance) for number in range(64)))
    places = samples.positions.reshape(-1, 3)
    assert np.abs(places.mean(axis=0)).max() < 1e-3
    np.testing.assert_allclose(np.cov(places.T), covariance, atol=2e-3)


def test_objects_are_sampled_independently():
    """Draws of different objects are uncorrelated, also beyond the first table of draws."""
    eye = np.eye(3)
    samples = draw(*(thing(number, covariance=eye) for number in range(DISTINCT + 50)))
    x = samples.positions[:, [0, 1, DISTINCT, DISTINCT + 1], 0]
    related = np.corrcoef(x.T) - np.eye(4)
    assert np.abs(related).max() < 0.3


def test_the_same_map_has_the_same_samples():
    """Sampling is deterministic."""
    things = [thing(number, covariance=np.eye(3)) for number in range(5)]
    assert (draw(*things).positions == draw(*things).positions).all()


def test_deleted_objects_are_in_no_sample():
    """Deleted objects cannot be meant."""
    assert len(ObjectArrays([thing(0), thing(1, state=ObjectState.DELETED)])) == 1
