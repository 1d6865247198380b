# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Reservation of ids in blocks."""

from __future__ import annotations

# Ids that are lost at most when a process dies.
BLOCK = 1000


def reserve_ids(next_id: int, count: int, reserved: int) -> int:
    """
    Return the number below which ids must be reserved on disk before more are given.

    Parameters
    ----------
    next_id : int
        Number of the next id.
    count : int
        Maximum number of ids that will be given.
    reserved : int
        Number below which ids are reserved now.

    Returns
    -------
    int
        `reserved` if that is enough.

    """
    needed = next_id + count
    return reserved if needed <= reserved else needed + BLOCK
