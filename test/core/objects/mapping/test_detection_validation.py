# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Invalid detections are dropped and counted; numbers are bounded."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from world_model_core.errors import ConfigurationError
from world_model_core.objects.mapping.detection_validation import accept
from world_model_core.objects.mapping.object_map import ObjectMap
from world_model_core.objects.mapping.parameters import ObjectMapParameters
from world_model_core.objects.values import UNKNOWN, Detections

PARAMETERS = ObjectMapParameters()
NAN, INFINITE = float('nan'), float('inf')
# 'CHAIR' in full-width letters, and 'isu', chair, in half-width katakana.
FULL_WIDTH, HALF_WIDTH = '\uff23\uff28\uff21\uff29\uff32', '\uff72\uff7d'


def _accept(position=(0.0, 0.0, 0.0), covariance=None, label='chair', size=(1.0, 1.0, 1.0)):
    covariance = np.eye(3) if covariance is None else covariance
    return accept(
        0, [label], [position], [covariance], [1.0], [UNKNOWN], [size], [0.0], PARAMETERS
    )


@pytest.mark.parametrize(
    ('cause', 'bad'),
    [
        ('position not finite', {'position': (NAN, 0.0, 0.0)}),
        ('position too far', {'position': (0.0, 1e9, 0.0)}),
        ('label empty', {'label': ''}),
        ('label too long', {'label': '椅' * 10_000}),
        ('covariance not finite', {'covariance': np.diag((INFINITE, 1.0, 1.0))}),
        ('covariance not finite', {'covariance': np.full((3, 3), NAN)}),
        ('covariance not symmetric', {'covariance': np.eye(3) + np.eye(3, k=1)}),
        ('covariance not positive', {'covariance': np.diag((1.0, -1.0, 1.0))}),
        ('covariance not positive', {'covariance': np.ones((3, 3)) - 2.0 * np.eye(3, k=0)}),
        ('covariance too large', {'covariance': 1e300 * np.eye(3)}),
    ],
)
def test_a_bad_detection_is_dropped_by_its_cause(cause, bad):
    """Each fault is counted under its own name, and the detection is dropped."""
    detections, dropped = _accept(**bad)
    assert len(detections) == 0
    assert dict(dropped) == {cause: 1}


def test_an_unknown_covariance_is_replaced():
    """A covariance of zeros means unknown, and is replaced by that of the parameter."""
    detections, dropped = _accept(covariance=np.zeros((3, 3)))
    assert not dropped
    np.testing.assert_allclose(detections.covariances[0], PARAMETERS.unknown_std**2 * np.eye(3))


def test_a_flat_covariance_is_taken():
    """A singular covariance is valid, and gives a consistent object."""
    detections, dropped = _accept(covariance=np.diag((0.01, 0.01, 0.0)))
    assert not dropped
    objects = ObjectMap()
    objects.observe(detections)
    assert np.linalg.eigvalsh(objects.objects[0].covariance)[0] > 0.0


def test_a_size_that_cannot_be_is_unknown():
    """Lengths that are zero, negative or infinite are unknown; the detection stays."""
    detections, dropped = _accept(size=(0.0, -1.0, INFINITE))
    assert not dropped
    assert np.isnan(detections.sizes).all()


@given(
    arrays(np.float64, (3, 3, 3), elements=st.floats(width=64)),
    arrays(np.float64, (3, 3), elements=st.floats(width=64)),
)
@settings(deadline=None)
def test_any_numbers_leave_a_sound_map(covariances, positions):
    """For any numbers, no warning is issued, and the map contains finite numbers only."""
    detections = Detections(
        0,
        ('chair',) * 3,
        positions,
        covariances,
        np.ones(3),
        (UNKNOWN,) * 3,
        np.full((3, 3), NAN),
        np.full(3, NAN),
    )
    objects = ObjectMap()
    updates = objects.observe(detections)
    assert len(updates.ids) == 3
    for each in objects.objects:
        assert np.isfinite(each.position).all()
        assert np.linalg.eigvalsh(each.covariance)[0] > 0.0


