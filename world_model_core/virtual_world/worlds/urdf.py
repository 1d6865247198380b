# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
URDF, the robot files of ROS, as worlds of one entity.

MuJoCo reads URDF, but leaves out in silence what it does not know. Here that is a finding, and
the files that a robot names are read from the folders of the world before MuJoCo sees it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from world_model_core.virtual_world.values import Entity, Model, ModelFormat, World
from world_model_core.virtual_world.worlds.mjcf_settings import read_compiler
from world_model_core.virtual_world.worlds.model_assets import ModelAssets
from world_model_core.virtual_world.worlds.model_numbers import check_numbers
from world_model_core.virtual_world.worlds.unique_names import unique_names
from world_model_core.virtual_world.xml_files import place, tag_of, take_attribute

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from world_model_core.files.file_findings import FileFindings
    from world_model_core.virtual_world.asset_folders import AssetFolders
    from world_model_core.virtual_world.worlds.mjcf_settings import CompilerSettings
    from world_model_core.virtual_world.worlds.model_limits import ModelLimits

__all__ = ['read_urdf']

USED = {'joint', 'link', 'material', 'mujoco'}
# By convention, a robot whose root has this name is fixed. MuJoCo would make it the world itself.
WORLD_LINK, RENAMED_LINK = 'world', 'world_link'
# Visuals are kept, and so are links without joints, as they are frames of tf. Links without mass,
# such as base_footprint, get the least one.
COMPILER = {
    'discardvisual': 'false',
    'fusestatic': 'false',
    'strippath': 'false',
    'boundmass': '1e-6',
    'boundinertia': '1e-9',
    'balanceinertia': 'true',
}


def read_urdf(
    root: Element, name: str, folders: AssetFolders, limits: ModelLimits, notes: FileFindings
) -> World:
    """
    Read a URDF file.

    Parameters
    ----------
    root : Element
        The parsed file; it is changed.
    name : str
        Of the robot, if the file gives none.
    folders : AssetFolders
    limits : ModelLimits
    notes : FileFindings
        Receives the findings.

    Returns
    -------
    World
        With the robot at its origin; of no use if there are errors among the findings.

    """
    _drop_unused(root, notes)
    settings = read_compiler(root)
    for section in root.findall('mujoco'):
        root.remove(section)
    check_numbers(root, notes)
    base = _root_link(root, notes)
    count = len(root.findall('link'))
    if count > limits.bodies:
        notes.add('Model.TooManyBodies', found=count, limit=limits.bodies)
    assets = ModelAssets(folders, limits)
    _read_meshes(root, settings, assets, notes)
    _drop_textures(root, notes)
    section = etree.SubElement(root, 'mujoco')
    etree.SubElement(section, 'compiler', {**COMPILER, **settings.kept, 'angle': 'radian'})
    model = Model(ModelFormat.URDF, etree.tostring(root, encoding='unicode'), assets.contents)
    (name,) = unique_names([root.get('name') or name])
    return World(name, (Entity(name, model=model, movable=base != WORLD_LINK),))


def _drop_unused(root: Element, notes: FileFindings) -> None:
    """Remove what is for other programs, and report it once for each kind of element."""
    xacro = next((each for each in root.iter() if 'xacro' in str(each.tag)), None)
    if xacro is not None:
        notes.add('Urdf.Xacro', place(xacro), found=tag_of(xacro))
    unused = [each for each in root if tag_of(each) not in USED]
    for each in unused:
        root.remove(each)
    for tag in sorted({tag_of(each) for each in unused} - {''}):
        notes.add('Urdf.ElementNotUsed', found=tag)


def _root_link(root: Element, notes: FileFindings) -> str:
    """Return the name of the root link; if that is "world", it is renamed in the file."""
    links = [each.get('name', '') for each in root.iterfind('link')]
    children = {each.get('link', '') for each in root.iterfind('joint/child')}
    roots = [each for each in links if each not in children]
    if len(roots) != 1:
        notes.add('Urdf.NotATree', found=len(roots))
        return ''
    if roots[0] == WORLD_LINK:
        for each in (*root.iterfind('link'), *root.iterfind('joint/parent')):
            attribute = 'name' if each.tag == 'link' else 'link'
            if each.get(attribute) == WORLD_LINK:
                each.set(attribute, RENAMED_LINK)
    return roots[0]


def _read_meshes(
    root: Element, settings: CompilerSettings, assets: ModelAssets, notes: FileFindings
) -> None:
    """Name meshes by their keys; a visual whose mesh cannot be used is removed."""
    codes = {'missing': 'Urdf.VisualMissing', 'unsupported': 'Urdf.VisualUnsupported'}
    for mesh in list(root.iter('mesh')):
        named = settings.file(take_attribute(mesh, 'filename'), settings.mesh_folder)
        visual = next(mesh.iterancestors('visual'), None)
        key = assets.mesh(named, (), notes, place(mesh), **({} if visual is None else codes))
        if key is not None:
            mesh.set('filename', key)
        elif visual is not None and (parent := visual.getparent()) is not None:
            parent.remove(visual)


def _drop_textures(root: Element, notes: FileFindings) -> None:
    for texture in list(root.iter('texture')):
        notes.add('Urdf.TextureNotShown', place(texture), found=texture.get('filename', ''))
        parent = texture.getparent()
        if parent is not None:
            parent.remove(texture)
