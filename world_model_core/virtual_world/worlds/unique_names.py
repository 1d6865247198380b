# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Names of entities that are unique and contain no "/"."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ['unique_names']


def unique_names(wanted: Iterable[str]) -> list[str]:
    """
    Make names unique: "cup", "cup", "a/b" become "cup", "cup 2", "a_b".

    Parameters
    ----------
    wanted : iterable of str
        Names in files; an empty one becomes "entity".

    """
    taken: set[str] = set()
    numbers: dict[str, int] = {}
    names = []
    for each in wanted:
        stem = each.replace('/', '_') or 'entity'
        name = stem
        while name in taken:
            numbers[stem] = numbers.get(stem, 1) + 1
            name = f'{stem} {numbers[stem]}'
        taken.add(name)
        names.append(name)
    return names
