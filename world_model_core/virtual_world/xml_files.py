# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
XML files of worlds.

Files of SIGVerse and X3D have unclosed elements, comments in comments and unusual names of
encodings. They are read as far as possible, and each repair is a finding; MJCF and URDF are read
strictly. A file with entities is refused, as these may grow exponentially, and nothing else is
opened: neither files nor the network.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, cast

from lxml import etree

from world_model_core.files.parsed_document import read_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from world_model_core.files.file_findings import FileFindings

__all__ = [
    'LARGEST_XML',
    'attributes_of',
    'parse_xml',
    'place',
    'read_xml',
    'tag_of',
    'take_attribute',
]

ENCODING = re.compile(rb'(?:\xef\xbb\xbf)?<\?xml[^>]*encoding\s*=\s*["\']([\w.-]+)')
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Other encodings than UTF-8, as files declare them.
CODECS = {
    'euc-jp': 'euc_jp', 'iso-8859-1': 'latin-1', 'shift-jis': 'cp932', 'shift_jis': 'cp932',
    'sjis': 'cp932', 'windows-31j': 'cp932', 'x-sjis': 'cp932',
}  # fmt: skip
# The largest of the original files that are not shapes has 30 kB; models of 10,000 bodies have
# less than 10 MB [bytes].
LARGEST_XML = 50_000_000


def read_xml(path: Path, notes: FileFindings, *, strict: bool = False) -> etree._Element | None:
    """
    Read an XML file.

    Parameters
    ----------
    path : Path
    notes : FileFindings
        Receives the findings: File.* if it cannot be read, Xml.NotXml or Xml.Entities if it is not
        used, or Xml.Repaired for each fault in its syntax.
    strict : bool
        Whether a fault in the syntax, or more than 256 levels (libxml2), is Xml.NotXml instead.

    Returns
    -------
    lxml.etree._Element or None
        The root, without comments; None if there is none.

    """
    data = read_bytes(path, notes, LARGEST_XML)
    return None if data is None else parse_xml(data, notes, strict=strict)


def parse_xml(data: bytes, notes: FileFindings, *, strict: bool = False) -> etree._Element | None:
    """Parse XML; see `read_xml`."""
    data = _as_utf8(data)
    # The libxml2 of Ubuntu 24.04 repairs what is not UTF-8 in texts, but not in names.
    text = data if strict else data.decode(errors='replace').encode()
    if b'<!ENTITY' in data:
        notes.add('Xml.Entities')
        return None
    parser = etree.XMLParser(
        encoding='utf-8',
        recover=not strict,
        huge_tree=not strict,
        no_network=True,
        resolve_entities=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(text, parser)
    except etree.XMLSyntaxError as error:
        notes.add('Xml.NotXml', _line(error.lineno), found=error.msg)
        return None
    if root is None:
        notes.add('Xml.NotXml', found='no element')
        return None
    if text != data:
        notes.add('Xml.Repaired', _line(_invalid_line(data)), found='bytes that are not UTF-8')
    for repair in parser.error_log:
        notes.add('Xml.Repaired', _line(repair.line), found=repair.message)
    return root


def place(element: etree._Element) -> str:
    """Return where an element is in its file, for findings."""
    return _line(cast('int | None', element.sourceline))


def tag_of(element: etree._Element) -> str:
    """Return the name of an element in lower case and without its namespace."""
    # What replaces an entity that is not expanded has a function as its tag.
    return element.tag.rpartition('}')[2].lower() if isinstance(element.tag, str) else ''


def attributes_of(element: etree._Element) -> dict[str, str]:
    """Return the attributes of an element by their names."""
    return {str(name): str(value) for name, value in element.items()}


def take_attribute(element: etree._Element, name: str) -> str:
    """Remove an attribute, and return its value or an empty text."""
    return str(element.attrib.pop(name, ''))


def _as_utf8(data: bytes) -> bytes:
    """Convert text in another encoding, so that none can hide entities."""
    declared = ENCODING.match(data)
    name = 'utf-8' if declared is None else declared[1].decode().lower()
    codec = 'utf-16' if data.startswith(UTF_16) else CODECS.get(name)
    return data if codec is None else data.decode(codec, errors='replace').encode()


def _invalid_line(data: bytes) -> int | None:
    """Return the number of the first line that is not UTF-8."""
    lines = enumerate(data.split(b'\n'), start=1)
    return next((n for n, line in lines if line.decode(errors='ignore').encode() != line), None)


def _line(number: int | None) -> str:
    return f'line {number}' if number else ''
