# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
MJCF, the model files of MuJoCo, as worlds.

A file is checked before MuJoCo sees it: all files that it names are read from the folders of the
world and become assets of the models, and what could harm the simulator is refused by name. Each
body of the worldbody becomes an entity (`mjcf_entities`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.virtual_world.values import World
from world_model_core.virtual_world.worlds.mjcf_entities import split_entities
from world_model_core.virtual_world.worlds.mjcf_files import read_files
from world_model_core.virtual_world.worlds.mjcf_includes import IncludeExpander
from world_model_core.virtual_world.worlds.mjcf_settings import (
    check_memory,
    read_compiler,
    read_option,
)
from world_model_core.virtual_world.worlds.model_assets import ModelAssets
from world_model_core.virtual_world.worlds.model_numbers import check_numbers, numbers
from world_model_core.virtual_world.xml_files import place

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from world_model_core.files.file_findings import FileFindings
    from world_model_core.virtual_world.asset_folders import AssetFolders
    from world_model_core.virtual_world.worlds.model_limits import ModelLimits

__all__ = ['read_mjcf']

# Plugins run code of others; attached models are read by MuJoCo itself; contacts with deformable
# things have no parts.
REFUSED = {
    'attach', 'composite', 'deformable', 'extension', 'flex', 'flexcomp', 'model', 'plugin',
    'skin',
}  # fmt: skip
# Sections that the models keep.
KEPT = {'actuator', 'asset', 'compiler', 'contact', 'default', 'equality', 'tendon', 'worldbody'}
# Sections without use here; of `option`, gravity and timestep are used.
WITHOUT_USE = {'custom', 'keyframe', 'option', 'sensor', 'size', 'statistic', 'visual'}


def read_mjcf(
    root: Element, name: str, folders: AssetFolders, limits: ModelLimits, notes: FileFindings
) -> World:
    """
    Read an MJCF file.

    Parameters
    ----------
    root : Element
        The parsed file; it is changed.
    name : str
        Of the world, if the file gives none.
    folders : AssetFolders
    limits : ModelLimits
    notes : FileFindings
        Receives the findings.

    Returns
    -------
    World
        Of no use if there are errors among the findings. It has no ground but that of the file.

    """
    main = () if folders.folder is None else (folders.folder,)
    IncludeExpander(folders, notes).expand(root, main)
    _check_elements(root, notes)
    check_memory(root, limits.memory, notes)
    check_numbers(root, notes)
    _check_number_of_bodies(root, limits, notes)
    option, settings = read_option(root, notes), read_compiler(root)
    assets = ModelAssets(folders, limits)
    read_files(root, settings, assets, notes)
    return World(
        name=root.get('model', name),
        entities=split_entities(root, settings, assets.contents, notes),
        gravity=option.gravity,
        step=option.step,
        ground=False,
    )


def _check_elements(root: Element, notes: FileFindings) -> None:
    """Report elements that are refused, unknown or without use."""
    for element in root.iter():
        if element.tag in REFUSED:
            found = ' '.join(filter(None, (element.tag, element.get('plugin'))))
            notes.add('Mjcf.ElementRefused', place(element), found=found)
    for section in root:
        if section.tag in WITHOUT_USE:
            notes.add('Mjcf.SectionNotUsed', place(section), found=section.tag)
        elif section.tag not in KEPT | REFUSED:
            notes.add('Mjcf.ElementRefused', place(section), found=section.tag)


def _check_number_of_bodies(root: Element, limits: ModelLimits, notes: FileFindings) -> None:
    count, waiting = 0, [(root, 1)]
    while waiting:
        element, times = waiting.pop()
        count += times * (element.tag == 'body')
        if element.tag == 'replicate':
            times *= max(int(numbers(element, 'count', (1.0,), notes)[0]), 1)
        if times > limits.bodies:
            count = times
            break
        waiting += [(child, times) for child in element]
    if count > limits.bodies:
        notes.add('Model.TooManyBodies', found=count, limit=limits.bodies)
