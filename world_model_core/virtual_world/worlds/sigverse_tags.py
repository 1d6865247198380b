# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Streams of tags, as SIGVerse reads its files.

What is set belongs to the last object that was opened and not yet closed, so that elements that
are not closed do not swallow others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from lxml import etree

from world_model_core.virtual_world.worlds.sigverse_documents import Setting, WrittenAt
from world_model_core.virtual_world.xml_files import place, read_xml, tag_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from world_model_core.files.file_findings import FileFindings

__all__ = ['TagReader', 'read_root']


def read_root(path: Path, notes: FileFindings, tag: str) -> etree._Element | None:
    """Return the root of a file; None, with a finding, if it has another tag."""
    root = read_xml(path, notes)
    if root is not None and tag_of(root) != tag:
        notes.add('Sigverse.WrongRoot', place(root), found=tag_of(root), tag=tag)
        return None
    return root


@dataclass(slots=True)
class TagReader:
    """Takes the tags of a file one after another."""

    notes: FileFindings
    # Methods by the tags that they take, and tags that need none.
    starts: ClassVar[Mapping[str, Callable[..., None]]] = {}
    ends: ClassVar[Mapping[str, Callable[..., None]]] = {}

    def walk(self, root: etree._Element) -> None:
        """Take all elements below the root, at their starts and ends."""
        for event, element in etree.iterwalk(root, events=('start', 'end')):
            if element is root:
                continue
            tag = tag_of(element)
            if event == 'end':
                if tag in self.ends:
                    self.ends[tag](self, element)
            elif tag in self.starts:
                self.starts[tag](self, element)
            else:
                self.notes.add('Sigverse.UnknownElement', place(element), found=tag)

    def required(self, element: etree._Element, name: str) -> str:
        """Return an attribute of an element, or an empty text with a finding."""
        value = element.get(name)
        if value is None:
            self.notes.add(
                'Sigverse.MissingAttribute', place(element), found=name, tag=tag_of(element)
            )
            return ''
        return value

    def at(self, element: etree._Element) -> WrittenAt:
        """Return the place of an element."""
        return WrittenAt(self.notes.file, place(element))

    def setting(self, element: etree._Element, name: str) -> Setting:
        """Return an attribute of an element as a setting."""
        return Setting(self.required(element, name), self.at(element))

    def settings_of(self, element: etree._Element) -> dict[str, Setting]:
        """Return all attributes of an element as settings."""
        at = self.at(element)
        return {str(name): Setting(str(text), at) for name, text in element.items()}
