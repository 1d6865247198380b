# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Kinds, quality and sizes of images; this module needs no MuJoCo."""

from __future__ import annotations

from enum import Enum

__all__ = ['LARGEST_SIZE', 'ImageKind', 'Quality']

LARGEST_SIZE = 4096  # of a side [pixels]


class ImageKind(Enum):
    """What the pixels of an image are."""

    COLOR = 'color'
    DEPTH = 'depth'
    SEGMENTATION = 'segmentation'
    PARTS = 'parts'


class Quality(Enum):
    """Of colors: fast, or full with shadows and smooth edges at about nine times the cost."""

    FAST = 'fast'
    FULL = 'full'
