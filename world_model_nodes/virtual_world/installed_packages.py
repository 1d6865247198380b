# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Folders of the installed ROS packages, in which files of worlds may lie."""

from __future__ import annotations

from pathlib import Path

from ament_index_python.packages import get_packages_with_prefixes


def installed_packages() -> dict[str, Path]:
    """Return the share folder of each installed package."""
    prefixes = get_packages_with_prefixes()
    return {name: Path(prefix, 'share', name) for name, prefix in prefixes.items()}
