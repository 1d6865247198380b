# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers in MJCF and URDF."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from world_model_core.virtual_world.xml_files import attributes_of, place

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from world_model_core.files.file_findings import FileFindings

__all__ = ['check_numbers', 'numbers']

# Of places, sizes and masses [m, kg]. With 1e9 m, MuJoCo searches for contacts forever.
LARGEST = 1e6
# Attributes that are places, sizes and masses.
SIZES = {
    'fromto', 'length', 'mass', 'offset', 'pos', 'radius', 'scale', 'size', 'value', 'vertex',
    'xyz',
}  # fmt: skip
# In URDF, a limit may be infinite.
UNLIMITED = {'limit'}
# Attributes that are texts, even if they look like numbers.
TEXTS = {'childclass', 'class', 'link', 'model', 'name'}


def numbers(
    element: Element, name: str, default: tuple[float, ...], notes: FileFindings
) -> tuple[float, ...]:
    """Read as many numbers as the default has, up to `LARGEST`; report others."""
    text = element.get(name)
    if text is None:
        return default
    values = _values(text)
    if len(values) != len(default) or not _are_within(values, LARGEST):
        notes.add('Model.NumberInvalid', place(element), name=name, found=text)
        return default
    return values


def check_numbers(root: Element, notes: FileFindings) -> None:
    """
    Report numbers that are not finite, and places, sizes and masses that are too large.

    MuJoCo may compile a model with one of them forever.
    """
    for element in root.iter():
        for name, text in attributes_of(element).items():
            limit = LARGEST if name in SIZES else sys.float_info.max
            if name in TEXTS or element.tag in UNLIMITED or _are_within(_values(text), limit):
                continue
            notes.add('Model.NumberInvalid', place(element), name=name, found=text)


def _values(text: str) -> tuple[float, ...]:
    """Return the numbers of a text, or none if it has something else."""
    try:
        return tuple(map(float, text.split()))
    except ValueError:
        return ()


def _are_within(values: tuple[float, ...], limit: float) -> bool:
    return all(abs(value) <= limit for value in values)
