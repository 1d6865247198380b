# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
XML of MJCF and URDF, read strictly.

Entities are not expanded, nothing is opened, and nesting is at most 256 levels (libxml2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from world_model_core.files.file_findings import FileFindings

__all__ = ['LARGEST_XML', 'attributes_of', 'parse_xml', 'place', 'tag_of', 'take_attribute']

# Models of 10,000 bodies have less than 10 MB [bytes].
LARGEST_XML = 32 * 2**20


def parse_xml(data: bytes, notes: FileFindings) -> Element | None:
    """
    Parse XML.

    Parameters
    ----------
    data : bytes
    notes : FileFindings
        Receives the error if it is not well formed.

    Returns
    -------
    Element or None
        The root, without comments and processing instructions.

    """
    parser = etree.XMLParser(
        no_network=True, resolve_entities=False, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        notes.add('Model.NotXml', f'line {error.lineno or 1}', found=error.msg)
        return None


def place(element: Element) -> str:
    """Return where an element is in its file, for findings."""
    return f'line {element.sourceline or 0}'


def tag_of(element: Element) -> str:
    """Return the name of an element in lower case and without its namespace."""
    # An entity that is not expanded has a function as its tag.
    return element.tag.rpartition('}')[2].lower() if isinstance(element.tag, str) else ''


def attributes_of(element: Element) -> dict[str, str]:
    """Return the attributes of an element by their names."""
    return {str(name): str(value) for name, value in element.items()}


def take_attribute(element: Element, name: str) -> str:
    """Remove an attribute, and return its value or an empty text."""
    return str(element.attrib.pop(name, ''))
