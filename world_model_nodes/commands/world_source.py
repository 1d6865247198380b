# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Loading of the world that a command names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.virtual_world.finding_catalog import world_findings
from world_model_core.virtual_world.worlds.loading import WorldSources, load_world
from world_model_nodes.virtual_world.installed_packages import installed_packages
from world_model_nodes.virtual_world.our_worlds import HOUSE, KITCHEN, load_ours

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from world_model_core.findings import Findings
    from world_model_core.virtual_world.values import World


def load_named_world(path: Path, assets: Sequence[Path], seed: int = 1) -> tuple[World, Findings]:
    """
    Load a world whose files lie in its folder, in `assets` or in installed ROS packages.

    Parameters
    ----------
    path : Path
        A file, `house` or `kitchen`.
    assets : sequence of Path
    seed : int
        Of a house.

    Raises
    ------
    WorldFileError
        The world cannot be used.

    """
    sources = WorldSources(tuple(assets), installed_packages())
    if str(path) in {HOUSE, KITCHEN} and not path.exists():
        return load_ours(str(path), seed, sources), world_findings()
    return load_world(path, sources)
