# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Copies of the example with faults, and small files with faults."""

from __future__ import annotations

import copy
import json
import os
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.validate import validate
from world_model_core.files.json_yaml_writer import json_text, yaml_text
from world_model_core.findings import LANGUAGES, Severity

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from world_model_core.findings import Finding, Findings

# Reported in addition to any fault that keeps a part from being read.
ALWAYS = {'Check.Skipped'}


@dataclass(frozen=True)
class Mutant:
    """A copy of the example in which a fault is made."""

    folder: Path

    def __truediv__(self, name: str) -> Path:
        """Return the path of a file in it."""
        return self.folder / name

    def write(self, name: str, content: bytes | str) -> None:
        """Replace a file, which is a link to the example's own until then."""
        path = self.folder / name
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    def edit(self, name: str, change: Callable[[Any], Any]) -> None:
        """Replace a YAML or JSON file by the result of a function of its content."""
        is_yaml = name.endswith('.yaml')
        document = (yaml.safe_load if is_yaml else json.loads)((self / name).read_text('utf-8'))
        changed = change(document)
        text = yaml_text if is_yaml else json_text
        self.write(name, text(document if changed is None else changed))

    def put(self, name: str, where: str, value: Any) -> None:
        """Replace a value of a YAML or JSON file, or add it."""

        def change(document: Any) -> None:
            here, key = _find(document, where)
            here[key] = value

        self.edit(name, change)

    def remove(self, name: str, where: str) -> None:
        """Remove a value of a YAML or JSON file."""

        def change(document: Any) -> None:
            here, key = _find(document, where)
            del here[key]

        self.edit(name, change)

    def findings(self) -> tuple[Finding, ...]:
        """Validate it."""
        return validate(self.folder).findings

    def must_show(
        self, code: str, *consequences: str, file: str | None = None, where: str = ''
    ) -> None:
        """
        Validate it, and compare the findings with the fault.

        Parameters
        ----------
        code : str
            Must be found, in `file` and at `where` or below.
        *consequences : str
            May be found as well. No other error or warning may be found.

        """
        found = self.findings()
        codes = {each.rule.code for each in found if each.rule.severity is not Severity.INFO}
        assert code in codes | {each.rule.code for each in found}, codes
        assert codes <= {code, *consequences, *ALWAYS}
        if file is not None:
            places = [(each.file, each.where) for each in found if each.rule.code == code]
            assert any(at == file and location.startswith(where) for at, location in places), (
                places
            )


def _find(document: Any, where: str) -> tuple[Any, str | int]:
    """Find the container of the value at a JSON pointer, and its key there."""
    *path, last = (int(key) if key.isdigit() else key for key in where.split('/')[1:])
    for key in path:
        document = document[key]
    return document, last


@pytest.fixture
def mutant(example_folder, tmp_path) -> Mutant:
    """Copy the example; files are links until they are replaced."""
    folder = tmp_path / example_folder.name
    shutil.copytree(example_folder, folder, copy_function=os.link)
    return Mutant(folder)


GONE = object()


@dataclass(frozen=True)
class SmallFile:
    """
    A kind of small file.

    Attributes
    ----------
    reader : callable
        Like read_metadata.
    name : str
        Its suffix determines the format.
    valid : dict
        A document without findings.
    folder : Path
        Folder in which it is written.

    """

    reader: Callable[..., Any]
    name: str
    valid: dict[str, Any]
    folder: Path

    def read(self, content: Any) -> tuple[Any, list[tuple[str, str]]]:
        """Read a document, a text or bytes; return the value, and codes and places of findings."""
        path = self.folder / self.name
        if isinstance(content, dict | list):
            dump = json.dumps if self.name.endswith('json') else yaml.safe_dump
            content = dump(content)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        findings = bundle_findings()
        value = self.reader(path, self.name, findings)
        assert (value is None) == bool(findings.errors), 'a value, or why there is none'
        assert all(each.file == self.name for each in findings.all)
        return value, describe(findings)

    def read_changed(self, pointer: str, item: Any) -> tuple[Any, list[tuple[str, str]]]:
        """Read the valid document with another value at a pointer, or without it if GONE."""
        return self.read(changed(self.valid, pointer, item))


def describe(findings: Findings) -> list[tuple[str, str]]:
    """List codes and places of the findings, and render each in each language."""
    for each in findings.all:
        for language in LANGUAGES:
            # A text with a value that the finding lacks raises KeyError.
            assert all((each.message(language), each.expected(language), each.remedy(language)))
    return [(each.rule.code, each.where) for each in findings.all]


def changed(document: Any, pointer: str, item: Any) -> Any:
    """Set an item at a pointer of a copy of a document."""
    if not pointer:
        return item
    document = copy.deepcopy(document)
    *above, last = [int(key) if key.isdigit() else key for key in pointer[1:].split('/')]
    place = document
    for key in above:
        place = place[key]
    if item is GONE:
        del place[last]
    else:
        place[last] = item
    return document


@pytest.fixture
def small_file(tmp_path: Path) -> Callable[..., SmallFile]:
    """Return a factory of small files from a reader, a name and a valid document."""

    def make(reader: Callable[..., Any], name: str, valid: dict[str, Any]) -> SmallFile:
        return SmallFile(reader, name, valid, tmp_path)

    return make


@pytest.fixture
def gone() -> object:
    """Return the mark of a member that is removed."""
    return GONE
