# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers of entities in segmentation images of 16 bits, and their names as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ['SegmentLabels']

LARGEST_LABEL = 2**16 - 1


class SegmentLabels:
    """
    Gives each entity a label from 1; 0 is none.

    An entity keeps its label, and that of a deleted one is not used again, so that images and
    names fit each other also if one of them comes late. When all are used, all are given anew.
    """

    def __init__(self) -> None:
        self._labels: dict[str, int] = {}

    def update(self, names: Sequence[str]) -> None:
        """Give labels to new entities; those beyond the largest label have none."""
        if len(self._labels.keys() | set(names)) > LARGEST_LABEL:
            self._labels.clear()
        for name in names[:LARGEST_LABEL]:
            self._labels.setdefault(name, len(self._labels) + 1)

    def document(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the names of entities by their labels."""
        return {'labels': {str(self._labels[name]): name for name in names[:LARGEST_LABEL]}}

    def image(self, segmentation: NDArray[np.int32], names: Sequence[str]) -> NDArray[np.uint16]:
        """
        Return labels instead of indices.

        Parameters
        ----------
        segmentation : array, shape (h, w)
            Indices in `names`; -1: no entity.
        names : sequence of str

        """
        # The last one is that of the index -1.
        table = np.array([*(self._labels.get(name, 0) for name in names), 0], np.uint16)
        labels: NDArray[np.uint16] = table[segmentation]
        return labels
