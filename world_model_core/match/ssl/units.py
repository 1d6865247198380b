# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion from the units of the league's messages to SI units."""

from __future__ import annotations

MM = 1000.0  # millimeters per meter
US = 1_000_000  # microseconds per second


def nanoseconds(seconds: float) -> int:
    """
    Convert a Unix time [s] to nanoseconds, rounded to microseconds.

    A double has a resolution of 0.24 us for current Unix times.
    """
    return round(seconds * US) * 1000
