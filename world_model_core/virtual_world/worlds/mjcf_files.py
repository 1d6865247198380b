# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Files that an MJCF file names, replaced by keys of assets."""

from __future__ import annotations

import math
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from world_model_core.virtual_world.pictures import LONGEST_SIDE
from world_model_core.virtual_world.worlds.model_numbers import numbers
from world_model_core.virtual_world.xml_files import attributes_of, place, take_attribute

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from world_model_core.files.file_findings import FileFindings
    from world_model_core.virtual_world.worlds.mjcf_settings import CompilerSettings
    from world_model_core.virtual_world.worlds.model_assets import ModelAssets

__all__ = ['read_files']


def read_files(
    root: Element, settings: CompilerSettings, assets: ModelAssets, notes: FileFindings
) -> None:
    """
    Read all files that an MJCF file names, and name them by their keys.

    Parameters
    ----------
    root : Element
        The whole file, includes expanded; it is changed.
    settings : CompilerSettings
        Folders of the files.
    assets : ModelAssets
        Receives the contents.
    notes : FileFindings
        Receives the findings: files that are missing, lie outside or cannot be used.

    """
    for element in root.iter():
        take_attribute(element, 'content_type')
        if _is_asset(element, 'mesh'):
            _count_inline(element, assets, notes)
        if _is_asset(element, 'hfield') and 'file' not in element.attrib:
            rows, columns = (numbers(element, each, (0.0,), notes)[0] for each in ('nrow', 'ncol'))
            assets.add_heights(int(rows * columns), _name(element), notes, place(element))
        if element.tag == 'texture':
            _check_size(element, notes)
        for attribute in [each for each in attributes_of(element) if each.startswith('file')]:
            _read_file(element, attribute, settings, assets, notes)


def _is_asset(element: Element, tag: str) -> bool:
    parent = element.getparent()
    return element.tag == tag and parent is not None and parent.tag == 'asset'


def _read_file(
    element: Element,
    attribute: str,
    settings: CompilerSettings,
    assets: ModelAssets,
    notes: FileFindings,
) -> None:
    """Replace the name of a file by its key."""
    named, where = take_attribute(element, attribute), place(element)
    if attribute == 'file' and 'name' not in element.attrib:
        element.set('name', PurePosixPath(named).stem)
    key = None
    if _is_asset(element, 'mesh') and attribute == 'file':
        key = assets.mesh(settings.file(named, settings.mesh_folder), (), notes, where)
    elif _is_asset(element, 'hfield') and attribute == 'file':
        key = assets.heights(settings.file(named, settings.mesh_folder), (), notes, where)
    elif _is_asset(element, 'texture'):
        key = assets.texture(settings.file(named, settings.texture_folder), (), notes, where)
    else:
        notes.add('Mjcf.ElementRefused', where, found=f'{element.tag} {attribute}')
    if key is not None:
        element.set(attribute, key)


def _count_inline(element: Element, assets: ModelAssets, notes: FileFindings) -> None:
    """Count the triangles of a mesh that is written in the file, or made by MuJoCo."""
    if 'builtin' in element.attrib:
        # The shapes are grids of at most this many cells along both sides.
        cells = max(map(abs, _finite_numbers(element.get('params', ''))), default=1.0)
        triangles = int(min(2.0 * cells * cells, 1e12))
    else:
        corners, points = (element.get(name, '').split() for name in ('face', 'vertex'))
        # A convex hull of n points has less than 2 n triangles.
        triangles = len(corners) // 3 if corners else 2 * len(points) // 3
    assets.add_shape(triangles, _name(element), notes, place(element))


def _finite_numbers(text: str) -> list[float]:
    try:
        return [value for word in text.split() if math.isfinite(value := float(word))]
    except ValueError:
        return []


def _check_size(element: Element, notes: FileFindings) -> None:
    """Report pictures that MuJoCo would make too large."""
    width, height = (numbers(element, name, (1.0,), notes)[0] for name in ('width', 'height'))
    if max(width, height) > LONGEST_SIDE:
        size = f'{width:.0f} x {height:.0f} pixels'
        notes.add(
            'WorldFile.PictureTooLarge', place(element), found=_name(element), size=size,
            limit=LONGEST_SIDE,
        )  # fmt: skip


def _name(element: Element) -> str:
    return element.get('name', element.tag)
