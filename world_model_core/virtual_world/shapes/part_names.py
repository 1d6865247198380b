# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Names of parts, joints and entities, which must be unique and not empty."""

from __future__ import annotations

from itertools import count

__all__ = ['UniqueNames']


class UniqueNames:
    """
    Names that are taken.

    Parameters
    ----------
    fallback : str
        Replaces empty names.

    """

    def __init__(self, fallback: str) -> None:
        self._fallback = fallback
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}

    def take(self, name: str) -> str:
        """Return a name that is not taken: `name`, or the name with the first free number."""
        wanted = name or self._fallback
        chosen = wanted
        if chosen in self._taken:
            numbers = count(self._next.get(wanted, 2))
            chosen = next(each for n in numbers if (each := f'{wanted}_{n}') not in self._taken)
            self._next[wanted] = int(chosen.rpartition('_')[2])
        self._taken.add(chosen)
        return chosen
