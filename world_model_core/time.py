# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Times as integer nanoseconds and as seconds. The core never reads a clock: time is passed in."""

from __future__ import annotations

__all__ = ['NANOSECONDS_PER_SECOND', 'to_nanoseconds', 'to_seconds']

NANOSECONDS_PER_SECOND = 1_000_000_000


def to_seconds(nanoseconds: float) -> float:
    """Return a time or a duration in seconds."""
    return nanoseconds / NANOSECONDS_PER_SECOND


def to_nanoseconds(seconds: float) -> int:
    """Return a time or a duration in whole nanoseconds, rounded to the nearest."""
    return round(seconds * NANOSECONDS_PER_SECOND)
