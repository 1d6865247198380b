# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Objects of annotated lists and data sets."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.documents.json_fields import (
    FARTHEST,
    TEXT_LENGTH,
    ObjectMapError,
    shown,
)
from world_model_core.objects.values import MapObject

if TYPE_CHECKING:
    from collections.abc import Sequence

# Minimum edge length of a box [m]: pictures are flat in scans, and relations compare volumes.
THINNEST = 1e-3


def bounded(word: str, where: str, low: float = -FARTHEST, high: float = FARTHEST) -> float:
    """
    Read a number within limits.

    Raises
    ------
    ObjectMapError
        If the text is not a number or beyond the limits.

    """
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if not low <= number <= high:
        raise ObjectMapError(
            f'{where} is {shown(word)}; it must be a number from {low:g} to {high:g}'
        )
    return number


def label_text(word: str, where: str) -> str:
    """
    Read a name.

    Raises
    ------
    ObjectMapError
        If it is empty or longer than `TEXT_LENGTH`.

    """
    name = word.strip()
    if not 0 < len(name) <= TEXT_LENGTH:
        raise ObjectMapError(
            f'{where} is {shown(name)}; it must have 1 to {TEXT_LENGTH} characters'
        )
    return name


def annotated_object(
    name: str,
    label: str,
    center: Sequence[float],
    size: Sequence[float] | None,
    heading: float | None,
    *,
    where: str,
) -> MapObject:
    """
    Create an object from an annotated box, with covariance zero.

    Parameters
    ----------
    name, label : str
        Its id and class.
    center, size : sequence of 3 floats
        x, y, z, and length, width, height [m].
    heading : float or None
        Rotation of its x axis about z [rad].
    where : str
        Place in the file, for the error.

    Raises
    ------
    ObjectMapError
        If a length is negative.

    """
    if size is not None and min(size) < 0.0:
        raise ObjectMapError(f'{where}: size is {list(size)}; no length may be negative')
    return MapObject(
        id=name,
        label=label,
        position=np.array(center),
        covariance=np.zeros((3, 3)),
        size=None if size is None else np.maximum(size, THINNEST),
        heading=heading,
    )
