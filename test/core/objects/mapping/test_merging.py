# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Duplicates are merged, and distinct objects never are."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from world_model_core.objects.mapping.association import NONE
from world_model_core.objects.mapping.merging import CannotLinkConstraints, near_pairs
from world_model_core.objects.mapping.object_map import ObjectMap
from world_model_core.objects.values import MapObject, ObjectState


def _twin(name, x, hits=10):
    variance = 0.05**2 / hits
    return MapObject(
        name, 'chair', np.array((x, 0.0, 0.0)), variance * np.eye(3), hits=hits, first_seen_ns=0
    )


def test_two_records_of_one_object_are_merged(frame):
    """Duplicates that never appear together are merged into the older one."""
    random, objects, merged = np.random.default_rng(0), ObjectMap(), []
    objects.restore((_twin('a', 0.0), _twin('b', 0.03)), (), 2)
    for number in range(20):
        place = random.normal((0.015, 0.0, 0.0), 0.05)
        merged.extend(objects.observe(frame(number, (place,))).merged)
    assert len(objects.objects) == 1
    assert len(merged) == 1
    survivor = objects.objects[0]
    assert {*merged[0]} == {'a', 'b'}
    assert merged[0][1] == survivor.id
    (record,) = objects.tombstones
    assert (record.id, record.reason, record.merged_into) == (merged[0][0], 'merged', merged[0][1])
    assert survivor.hits == 40
    assert np.linalg.eigvalsh(survivor.covariance)[0] > 0.0


@given(st.integers(0, 2**32 - 1), st.floats(0.02, 0.4))
@settings(deadline=None, max_examples=15)
def test_objects_seen_together_are_never_merged(watch, seed, apart):
    """Two objects that one frame showed side by side are never merged."""
    random, objects = np.random.default_rng(seed), ObjectMap()
    places = ((0.0, 0.0, 0.0), (apart, 0.0, 0.0))
    updates = watch(objects, places, ['chair'] * 2, 30, random, sigma=0.05)
    assert not any(each.merged for each in updates)
    assert len([each for each in objects.objects if each.state is ObjectState.CONFIRMED]) == 2


def test_who_was_seen_together_is_remembered_as_long_as_they_are():
    """Constraints are kept for existing objects, in either order, and removed for others."""
    together = CannotLinkConstraints()
    positions = np.array(((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (9.0, 0.0, 0.0)))
    together.add(np.array((5, 2, 7)), positions, np.tile(0.01 * np.eye(3), (3, 1, 1)), 30.0)
    assert together.forbids(np.array((2, 5, 7)), np.array((5, 2, 5))).tolist() == [
        True,
        True,
        False,
    ]
    for serial in range(10, 6000, 2):
        pair = np.array((serial, serial + 1))
        together.add(pair, positions[:2], np.tile(0.01 * np.eye(3), (2, 1, 1)), 30.0)
        if together.full:
            together.prune(np.array((2, 5)))
    assert len(together) < 4096
    assert together.forbids(np.array((2,)), np.array((5,))).all()


def test_an_object_inherits_with_whom_another_was_seen():
    """Constraints of a merged object are transferred."""
    together = CannotLinkConstraints()
    positions = np.array(((0.0, 0.0, 0.0), (0.1, 0.0, 0.0)))
    together.add(np.array((1, 2)), positions, np.tile(0.01 * np.eye(3), (2, 1, 1)), 30.0)
    together.transfer(3, 1)
    assert together.forbids(np.array((3, 1)), np.array((2, 2))).tolist() == [True, False]


def test_pairs_are_those_that_one_detection_may_show():
    """The object of a detection and each other candidate are one pair."""
    owners, slots = np.array((4, 4, 4, 9, 9, NONE)), np.array((4, 9, 2, 9, 4, 7))
    first, second = near_pairs(owners, slots)
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == [(2, 4), (4, 9)]
