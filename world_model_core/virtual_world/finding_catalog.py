# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Codes and texts of the findings about world files, and the error that carries findings."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from world_model_core.findings import Findings, FindingsError, read_catalog

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.findings import Rule

__all__ = ['WorldFileError', 'catalog', 'world_findings']


class WorldFileError(FindingsError):
    """A world, or a part of it, cannot be used: its findings are the reasons."""


@cache
def catalog() -> Mapping[str, Rule]:
    """Return the rules of world files and of YAML and JSON files by their codes."""
    return read_catalog('world_model_core.files', 'world_model_core.virtual_world')


def world_findings() -> Findings:
    """Create an empty collection of findings about a world."""
    return Findings(catalog)
