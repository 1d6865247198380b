# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Time to load worlds: the example kitchen, and all worlds of SIGVerse's archive.

The archive is sigverse/sigverse.tar.gz of WORLD_MODEL_DATA. Each world is loaded from its files,
for the first time and again; the physics is not compiled.
"""

from __future__ import annotations

import os
import re
import tarfile
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from benchmarks.timing import one_core
from world_model_core.virtual_world.finding_catalog import WorldFileError
from world_model_core.virtual_world.shapes.scene import triangle_count
from world_model_core.virtual_world.worlds.loading import WorldSources, load_world

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT = Path(__file__).resolve().parents[2]
KITCHEN = PROJECT / 'worlds/kitchen/kitchen.xml'
DATA = Path(os.environ.get('WORLD_MODEL_DATA', PROJECT.parent / 'shared' / 'data'))
ARCHIVE = DATA / 'sigverse' / 'sigverse.tar.gz'
WORLD = re.compile(rb'<world\b')
# Bytes of a file in which its root must begin.
SEARCHED = 10_000


def measure() -> dict[str, Any]:
    """Load the kitchen, and the original worlds if there are any."""
    with one_core():
        results: dict[str, Any] = {'kitchen': _load(KITCHEN)}
        if ARCHIVE.exists():
            results['originals'] = _originals()
    return results


def _originals() -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        with tarfile.open(ARCHIVE) as archive:
            archive.extractall(folder, [each for each in archive if each.isfile()], filter='data')
        loaded = {path.name: _load(path) for path in _worlds(Path(folder))}
    rejected = [name for name, each in loaded.items() if 'rejected' in each]
    largest = max(loaded, key=lambda name: loaded[name].get('triangles', 0))
    return {
        'worlds': len(loaded),
        'rejected': rejected,
        'largest': {'name': largest, **loaded[largest]},
    }


def _worlds(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob('*.xml')):
        if WORLD.search(path.read_bytes()[:SEARCHED]):
            yield path


def _load(path: Path) -> dict[str, Any]:
    """Load a world twice; return its size and the CPU times."""
    times = []
    for _ in range(2):
        start = time.process_time()
        try:
            world, findings = load_world(path, WorldSources())
        except WorldFileError as error:
            return {'rejected': str(error)}
        times.append(time.process_time() - start)
    parts = [part for entity in world.entities for part in entity.parts]
    return {
        'entities': len(world.entities),
        'triangles': sum(triangle_count(part.shapes) for part in parts),
        'findings': len(findings.all),
        'first time [s]': times[0],
        'again [s]': times[1],
    }
