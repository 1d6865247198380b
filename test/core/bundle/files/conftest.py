# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Small files of a bundle, with single faults in them, and what is found in them."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from world_model_core.bundle.findings import LANGUAGES, Findings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GONE = object()


@dataclass(frozen=True)
class SmallFile:
    """
    A kind of small file.

    Attributes
    ----------
    reader : callable
        As read_metadata.
    name : str
        Its suffix decides how it is written.
    valid : dict
        A document in which nothing is to be found.
    folder : Path
        Where it is written.

    """

    reader: Callable[..., Any]
    name: str
    valid: dict[str, Any]
    folder: Path

    def read(self, content: Any) -> tuple[Any, list[tuple[str, str]]]:
        """Read a document, a text or bytes: the value, and codes and places of the findings."""
        path = self.folder / self.name
        if isinstance(content, dict | list):
            dump = json.dumps if self.name.endswith('json') else yaml.safe_dump
            content = dump(content)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        findings = Findings()
        value = self.reader(path, self.name, findings)
        assert (value is None) == bool(findings.errors), 'a value, or why there is none'
        assert all(each.file == self.name for each in findings.all)
        return value, tell(findings)

    def read_changed(self, pointer: str, item: Any) -> tuple[Any, list[tuple[str, str]]]:
        """Read the valid document with another value at a pointer, or without it if GONE."""
        return self.read(changed(self.valid, pointer, item))


def tell(findings: Findings) -> list[tuple[str, str]]:
    """List codes and places of what was found, each of which can be told in each language."""
    for each in findings.all:
        for language in LANGUAGES:
            # A text that speaks of a value that the finding lacks raises KeyError.
            assert all((each.message(language), each.expected(language), each.remedy(language)))
    return [(each.rule.code, each.where) for each in findings.all]


def changed(document: Any, pointer: str, item: Any) -> Any:
    """Put an item at a pointer of a copy of a document."""
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
    """Make a kind of small file of a reader, a name and a valid document."""

    def make(reader: Callable[..., Any], name: str, valid: dict[str, Any]) -> SmallFile:
        return SmallFile(reader, name, valid, tmp_path)

    return make


@pytest.fixture
def gone() -> object:
    """Stand for a member that is to be missing."""
    return GONE
