# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Tendons, actuators, equalities and contact pairs of an MJCF file, shared among its entities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.virtual_world.xml_files import attributes_of, place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

    from world_model_core.files.file_findings import FileFindings

__all__ = ['share_sections']

# In this order, as actuators and equalities refer to tendons.
SECTIONS = ('tendon', 'actuator', 'equality', 'contact')
# What the name of an element in a body is the name of, and what an attribute refers to.
NAMED = {
    'body': 'body', 'freejoint': 'joint', 'geom': 'geom', 'joint': 'joint', 'site': 'site',
}  # fmt: skip
REFERENCES = {
    'body': 'body', 'body1': 'body', 'body2': 'body', 'target': 'body',
    'joint': 'joint', 'joint1': 'joint', 'joint2': 'joint', 'jointinparent': 'joint',
    'geom': 'geom', 'geom1': 'geom', 'geom2': 'geom',
    'cranksite': 'site', 'refsite': 'site', 'sidesite': 'site', 'site': 'site', 'site1': 'site',
    'site2': 'site', 'slidersite': 'site',
    'tendon': 'tendon', 'tendon1': 'tendon', 'tendon2': 'tendon',
}  # fmt: skip
WORLD = ('body', 'world')


def share_sections(
    root: Element, roots: Sequence[Element], notes: FileFindings
) -> list[dict[str, list[Element]]]:
    """
    Find the entity to which each element of the sections belongs.

    Parameters
    ----------
    root : Element
        The whole file.
    roots : sequence of Element
        The root body of each entity. Their cameras and lights lose targets in other entities.
    notes : FileFindings
        Receives the elements that refer to several entities, or to none.

    Returns
    -------
    list of dict of str to list of Element
        For each entity, its elements by section.

    """
    owners = {
        (NAMED[each.tag], each.get('name', '')): number
        for number, body in enumerate(roots)
        for each in body.iter(*NAMED)
    }
    for number, body in enumerate(roots):
        for each in body.iter('camera', 'light'):
            if 'target' in each.attrib and owners.get(('body', each.get('target', ''))) != number:
                _report(each, notes)
                del each.attrib['target']
                each.set('mode', 'fixed')
    shares: list[dict[str, list[Element]]] = [{} for _ in roots]
    for section in SECTIONS:
        for element in root.iterfind(f'{section}/*'):
            found = {owners.get(each) for each in _references(element)}
            number_or_none = found.pop() if len(found) == 1 else None
            if number_or_none is None:
                _report(element, notes)
                continue
            shares[number_or_none].setdefault(section, []).append(element)
            owners[section, element.get('name', '')] = number_or_none
    return shares


def _references(element: Element) -> Iterator[tuple[str, str]]:
    """Return the kind and name of everything that an element or its children refer to."""
    for each in element.iter():
        for attribute, value in attributes_of(each).items():
            reference = (REFERENCES.get(attribute, ''), value)
            if reference[0] and reference != WORLD:
                yield reference


def _report(element: Element, notes: FileFindings) -> None:
    found = ' '.join(filter(None, (element.tag, element.get('name'))))
    notes.add('Mjcf.BetweenEntities', place(element), found=found)
