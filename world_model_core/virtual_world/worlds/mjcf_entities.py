# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Entities of an MJCF file.

Each body in the worldbody becomes an entity of its name with a model of its own, so that it can
be listed, moved and deleted. What is fixed to the world without a body becomes one more entity.
A model has exactly one body in its worldbody, which has a free joint or none. Tendons, actuators,
equalities and contact pairs go with the entity that they refer to.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from world_model_core.virtual_world.values import Entity, Model, ModelFormat
from world_model_core.virtual_world.worlds.mjcf_poses import ORIENTATIONS, pose_in_world
from world_model_core.virtual_world.worlds.mjcf_references import share_sections
from world_model_core.virtual_world.worlds.unique_names import unique_names
from world_model_core.virtual_world.xml_files import attributes_of, place, take_attribute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lxml.etree import _Element as Element

    from world_model_core.files.file_findings import FileFindings
    from world_model_core.virtual_world.values import Pose
    from world_model_core.virtual_world.worlds.mjcf_settings import CompilerSettings

__all__ = ['FIXTURES', 'split_entities']

# Name of the entity that is made of what is fixed to the world without a body.
FIXTURES = 'fixtures'
# Of all models together; each has all defaults of the file [characters].
LARGEST_TEXT = 200_000_000


def split_entities(
    root: Element,
    settings: CompilerSettings,
    assets: Mapping[str, bytes],
    notes: FileFindings,
) -> tuple[Entity, ...]:
    """
    Make the entities of an MJCF file.

    Parameters
    ----------
    root : Element
        The whole file, includes expanded and files named by the keys of `assets`; it is changed.
    settings : CompilerSettings
    assets : mapping of str to bytes
    notes : FileFindings
        Receives what cannot be part of an entity.

    """
    roots = _take_roots(root)
    fixtures = _take_fixtures(root, notes)
    if fixtures is not None:
        roots.append(_Root(fixtures))
    if not roots:
        notes.add('Mjcf.Empty')
    names = unique_names(each.body.get('name', 'body') for each in roots)
    shares = share_sections(root, [each.body for each in roots], notes)
    writer = _ModelWriter(root, settings, assets)
    entities: list[Entity] = []
    for name, (body, frames), sections in zip(names, roots, shares, strict=True):
        pose = pose_in_world((body, *frames), settings, notes)
        entities.append(_entity(name, pose, body, frames, partial(writer.write, sections)))
        if writer.written > LARGEST_TEXT:
            notes.add('Mjcf.TooLarge', found=len(roots), limit=LARGEST_TEXT)
            break
    return tuple(entities)


class _Root(NamedTuple):
    """The root body of an entity, and the frames around it from the innermost on."""

    body: Element
    frames: tuple[Element, ...] = ()


def _take_roots(root: Element) -> list[_Root]:
    """Take the bodies out of the worldbody and of its frames; frames keep what else they have."""
    roots = []
    for body in root.findall('worldbody//body'):
        above = tuple(body.iterancestors())
        if all(each.tag in {'frame', 'worldbody', 'mujoco'} for each in above):
            roots.append(_Root(body, above[:-1]))
    for each in roots:
        _remove(each.body)
    return roots


def _take_fixtures(root: Element, notes: FileFindings) -> Element | None:
    """Take what is fixed to the world without a body as one body, or return None."""
    body = etree.Element('body', name=FIXTURES)
    for worldbody in root.findall('worldbody'):
        body.extend(list(worldbody))
    for joint in body.iter('freejoint', 'joint'):
        if _is_free(joint):
            notes.add('Mjcf.ReplicatedEntity', place(joint))
    return (
        body
        if next(body.iterdescendants('geom', 'body'), None) is not None and len(body)
        else None
    )


def _entity(
    name: str,
    pose: Pose,
    body: Element,
    frames: Sequence[Element],
    write: Callable[[Element], Model],
) -> Entity:
    """Make an entity of a body; a mocap body is one that is moved by commands alone."""
    for attribute in ('pos', *ORIENTATIONS):
        take_attribute(body, attribute)
    mocap = take_attribute(body, 'mocap') == 'true'
    joints = [each for each in body if each.tag in {'freejoint', 'joint'}]
    top = body
    if not all(map(_is_free, joints)):
        # The root of an entity has no joint: a fixed body carries the one with the joints.
        top = _around(body, 'body', name=f'{body.get("name", "")} base')
    for frame in frames:
        if 'childclass' in frame.attrib:
            top = _around(top, 'frame', childclass=frame.get('childclass', ''))
    return Entity(
        name,
        pose=pose,
        model=write(top),
        movable=mocap or any(map(_is_free, joints)),
        dynamics=not mocap,
    )


def _is_free(joint: Element) -> bool:
    return joint.tag == 'freejoint' or joint.get('type') == 'free'


def _around(inner: Element, tag: str, **attributes: str) -> Element:
    outer = etree.Element(tag, attributes)
    outer.append(inner)
    return outer


def _remove(element: Element) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


class _ModelWriter:
    """
    Writes models with the settings, defaults and assets of a file.

    Parameters
    ----------
    root : Element
        The file without its bodies.
    settings : CompilerSettings
    assets : mapping of str to bytes

    Attributes
    ----------
    written : int
        Characters of all models.

    """

    def __init__(
        self, root: Element, settings: CompilerSettings, assets: Mapping[str, bytes]
    ) -> None:
        self.written = 0
        compiler = etree.Element('compiler', settings.kept)
        compiler.extend(root.findall('compiler/lengthrange'))
        defaults = root.findall('default')
        self._head = ''.join(map(_text, (compiler, *defaults)))
        self._by_name: dict[str, list[tuple[int, Element]]] = {}
        for number, each in enumerate(root.iterfind('asset/*')):
            self._by_name.setdefault(each.get('name', ''), []).append((number, each))
        self._used_by_defaults = _values(defaults) & self._by_name.keys()
        self._assets = assets

    def write(self, sections: Mapping[str, Sequence[Element]], top: Element) -> Model:
        """Write the model of a body, with the assets that it uses."""
        groups = {'worldbody': [top], **sections}
        used = self._used([each for group in groups.values() for each in group])
        groups = {'asset': used, **groups}
        body = ''.join(
            f'<{tag}>{"".join(map(_text, group))}</{tag}>' for tag, group in groups.items()
        )
        keys = _values(used) & self._assets.keys()
        text = f'<mujoco>{self._head}{body}</mujoco>'
        self.written += len(text)
        return Model(
            ModelFormat.MJCF,
            text,
            {key: self._assets[key] for key in sorted(keys)},
        )

    def _used(self, elements: Iterable[Element]) -> list[Element]:
        """Return the assets that elements, or these assets, refer to by name."""
        found: dict[int, Element] = {}
        names = self._used_by_defaults | _values(elements)
        while names := names & self._by_name.keys():
            new = {
                number: each
                for name in names
                for number, each in self._by_name[name]
                if number not in found
            }
            found |= new
            names = _values(new.values())
        return [found[number] for number in sorted(found)]


def _values(elements: Iterable[Element]) -> set[str]:
    """Return the values of all attributes of elements and of what they contain."""
    return {
        value
        for each in elements
        for inner in each.iter()
        for value in attributes_of(inner).values()
    }


def _text(element: Element) -> str:
    return etree.tostring(element, encoding='unicode', with_tail=False)
