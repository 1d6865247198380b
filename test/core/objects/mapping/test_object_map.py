# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The object map as a whole."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from world_model_core.objects.mapping.object_map import ObjectMap
from world_model_core.objects.mapping.parameters import ObjectMapParameters
from world_model_core.objects.values import UNKNOWN, MapObject, ObjectState, Swatch

PLACES = np.array(((0.0, 0.0, 0.5), (1.0, 0.0, 0.5), (1.2, 0.1, 0.5), (4.0, 3.0, 0.5)))
LABELS = ('chair', 'table', 'chair', 'lamp')


def _confirmed(objects):
    return [each for each in objects.objects if each.state is ObjectState.CONFIRMED]


def _shuffled(detections, order):
    return replace(
        detections,
        labels=tuple(detections.labels[i] for i in order),
        positions=detections.positions[order],
        covariances=detections.covariances[order],
        scores=detections.scores[order],
        colors=tuple(detections.colors[i] for i in order),
        sizes=detections.sizes[order],
        headings=detections.headings[order],
    )


def _same(one, other):
    assert [(each.id, each.label, each.state) for each in one] == [
        (each.id, each.label, each.state) for each in other
    ]
    for mine, theirs in zip(one, other, strict=True):
        np.testing.assert_array_equal(mine.position, theirs.position)
        np.testing.assert_array_equal(mine.covariance, theirs.covariance)


@pytest.mark.parametrize('sigma', [0.05, 0.3])
def test_the_order_of_detections_changes_nothing(frame, sigma):
    """The order of detections in a frame does not change the objects by a bit."""
    random, one, other = np.random.default_rng(0), ObjectMap(), ObjectMap()
    for number in range(25):
        seen = np.flatnonzero(random.random(4) < 0.7)
        noisy = PLACES[seen] + random.normal(0.0, sigma, (len(seen), 3))
        detections = frame(number, noisy, [LABELS[i] for i in seen], sigma)
        order = random.permutation(len(seen))
        ids = one.observe(detections).ids
        others = other.observe(_shuffled(detections, order)).ids
        assert [ids[i] for i in order] == list(others)
    _same(one.objects, other.objects)


def test_the_same_frames_give_the_same_map(watch):
    """The map is deterministic: the same frames give the same objects, bit by bit."""
    maps = [ObjectMap(), ObjectMap()]
    for each in maps:
        watch(each, PLACES, LABELS, 30, np.random.default_rng(1), sigma=0.3, detected=0.5)
    _same(maps[0].objects, maps[1].objects)


def test_objects_are_confirmed_where_they_are(watch):
    """Repeated detections give one confirmed object of its class, at its place."""
    objects = ObjectMap()
    watch(objects, PLACES, LABELS, 40, np.random.default_rng(2), detected=0.5)
    found = sorted(_confirmed(objects), key=lambda each: each.position[0])
    assert [each.label for each in found] == list(LABELS)
    np.testing.assert_allclose([each.position for each in found], PLACES, atol=0.06)
    assert all(each.confidence > 0.99 for each in found)


def test_an_object_counts_once_it_has_been_seen_often_enough(frame):
    """An object is tentative until it has the number of hits of the parameter, then confirmed."""
    objects = ObjectMap(ObjectMapParameters(confirm_hits=3))
    updates = [objects.observe(frame(number, ((1.0, 0.0, 0.0),))) for number in range(3)]
    assert [each.created for each in updates] == [('0',), (), ()]
    assert [each.confirmed for each in updates] == [(), (), ('0',)]
    assert [each.ids for each in updates] == [('0',)] * 3


def test_false_detections_never_become_objects(frame):
    """Clutter of random classes is never confirmed."""
    random, objects = np.random.default_rng(3), ObjectMap()
    for number in range(60):
        places = random.uniform(0.0, 5.0, (3, 3))
        objects.observe(frame(number, places, random.choice(('a', 'b', 'c', 'd'), 3)))
    assert not _confirmed(objects)


def test_between_both_gates_nothing_happens(frame):
    """A detection between update gate and birth gate changes nothing."""
    objects = ObjectMap()
    for number in range(30):
        objects.observe(frame(number, ((0.0, 0.0, 0.0),)))
    before = objects.objects[0]
    # Squared distance 23: between 16.27 and 30.
    updates = objects.observe(frame(30, ((4.87 * 0.05, 0.0, 0.0),)))
    assert updates.ids == (None,)
    assert not updates.created
    np.testing.assert_array_equal(objects.objects[0].position, before.position)
    assert objects.objects[0].hits == before.hits


def test_ids_are_never_given_again(frame):
    """Ids of discarded objects and cleared maps are not reused."""
    random, objects, given = np.random.default_rng(4), ObjectMap(), []
    for number in range(80):
        updates = objects.observe(frame(number, random.uniform(0.0, 3.0, (3, 3))))
        given.extend(updates.created)
        if number == 40:
            objects.clear()
            assert objects.objects == ()
    assert len(objects.objects) < len(given)
    assert len(set(given)) == len(given)
    assert objects.next_id == len(given)


