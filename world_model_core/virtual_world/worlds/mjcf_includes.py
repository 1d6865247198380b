# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Includes of MJCF files, expanded as MuJoCo does: each file at most once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from world_model_core.files.file_findings import FileFindings
from world_model_core.virtual_world.xml_files import place, read_xml, tag_of

if TYPE_CHECKING:
    from pathlib import Path

    from lxml.etree import _Element as Element

    from world_model_core.virtual_world.asset_folders import AssetFolders

__all__ = ['IncludeExpander']


@dataclass(slots=True)
class IncludeExpander:
    """
    Replaces `include` elements by the content of their files.

    Attributes
    ----------
    folders : AssetFolders
        Folders in which the files must lie.
    notes : FileFindings
        Receives the findings.
    included : set of Path
        Files that were included. As in MuJoCo, each is included once: neither circles nor files
        that double each other are possible.

    """

    folders: AssetFolders
    notes: FileFindings
    included: set[Path] = field(default_factory=set)

    def expand(self, element: Element, base_folders: tuple[Path, ...] = ()) -> None:
        """
        Replace all includes below an element; names of elements become lower case.

        Parameters
        ----------
        element : Element
        base_folders : tuple of Path
            Folders to which paths are relative: that of the main file, then that of the file
            which contains the element.

        """
        waiting = [(element, base_folders)]
        while waiting:
            parent, folders = waiting.pop()
            parent.tag = tag_of(parent)
            children = [(child, folders) for child in parent]
            while children:
                child, folders = children.pop()
                if tag_of(child) == 'include':
                    children += self._include(parent, child, folders)
                elif tag_of(child):
                    waiting.append((child, folders))
                else:
                    parent.remove(child)

    def _include(
        self, parent: Element, include: Element, base_folders: tuple[Path, ...]
    ) -> list[tuple[Element, tuple[Path, ...]]]:
        """Replace an include by the children of its file's root; return them and their folders."""
        index = parent.index(include)
        parent.remove(include)
        named = include.get('file', '')
        path = self.folders.find(named, self.notes, place(include), base_folders=base_folders)
        if path is None:
            return []
        if path in self.included:
            self.notes.add('Mjcf.IncludedTwice', place(include), found=named)
            return []
        self.included.add(path)
        root = read_xml(path, FileFindings(named, self.notes.findings), strict=True)
        children = [] if root is None else list(root)
        parent[index:index] = children
        return [(child, (*base_folders[:1], path.parent)) for child in children]