def test_too_many_detections_are_cut_to_the_surest():
    """Of 100,000 detections those with the highest scores are used, the others counted."""
    random, count = np.random.default_rng(0), 100_000
    limit = PARAMETERS.frame_limit
    scores = random.permutation(np.linspace(0.0, 1.0, count))
    detections = Detections(
        0,
        tuple(f'label {number}' for number in range(count)),
        random.uniform(0.0, 1000.0, (count, 3)),
        np.tile(0.01 * np.eye(3), (count, 1, 1)),
        scores,
        (UNKNOWN,) * count,
        np.full((count, 3), NAN),
        np.full(count, NAN),
    )
    objects = ObjectMap()
    updates = objects.observe(detections)
    assert objects.dropped == {'frame too large': count - limit}
    used = np.flatnonzero([name is not None for name in updates.ids])
    assert scores[used].min() == np.sort(scores)[-limit]
    assert len(objects.objects) == limit


def test_labels_are_bounded(frame):
    """Labels beyond the limit have no number; their detections are dropped and counted."""
    objects = ObjectMap(ObjectMapParameters(label_limit=5))
    places = np.arange(24.0).reshape(8, 3)
    objects.observe(frame(0, places, [f'label {number}' for number in range(8)]))
    assert objects.dropped == {'too many labels': 3}
    assert len(objects.objects) == 5


def test_objects_are_bounded(frame):
    """A full map adds no new objects, and counts them."""
    objects = ObjectMap(ObjectMapParameters(object_limit=3))
    places = np.arange(15.0).reshape(5, 3)
    updates = objects.observe(frame(0, places))
    assert len(objects.objects) == 3
    assert sum(name is None for name in updates.ids) == 2
    assert objects.dropped == {'map full': 2}


def test_spellings_of_a_label_are_one(frame):
    """Case, spaces and underscores do not distinguish classes."""
    objects = ObjectMap()
    for number, label in enumerate(('potted_plant', 'Potted Plant', 'potted  plant')):
        objects.observe(frame(number, ((0.0, 0.0, 0.0),), [label]))
    assert len(objects.objects) == 1
    assert objects.objects[0].classes.keys() == {'potted_plant'}


@pytest.mark.parametrize('labels', [('chair', FULL_WIDTH), ('イス', HALF_WIDTH)])
def test_widths_of_a_label_are_one(frame, labels):
    """Full-width and half-width labels belong to the class of the normal ones."""
    objects = ObjectMap()
    for number, label in enumerate(labels):
        objects.observe(frame(number, ((0.0, 0.0, 0.0),), [label]))
    assert len(objects.objects) == 1
    assert objects.objects[0].classes.keys() == {labels[0]}


@pytest.mark.parametrize(('label', 'wanted'), [(FULL_WIDTH, 'chair'), (HALF_WIDTH, 'イス')])
def test_labels_of_any_width_pass_an_interest(frame, label, wanted):
    """An interest in a class covers its full-width and half-width labels, and the reverse."""
    for seen, interest in ((label, wanted), (wanted, label)):
        objects = ObjectMap()
        objects.interest = frozenset({interest})
        updates = objects.observe(frame(0, ((0.0, 0.0, 0.0), (3.0, 0.0, 0.0)), [seen, 'sofa']))
        assert [name is None for name in updates.ids] == [False, True]


@pytest.mark.parametrize(
    ('name', 'value'), [('update_gate', NAN), ('birth_gate', 10.0), ('window', 0)]
)
def test_parameters_that_no_map_could_use_are_refused(name, value):
    """The error names the parameter and its value."""
    with pytest.raises(ConfigurationError, match=f'{name} is {value}'):
        ObjectMapParameters(**{name: value})
