# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Labels of entities in segmentation images of 16 bits."""

from __future__ import annotations

import numpy as np

from world_model_core.documents import parse, write
from world_model_core.virtual_world.rendering.segment_labels import LARGEST_LABEL, SegmentLabels


def test_labels_stay_while_entities_come_and_go():
    """An image of before must fit names of later."""
    labels = SegmentLabels()
    labels.update(['cup', 'table'])
    labels.update(['table', 'lamp'])
    document = labels.document(['table', 'lamp'])
    assert parse(write(document), 'segmentation_labels') == document
    assert document == {'labels': {'2': 'table', '3': 'lamp'}}
    image = labels.image(np.array([[1, -1], [0, 2]], np.int32), ['cup', 'table', 'unknown'])
    assert image.dtype == np.uint16
    assert image.tolist() == [[2, 0], [1, 0]]


def test_more_entities_than_labels():
    """Used labels must be given again; entities beyond the largest must have none."""
    labels = SegmentLabels()
    names = [str(number) for number in range(LARGEST_LABEL + 10)]
    labels.update(names[:-10])
    labels.update(names[10:])
    assert labels.document(names[-1:]) == {'labels': {str(LARGEST_LABEL): names[-1]}}
    labels.update(names)
    assert len(labels.document(names)['labels']) == LARGEST_LABEL
    indices = np.array([[0, LARGEST_LABEL - 1, LARGEST_LABEL]], np.int32)
    assert labels.image(indices, names).tolist() == [[1, LARGEST_LABEL, 0]]
