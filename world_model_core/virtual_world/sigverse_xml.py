# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
XML files of SIGVerse: worlds, classes and bodies.

Files of SIGVerse have unclosed elements, comments in comments and unusual names of encodings. They
are read as far as possible, and each repair is a finding. Entities are not expanded, and nothing
else is opened: neither files nor the network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lxml import etree

from world_model_core.files.parsed_document import read_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from world_model_core.files.file_findings import FileFindings

__all__ = ['parse_xml', 'place', 'read_xml', 'tag_of']

# The largest of the original files that are not shapes has 30 kB.
LARGEST = 50_000_000  # [bytes]


def read_xml(path: Path, notes: FileFindings) -> etree._Element | None:
    """
    Read an XML file.

    Parameters
    ----------
    path : Path
    notes : FileFindings
        Receives the findings: File.* if it cannot be read, Sigverse.NotXml, or
        Sigverse.Repaired for each fault in its syntax.

    Returns
    -------
    lxml.etree._Element or None
        The root, without comments; None if there is none.

    """
    data = read_bytes(path, notes, LARGEST)
    return None if data is None else parse_xml(data, notes)


def parse_xml(data: bytes, notes: FileFindings) -> etree._Element | None:
    """Parse XML; see `read_xml`."""
    parser = etree.XMLParser(
        recover=True,
        huge_tree=True,
        no_network=True,
        resolve_entities=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        notes.add('Sigverse.NotXml', _line(error.lineno), found=error.msg)
        return None
    if root is None:
        notes.add('Sigverse.NotXml', found='no element')
        return None
    for repair in parser.error_log:
        notes.add('Sigverse.Repaired', _line(repair.line), found=repair.message)
    return root


def place(element: etree._Element) -> str:
    """Return where an element is in its file, for findings."""
    return _line(cast('int | None', element.sourceline))


def tag_of(element: etree._Element) -> str:
    """Return the name of an element in lower case and without its namespace."""
    # What replaces an entity that is not expanded has a function as its tag.
    return element.tag.rpartition('}')[2].lower() if isinstance(element.tag, str) else ''


def _line(number: int | None) -> str:
    return f'line {number}' if number else ''
