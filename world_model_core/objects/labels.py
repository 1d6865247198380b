# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Normalization of class labels from detectors, files and questions."""

from __future__ import annotations

import unicodedata

__all__ = ['normalize_label']


def normalize_label(label: str) -> str:
    """
    Return the normal form of a label: 'Potted_Plant ' becomes 'potted plant'.

    Underscores, spaces and case do not distinguish labels, nor do full-width, half-width and
    composed characters (Unicode NFKC), which occur in Japanese text.
    """
    folded = unicodedata.normalize('NFKC', label).casefold().replace('_', ' ')
    return ' '.join(folded.split())
