# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The room detector has the specified error rates."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, chi2

from world_model_core.simulation.house.house_generator import generate_room
from world_model_core.simulation.house.room_detector import CLUTTER, RoomDetector
from world_model_core.uncertainty.label_confusion import LabelConfusion

FRAMES = 400
# A correct detector is outside once in 100,000, and the seed is fixed.
TAIL = 5e-6


@pytest.fixture(scope='module')
def house():
    """Generate a room."""
    return generate_room(5)


@pytest.fixture(scope='module')
def frames(house):
    """Observe it for a long time."""
    random = np.random.default_rng(11)
    return list(RoomDetector(sigma=0.1).watch(house.objects, house.bounds, FRAMES, random))


def assert_share(hits, total, probability):
    """Check a number of hits against its binomial distribution."""
    low, high = binom.ppf((TAIL, 1.0 - TAIL), total, probability)
    assert low <= hits <= high


def test_half_of_the_objects_are_detected(house, frames):
    """Each object is in a frame with the specified probability, at most once."""
    detected = [s.sources[s.sources != CLUTTER] for s in frames]
    assert all(len(set(each)) == len(each) for each in detected)
    assert_share(sum(map(len, detected)), FRAMES * len(house.objects), 0.5)


def test_two_in_a_hundred_detections_are_false(house, frames):
    """Clutter is in the room and has labels of the room."""
    sources = np.concatenate([s.sources for s in frames])
    assert_share((sources == CLUTTER).sum(), len(sources), 0.02)
    places = np.concatenate([s.detections.positions[s.sources == CLUTTER] for s in frames])
    assert ((places >= house.bounds.low) & (places <= house.bounds.high)).all()
    named = {label for s in frames for label in s.detections.labels}
    assert named == {each.label for each in house.objects}


def test_one_label_in_twenty_is_wrong(house, frames):
    """A wrong label is always that of another class."""
    wrong = total = 0
    for detections, sources in frames:
        for label, source in zip(detections.labels, sources, strict=True):
            if source != CLUTTER:
                total += 1
                wrong += label != house.objects[source].label
    assert_share(wrong, total, 0.05)


def test_position_errors_agree_with_their_covariances(house, frames):
    """The squared Mahalanobis distances sum to a chi-square variable."""
    true = np.array([each.position for each in house.objects])
    total = dimensions = 0
    for detections, sources in frames:
        detected = sources != CLUTTER
        error = detections.positions[detected] - true[sources[detected]]
        inverse = np.linalg.inv(detections.covariances[detected])
        total += np.einsum('ni,nij,nj->', error, inverse, error)
        dimensions += error.size
    low, high = chi2.ppf((TAIL, 1.0 - TAIL), dimensions)
    assert low <= total <= high


def test_frames_have_their_own_stamps_and_can_be_repeated(house, frames):
    """The same seed gives the same frames, one period apart."""
    again = RoomDetector(sigma=0.1).watch(
        house.objects, house.bounds, 3, np.random.default_rng(11)
    )
    for first, second in zip(frames, again, strict=False):
        np.testing.assert_array_equal(first.detections.positions, second.detections.positions)
        assert first.detections.labels == second.detections.labels
    stamps = [s.detections.stamp_ns for s in frames]
    assert set(np.diff(stamps)) == {200_000_000}


def test_a_house_of_one_class_has_no_label_confusion(house):
    """With a single class every label is right."""
    alike = [each for each in house.objects if each.label == house.objects[0].label]
    detected = RoomDetector(label_confusion=LabelConfusion(label_probability=1.0)).watch(
        alike, house.bounds, 20, np.random.default_rng(1)
    )
    assert {label for s in detected for label in s.detections.labels} <= {alike[0].label}
