# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The units of the wire, and the way to ours."""

from __future__ import annotations

MM = 1000.0  # in a metre
US = 1_000_000  # in a second


def nanoseconds(seconds: float) -> int:
    """
    Turn a time into integers.

    A double holds today's unix time to 0.24 us only, so no sender means less than microseconds.
    """
    return round(seconds * US) * 1000
