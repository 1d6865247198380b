# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What made a step or a reading wrong."""

import numpy as np
import pytest

from world_model_core.uncertainty.labels import (
    LABEL,
    NATURES,
    Cause,
    Duration,
    Kind,
    causes_of,
    names_of,
)


def test_every_cause_has_a_nature():
    """No cause may be without its kind and its duration."""
    assert set(NATURES) == set(Cause)
    for cause in Cause:
        assert (cause.kind, cause.duration) == NATURES[cause]


def test_causes_are_of_the_kinds_that_the_lecture_names():
    """Noise is random, biases are systematic, clutter and missed detections gross, as in 4.3."""
    assert Cause.NOISE.kind is Kind.RANDOM
    assert Cause.VELOCITY_BIAS.kind is Kind.SYSTEMATIC
    assert Cause.BIAS.kind is Kind.SYSTEMATIC
    assert Cause.CLUTTER.kind is Kind.GROSS
    assert Cause.MISSED_DETECTION.kind is Kind.GROSS
    assert Cause.OCCLUSION.kind is Kind.RANDOM
    assert Cause.LASTING_OCCLUSION.kind is Kind.SYSTEMATIC


@pytest.mark.parametrize('sort', [Kind, Duration])
def test_causes_fall_apart_into_kinds_and_durations(sort):
    """Each cause must be in the mask of exactly one kind, and of one duration."""
    masks = [causes_of(each) for each in sort]
    assert sum(masks) == sum(Cause)
    assert int(np.bitwise_or.reduce([int(mask) for mask in masks])) == sum(Cause)


def test_masks_select_from_arrays_of_labels():
    """A mask and an array of labels must tell which readings have an error of that kind."""
    labels = np.array(
        [0, Cause.NOISE, Cause.NOISE | Cause.CLUTTER, Cause.MISSED_DETECTION], dtype=LABEL
    )
    gross = (labels & causes_of(Kind.GROSS)) != 0
    assert gross.tolist() == [False, False, True, True]
    assert max(Cause) <= np.iinfo(LABEL).max


def test_labels_are_told_in_words():
    """A label must be told by the names of its causes, an empty one by none."""
    assert names_of(0) == ()
    assert names_of(Cause.PEBBLE | Cause.KIDNAP) == ('pebble', 'kidnap')
