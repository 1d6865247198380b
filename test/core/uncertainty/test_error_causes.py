# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Causes of errors of steps and readings."""

import numpy as np
import pytest

from world_model_core.uncertainty.error_causes import (
    ERROR_NATURES,
    LABEL,
    ErrorCause,
    ErrorDuration,
    ErrorKind,
    cause_names,
    causes_of,
)


def test_every_cause_has_a_kind_and_a_duration():
    """Every cause must have a kind and a duration."""
    assert set(ERROR_NATURES) == set(ErrorCause)
    for cause in ErrorCause:
        assert (cause.kind, cause.duration) == ERROR_NATURES[cause]


def test_causes_are_of_the_kinds_that_the_lecture_names():
    """Noise is random, biases are systematic, clutter and missed detections gross, as in 4.3."""
    assert ErrorCause.NOISE.kind is ErrorKind.RANDOM
    assert ErrorCause.VELOCITY_BIAS.kind is ErrorKind.SYSTEMATIC
    assert ErrorCause.BIAS.kind is ErrorKind.SYSTEMATIC
    assert ErrorCause.CLUTTER.kind is ErrorKind.GROSS
    assert ErrorCause.MISSED_DETECTION.kind is ErrorKind.GROSS
    assert ErrorCause.OCCLUSION.kind is ErrorKind.RANDOM
    assert ErrorCause.LASTING_OCCLUSION.kind is ErrorKind.SYSTEMATIC


@pytest.mark.parametrize('sort', [ErrorKind, ErrorDuration])
def test_causes_fall_apart_into_kinds_and_durations(sort):
    """Each cause must be in the mask of exactly one kind, and of one duration."""
    masks = [causes_of(each) for each in sort]
    assert sum(masks) == sum(ErrorCause)
    assert int(np.bitwise_or.reduce([int(mask) for mask in masks])) == sum(ErrorCause)


def test_masks_select_from_arrays_of_labels():
    """A mask must select the readings that have an error of that kind."""
    labels = np.array(
        [0, ErrorCause.NOISE, ErrorCause.NOISE | ErrorCause.CLUTTER, ErrorCause.MISSED_DETECTION],
        dtype=LABEL,
    )
    gross = (labels & causes_of(ErrorKind.GROSS)) != 0
    assert gross.tolist() == [False, False, True, True]
    assert max(ErrorCause) <= np.iinfo(LABEL).max


def test_labels_have_names():
    """A label must give the names of its causes, an empty label none."""
    assert cause_names(0) == ()
    assert cause_names(ErrorCause.PEBBLE | ErrorCause.KIDNAP) == ('pebble', 'kidnap')
