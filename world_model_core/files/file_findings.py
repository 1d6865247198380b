# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Findings about one file, limited in number."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from world_model_core.findings import read_catalog

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.findings import Findings, Rule

__all__ = ['FileFindings', 'file_catalog']

# Findings with one code in one file: a hostile file may break a rule a million times.
MOST_PER_CODE = 50


@cache
def file_catalog() -> Mapping[str, Rule]:
    """Return the rules of YAML and JSON files by their codes."""
    return read_catalog('world_model_core.files')


@dataclass(slots=True)
class FileFindings:
    """
    Collects the findings about one file.

    Attributes
    ----------
    file : str
        Path relative to the folder that is read, or a name.
    findings : Findings
        Collection to which findings are added.
    errors : int
        Number of errors in this file, plus the number of uses of values that are unusable because
        of an error.

    """

    file: str
    findings: Findings
    errors: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, code: str, where: str = '', **values: Any) -> bool:
        """Add a finding, unless there are many with its code; return whether it is an error."""
        is_error = self.findings.is_error(code)
        self.errors += is_error
        self.counts[code] += 1
        if self.counts[code] <= MOST_PER_CODE:
            self.findings.add(code, self.file, where, **values)
        return is_error
