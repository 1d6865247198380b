# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Senders that are allowed."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ['AllowedSenders']


@dataclass(frozen=True, slots=True)
class AllowedSenders:
    """
    Allowed senders of each channel.

    Parameters
    ----------
    vision, tracker, referee : str
        IPv4 addresses and networks, separated by commas; empty for all.

    """

    vision: str = ''
    tracker: str = ''
    referee: str = ''
