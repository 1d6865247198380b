# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The valid example in a folder, and copies of it to be broken."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from world_model_core.bundle.files.texts import json_text, yaml_text
from world_model_core.bundle.findings import Severity
from world_model_core.bundle.validate import validate
from world_model_core.bundle.writing import write
from world_model_core.examples.village.example import example_bundle

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from world_model_core.bundle.findings import Finding

# Told beside any fault that keeps a part from being read.
ALWAYS = {'Check.Skipped'}


@pytest.fixture(scope='session')
def example_folder(tmp_path_factory) -> Path:
    """Write the example bundle; nobody may change it."""
    bundle = example_bundle()
    folder = tmp_path_factory.mktemp('worlds') / bundle.manifest.scene_id
    write(bundle, folder)
    return folder


@dataclass(frozen=True)
class Mutant:
    """A copy of the example in which something is to be wrong."""

    folder: Path

    def __truediv__(self, name: str) -> Path:
        """Name a file in it."""
        return self.folder / name

    def write(self, name: str, content: bytes | str) -> None:
        """Replace a file, of which the example's own is the same until then."""
        path = self.folder / name
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    def edit(self, name: str, change: Callable[[Any], Any]) -> None:
        """Replace a YAML or JSON file by what a function makes of what it says."""
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

    def must_show(self, code: str, *beside: str, file: str | None = None, where: str = '') -> None:
        """
        Validate it, and hold what is found to what is wrong.

        Parameters
        ----------
        code : str
            Must be found, in `file` and at `where` or below.
        *beside : str
            May be found as well, as it follows from what is wrong. No other error may be, and no
            other warning.

        """
        found = self.findings()
        told = {each.rule.code for each in found if each.rule.severity is not Severity.INFO}
        assert code in told | {each.rule.code for each in found}, told
        assert told <= {code, *beside, *ALWAYS}
        if file is not None:
            places = [(each.file, each.where) for each in found if each.rule.code == code]
            assert any(at == file and spot.startswith(where) for at, spot in places), places


def _find(document: Any, where: str) -> tuple[Any, str | int]:
    """Find what holds the value at a JSON pointer, and its key there."""
    *way, last = (int(key) if key.isdigit() else key for key in where.split('/')[1:])
    for key in way:
        document = document[key]
    return document, last


@pytest.fixture
def mutant(example_folder, tmp_path) -> Mutant:
    """Copy the example; files are the same on disk until they are replaced."""
    folder = tmp_path / example_folder.name
    shutil.copytree(example_folder, folder, copy_function=os.link)
    return Mutant(folder)
