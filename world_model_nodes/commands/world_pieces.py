# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model world pieces`: convex pieces of the hollow shapes of a virtual world."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from world_model_core.errors import ConfigurationError
from world_model_core.virtual_world.shapes.pieces import (
    cut_pieces,
    hollow_meshes,
    pieces_folder,
    read_pieces,
    write_pieces,
)
from world_model_nodes.commands.progress import counted
from world_model_nodes.commands.world_source import load_named_world

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from world_model_core.virtual_world.values import TriangleMesh


def make_pieces(path: Path, assets: Sequence[Path], *, as_json: bool) -> None:
    """
    Cut the hollow shapes whose pieces are not kept yet, and print the numbers of pieces.

    Raises
    ------
    ConfigurationError
        The folder of pieces cannot be written.
    MissingCoacdError
        CoACD is not installed, and there is something to cut.
    WorldFileError
        The world cannot be used.

    """
    world, _ = load_named_world(path, assets)
    folder, meshes = pieces_folder(path), tuple(hollow_meshes(world).values())
    shapes = [_keep(folder, mesh) for mesh in counted(meshes, len(meshes))]
    if as_json:
        sys.stdout.write(json.dumps({'folder': str(folder), 'shapes': shapes}) + '\n')
        return
    for shape in shapes:
        what = 'cut' if shape['cut'] else 'kept'
        text = f'{shape["digest"][:12]}: {shape["triangles"]} triangles, {shape["pieces"]} pieces'
        sys.stdout.write(f'{text} ({what})\n')
    sys.stdout.write(f'{len(shapes)} hollow shapes; their pieces are in {folder}\n')


def _keep(folder: Path, mesh: TriangleMesh) -> dict[str, Any]:
    """Cut a mesh unless its pieces are there; return what is printed of it."""
    pieces = read_pieces(folder, mesh)
    is_new = pieces is None
    if pieces is None:
        pieces = cut_pieces(mesh)
        try:
            write_pieces(folder, mesh, pieces)
        except OSError as error:
            raise ConfigurationError(f'{folder} cannot be written: {error.strerror}') from error
    return {
        'digest': mesh.digest,
        'triangles': len(mesh.triangles),
        'pieces': len(pieces),
        'cut': is_new,
    }
