# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Class files of a world, each read once, with the classes that they inherit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from world_model_core.files.file_findings import FileFindings
from world_model_core.virtual_world.worlds.sigverse_builtin import BUILTIN, ENTITY
from world_model_core.virtual_world.worlds.sigverse_class_files import read_class_document

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from world_model_core.findings import Findings
    from world_model_core.virtual_world.asset_folders import AssetFolders
    from world_model_core.virtual_world.worlds.sigverse_documents import (
        AttributeDeclaration,
        ClassDocument,
        Setting,
        WrittenAt,
    )

__all__ = ['MOST_CLASSES', 'ClassLibrary', 'EntityClass', 'WorldFiles']

# Classes, or worlds, that inherit one another; the originals have up to 3.
MOST_CLASSES = 100


@dataclass(slots=True)
class WorldFiles:
    """
    The files of a world, and the findings about each.

    Attributes
    ----------
    folders : AssetFolders
    findings : Findings

    """

    folders: AssetFolders
    findings: Findings
    _notes: dict[str, FileFindings] = field(default_factory=dict)

    def notes(self, file: str) -> FileFindings:
        """Return the findings about a file."""
        return self._notes.setdefault(file, FileFindings(file, self.findings))

    def report(self, code: str, setting: Setting, **values: object) -> None:
        """Add a finding about the text of a setting."""
        at = setting.at
        self.notes(at.file).add(code, at.where, found=setting.text, **values)

    def find(self, named: str, at: WrittenAt, missing: str) -> Path | None:
        """Find a file that is named at a place; see `AssetFolders.find`."""
        return self.folders.find(named, self.notes(at.file), at.where, missing=missing)


@dataclass(frozen=True, slots=True)
class EntityClass:
    """
    A class with those that it inherits.

    Attributes
    ----------
    documents : tuple of ClassDocument
        The base class first.

    """

    documents: tuple[ClassDocument, ...]

    @property
    def name(self) -> str:
        """Name of the class itself."""
        return self.documents[-1].name

    @property
    def base_name(self) -> str:
        """Name of the class that it inherits directly, or empty."""
        return self.documents[-2].name if len(self.documents) > 1 else ''

    @property
    def declarations(self) -> dict[str, AttributeDeclaration]:
        """The attributes of its entities."""
        return {
            name: declared
            for each in (ENTITY, *self.documents)
            for name, declared in each.declarations.items()
        }

    @property
    def settings(self) -> dict[str, Setting]:
        """Values of the attributes, by which classes replace defaults of those they inherit."""
        merged: dict[str, Setting] = {}
        for each in (ENTITY, *self.documents):
            for name, declared in each.declarations.items():
                merged.pop(name, None)
                if declared.value is not None:
                    merged[name] = declared.value
            merged.update(each.settings)
        return merged


@dataclass(slots=True)
class ClassLibrary:
    """
    Reads classes.

    Attributes
    ----------
    files : WorldFiles

    """

    files: WorldFiles
    _documents: dict[str, ClassDocument | None] = field(default_factory=dict)
    _classes: dict[str, EntityClass | None] = field(default_factory=dict)

    def read(self, file: str, at: WrittenAt) -> EntityClass | None:
        """
        Read a class and those that it inherits.

        Parameters
        ----------
        file : str
        at : WrittenAt
            Where it is named.

        Returns
        -------
        EntityClass or None
            None, with a finding, if one of the files cannot be read or inherits itself.

        """
        if file not in self._classes:
            documents = self._chain(file, at)
            found = None if documents is None else EntityClass(tuple(documents))
            if found is not None:
                self._check(found)
            self._classes[file] = found
        return self._classes[file]

    def _check(self, found: EntityClass) -> None:
        """Report settings of attributes that no class declares."""
        for document in found.documents:
            for name in document.settings.keys() - found.declarations.keys():
                at = document.settings[name].at
                self.files.notes(at.file).add('Sigverse.UndeclaredAttribute', at.where, found=name)

    def _chain(self, file: str, at: WrittenAt) -> Sequence[ClassDocument] | None:
        """Follow the inheritance; return the documents, the base class first."""
        chain: list[ClassDocument] = []
        visited: list[str] = []
        while file:
            if file in visited or len(visited) >= MOST_CLASSES:
                names = ' > '.join((*visited[:5], file))
                self.files.notes(at.file).add('Sigverse.InheritanceLoop', at.where, found=names)
                return None
            visited.append(file)
            document = self._document(file, at)
            if document is None:
                return None
            chain.append(document)
            file, at = document.inherit, document.at
        return chain[::-1]

    def _document(self, file: str, at: WrittenAt) -> ClassDocument | None:
        if file not in self._documents:
            self._documents[file] = self._read(file, at)
        return self._documents[file]

    def _read(self, file: str, at: WrittenAt) -> ClassDocument | None:
        missing = 'Sigverse.BuiltinClass' if file in BUILTIN else 'Sigverse.ClassMissing'
        path = self.files.find(file, at, missing)
        if path is None:
            return BUILTIN.get(file)
        return read_class_document(path, self.files.notes(file))
