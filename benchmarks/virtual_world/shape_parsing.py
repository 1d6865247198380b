# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Speed of reading shape files: all VRML97 and X3D files of SIGVerse's archive.

The files are those in sigverse/sigverse.tar.gz of WORLD_MODEL_DATA. The baseline takes the tokens
of the VRML97 files one by one, number by number, and does nothing with them.
"""

from __future__ import annotations

import os
import re
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from benchmarks.timing import one_core, time_tasks
from world_model_core.virtual_world.asset_folders import AssetFolders
from world_model_core.virtual_world.finding_catalog import world_findings
from world_model_core.virtual_world.shapes.scene import (
    read_shape_file,
    shapes_of,
    triangle_count,
)
from world_model_core.virtual_world.shapes.vrml import TOKEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.virtual_world.values import Shape

ROUNDS = 5
DATA = Path(os.environ.get('WORLD_MODEL_DATA', '../shared/data'))
ARCHIVE = DATA / 'sigverse' / 'sigverse.tar.gz'
# For all files together [s].
TARGET = 5.0
# A token is a text, a mark, or a word or number.
PLAIN = re.compile(r'"[^"]*"|[\[\]{}]|[^\s,\[\]{}"#]+|#[^\n]*')


def measure(rounds: int = ROUNDS) -> dict[str, Any]:
    """Time reading of all files."""
    if not ARCHIVE.exists():
        sys.exit(f'no shape files at {ARCHIVE}; set WORLD_MODEL_DATA to the folder of sigverse/')
    with TemporaryDirectory() as name, one_core():
        folder = Path(name).resolve()
        with tarfile.open(ARCHIVE) as archive:
            members = [each for each in archive if each.isfile()]
            archive.extractall(folder, members, filter='data')
        return _measure(folder, rounds)


def _measure(folder: Path, rounds: int) -> dict[str, Any]:
    vrml, x3d = sorted(folder.rglob('*.wrl')), sorted(folder.rglob('*.x3d'))
    texts = [path.read_text(encoding='utf-8', errors='replace') for path in vrml]
    timings = time_tasks(
        {
            'single': lambda: [sum(1 for _ in PLAIN.finditer(text)) for text in texts],
            'tokens': lambda: [sum(1 for _ in TOKEN.finditer(text)) for text in texts],
            'vrml nodes': lambda: _nodes(vrml, folder),
            'x3d nodes': lambda: _nodes(x3d, folder),
            'shapes': lambda: _shapes([*vrml, *x3d], folder),
        },
        rounds,
    )
    shapes = _shapes([*vrml, *x3d], folder)
    return {
        'files': {'VRML97': len(vrml), 'X3D': len(x3d)},
        'megabytes': {'VRML97': _megabytes(vrml), 'X3D': _megabytes(x3d)},
        'shapes': len(shapes),
        'triangles': triangle_count(shapes),
        'CPU time, median [s]': {
            'tokens of VRML97 one by one': round(timings['single'].median, 3),
            'tokens of VRML97 with whole brackets': round(timings['tokens'].median, 3),
            'nodes of VRML97': round(timings['vrml nodes'].median, 3),
            'nodes of X3D': round(timings['x3d nodes'].median, 3),
            'nodes and shapes of all': round(timings['shapes'].median, 3),
        },
        'nodes of VRML97 / tokens one by one': round(
            timings['vrml nodes'].median / timings['single'].median, 2
        ),
        'target [s]': TARGET,
        'met': timings['shapes'].median <= TARGET,
    }


def _nodes(paths: Sequence[Path], folder: Path) -> None:
    for path in paths:
        read_shape_file(path, AssetFolders(folder), world_findings())


def _shapes(paths: Sequence[Path], folder: Path) -> list[Shape]:
    shapes: list[Shape] = []
    for path in paths:
        findings, folders = world_findings(), AssetFolders(folder)
        nodes = read_shape_file(path, folders, findings)
        shapes += shapes_of(nodes, path, folders, findings)
    return shapes


def _megabytes(paths: Sequence[Path]) -> float:
    return round(sum(path.stat().st_size for path in paths) / 1e6, 2)