@given(
    st.lists(
        st.lists(
            st.tuples(
                st.floats(-2.0, 2.0), st.floats(-2.0, 2.0), st.floats(0.01, 2.0), st.booleans()
            ),
            max_size=6,
        ),
        min_size=1,
        max_size=12,
    )
)
@settings(deadline=None, max_examples=40)
def test_covariances_stay_symmetric_and_positive(frame, frames):
    """For any detections, every covariance is symmetric and positive definite."""
    objects = ObjectMap()
    for number, seen in enumerate(frames):
        detections = frame(
            number,
            [(x, y, 0.0) for x, y, _, _ in seen],
            ['chair' if chair else 'table' for *_, chair in seen],
        )
        for row, (_, _, sigma, _) in enumerate(seen):
            detections.covariances[row] = np.diag((sigma, 1.0, 0.1 * sigma)) ** 2
        objects.observe(detections)
        for each in objects.objects:
            np.testing.assert_array_equal(each.covariance, each.covariance.T)
            assert np.linalg.eigvalsh(each.covariance)[0] > 0.0
            assert 0.0 <= each.confidence <= 1.0


def test_what_a_map_holds_comes_back(watch):
    """A map restored from its objects contains the same objects, and continues the numbering."""
    objects, restored = ObjectMap(), ObjectMap()
    watch(objects, PLACES, LABELS, 20, np.random.default_rng(5))
    restored.restore(objects.objects, objects.tombstones, objects.next_id)
    assert restored.next_id == objects.next_id
    for mine, theirs in zip(restored.objects, objects.objects, strict=True):
        assert (mine.id, mine.label, mine.state, mine.hits) == (
            theirs.id,
            theirs.label,
            theirs.state,
            theirs.hits,
        )
        np.testing.assert_allclose(mine.position, theirs.position)
        np.testing.assert_allclose(mine.covariance, theirs.covariance)
    updates = watch(restored, PLACES, LABELS, 5, np.random.default_rng(6), start=20)
    assert all(not each.created and None not in each.ids for each in updates)


def test_a_restored_object_keeps_what_no_detection_tells():
    """Aliases, region, unknown keys, color values and a name that is not a number are kept."""
    objects = ObjectMap()
    origin = _restorable()
    objects.restore((origin,), (), 7)
    found = objects.objects[0]
    assert (found.id, found.aliases, found.region) == ('the chair', ('seat',), 'kitchen')
    assert found.extra == {'note': 1}
    assert found.colors == origin.colors
    np.testing.assert_allclose(found.size, origin.size)
    assert found.heading == pytest.approx(origin.heading)
    assert objects.next_id == 7


def _restorable():
    return MapObject(
        'the chair',
        'chair',
        np.array((1.0, 2.0, 0.4)),
        np.zeros((3, 3)),
        size=np.array((0.5, 0.5, 0.9)),
        heading=2.5,
        colors=(Swatch('blue', 0.75, (0.0, 0.0, 255.0)), Swatch('red', 0.25)),
        aliases=('seat',),
        region='kitchen',
        extra={'note': 1},
    )


def test_colours_sizes_and_headings_are_fused(frame):
    """Colors are counted, sizes and headings averaged, even if boxes are reversed."""
    random, objects = np.random.default_rng(7), ObjectMap()
    for number in range(40):
        objects.observe(
            frame(
                number,
                ((0.0, 0.0, 0.0),),
                colors=('blue' if number % 4 else UNKNOWN if number % 8 else 'red',),
                sizes=((1.0, 0.5, 0.8) * (1.0 + random.normal(0.0, 0.1, 3)),),
                headings=(3.0 + random.normal(0.0, 0.2) + (np.pi if number % 5 == 0 else 0.0),),
            )
        )
    found = objects.objects[0]
    assert [swatch.name for swatch in found.colors] == ['blue', 'red']
    assert found.colors[0].share == pytest.approx(30 / 35)
    np.testing.assert_allclose(found.size, (1.0, 0.5, 0.8), rtol=0.08)
    assert abs(np.angle(np.exp(1j * (found.heading - 3.0)))) < 0.15


def test_only_classes_of_interest_are_mapped(watch):
    """With an interest, detections of other labels are ignored, in any spelling."""
    objects = ObjectMap()
    objects.interest = frozenset({'Chair', 'potted_plant'})
    places = np.vstack((PLACES, (6.0, 6.0, 0.0)))
    watch(objects, places, (*LABELS, 'potted plant'), 10, np.random.default_rng(8))
    assert sorted(each.label for each in objects.objects) == ['chair', 'chair', 'potted plant']


@pytest.mark.parametrize('interest', [frozenset(), frozenset({'chair', 'lamp'})])
def test_ignored_classes_are_not_mapped(watch, interest):
    """Also if they are of interest, in any spelling."""
    objects = ObjectMap()
    objects.interest, objects.ignored = interest, frozenset({'CHAIR'})
    watch(objects, PLACES, LABELS, 10, np.random.default_rng(8))
    assert {each.label for each in objects.objects} == (interest or set(LABELS)) - {'chair'}
