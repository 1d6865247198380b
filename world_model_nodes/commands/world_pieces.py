# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model world pieces`: convex pieces of the hollow things in a world."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from world_model_core.errors import WorldModelError
from world_model_core.virtual_world.shapes.pieces import (
    cut_pieces,
    hollow_meshes,
    read_pieces,
    write_pieces,
)
from world_model_core.virtual_world.worlds.loading import WorldSources, load_world
from world_model_nodes.commands.progress import counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def make_pieces(path: Path, assets: Sequence[Path]) -> None:
    """
    Cut what is hollow in a world and has no pieces yet, and keep the pieces beside the world.

    Raises
    ------
    WorldFileError
        The world cannot be used.
    MissingCoacdError
        CoACD is not installed.
    WorldModelError
        The pieces cannot be written.

    """
    world, _ = load_world(path, WorldSources(assets=tuple(assets)))
    folder = path.absolute().parent
    hollow = hollow_meshes(world)
    missing = [mesh for mesh in hollow.values() if read_pieces(folder, mesh) is None]
    for mesh in counted(missing, len(missing)):
        found = cut_pieces(mesh)
        try:
            write_pieces(folder, mesh, found)
        except OSError as error:
            raise WorldModelError(f'pieces cannot be kept in {folder}: {error}') from error
    sys.stdout.write(f'{len(hollow)} hollow shapes, {len(missing)} of them cut now\n')
