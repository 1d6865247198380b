# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Tables whose keys come from the network, and which therefore have a capacity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable

__all__ = ['make_room']

Key = TypeVar('Key', bound='Hashable')


def make_room(table: dict[Key, Any], key: Key, capacity: int) -> None:
    """
    Remove the oldest entry of a table if it is full and a key is new.

    Parameters
    ----------
    table : dict
        In the order in which its entries were added.
    key : hashable
        Key of the next entry.
    capacity : int
        Largest number of entries.

    """
    if key not in table and len(table) >= capacity:
        del table[next(iter(table))]
