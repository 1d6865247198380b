# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Writing of bundles: atomically, and only if the result can be loaded."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from world_model_core.bundle.bundle import PARTS
from world_model_core.bundle.bundle_paths import WORLD, find_file
from world_model_core.bundle.finding_catalog import BundleError, bundle_findings
from world_model_core.bundle.geometry.drivable_geojson import write_drivable
from world_model_core.bundle.geometry.glb_writer import write_mesh
from world_model_core.bundle.geometry.heightmap_files import write_heightmap
from world_model_core.bundle.loading import load
from world_model_core.bundle.scene.file_documents import (
    calibration_document,
    manifest_document,
    metadata_document,
    render_config_document,
    tf_static_document,
    timebase_document,
)
from world_model_core.bundle.splats.splat_writer import write_npz, write_ply
from world_model_core.errors import WorldModelError
from world_model_core.files.atomic_write import sync, temporary_path
from world_model_core.files.json_yaml_writer import json_text, yaml_text

if TYPE_CHECKING:
    from world_model_core.bundle.bundle import WorldBundle

__all__ = ['WriteError', 'write']


class WriteError(WorldModelError):
    """A bundle cannot be written because of the disk or the path."""


def write(bundle: WorldBundle, folder: Path | str, *, overwrite: bool = False) -> None:
    """
    Write a bundle atomically.

    The bundle is written to a temporary folder next to the target, loaded, flushed to the disk and
    renamed. Files that the manifest does not list are not copied.

    Parameters
    ----------
    bundle : WorldBundle
        All its parts are read.
    folder : Path or str
        Must not exist, be empty, or be a bundle to replace; its parent must exist.
    overwrite : bool
        Replace an existing bundle.

    Raises
    ------
    BundleError
        A part cannot be read, or the written one cannot be loaded.
    WriteError
        The target exists, or cannot be written.

    """
    target = Path(os.path.realpath(folder))
    temporary = temporary_path(target)
    try:
        _check_free(target, overwrite=overwrite)
        temporary.mkdir()
        _write_files(bundle, temporary)
        _read_all(load(temporary))
        _sync(temporary)
        _put(temporary, target)
        sync(target.parent)
    except OSError as error:
        raise WriteError(f'{folder}: {error}') from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _check_free(target: Path, *, overwrite: bool) -> None:
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return
    if not (target / WORLD).is_file():
        raise WriteError(f'{target} exists and is not a bundle: it is not replaced')
    if not overwrite:
        raise WriteError(f'{target} exists: use overwrite=True to replace a bundle')


def _write_files(bundle: WorldBundle, folder: Path) -> None:
    paths = _places(bundle, folder)
    texts = {
        'metadata': json_text(metadata_document(bundle.metadata)),
        'gaussians/render_config': json_text(render_config_document(bundle.render_config)),
        'sensors/calibration': yaml_text(calibration_document(bundle.calibration)),
        'sensors/tf_static': json_text(tf_static_document(bundle.tf_static)),
        'sim/timebase': yaml_text(timebase_document(bundle.timebase)),
    }
    for place, text in texts.items():
        paths[place].write_text(text, encoding='utf-8')
    splats = paths['gaussians/background']
    (write_npz if splats.suffix.lower() == '.npz' else write_ply)(splats, bundle.splats)
    meta = paths['geometry/heightmap_meta']
    write_heightmap(paths['geometry/heightmap'], meta, bundle.heightmap)
    write_drivable(paths['geometry/drivable'], bundle.drivable)
    if bundle.static_mesh is not None:
        write_mesh(paths['geometry/static_mesh'], bundle.static_mesh)
    for name, content in bundle.previews.items():
        paths[name].write_bytes(content)
    text = yaml_text(manifest_document(bundle.manifest))
    (folder / WORLD).write_text(text, encoding='utf-8')


def _places(bundle: WorldBundle, folder: Path) -> dict[str, Path]:
    """
    Create the folders of all files, and return the paths of the files.

    Keys are places in world.yaml, and paths for previews.
    """
    previews = {name: name for name in bundle.previews}
    named = {**bundle.manifest.paths, **previews}
    findings = bundle_findings()
    for relative in named.values():
        find_file(folder, relative, findings)
    faults = [each for each in findings.errors if each.rule.code != 'Bundle.FileMissing']
    if faults:
        raise BundleError(tuple(faults))
    places = {place: folder / relative for place, relative in named.items()}
    _check_apart(folder / WORLD, *(places[place] for place in bundle.manifest.paths))
    for path in places.values():
        path.parent.mkdir(parents=True, exist_ok=True)
    return places


def _check_apart(*paths: Path) -> None:
    """Raise an error if two parts have the same file, which is allowed only for reading."""
    seen: set[Path] = set()
    for path in paths:
        if path in seen:
            raise WriteError(f'world.yaml lists {path.name} for two parts: they cannot be written')
        seen.add(path)


def _read_all(bundle: WorldBundle) -> None:
    for part in PARTS:
        getattr(bundle, part)


def _put(temporary: Path, target: Path) -> None:
    """Rename the new bundle; keep the old one until the new one is in place."""
    if not target.exists() or not any(target.iterdir()):
        temporary.rename(target)
        return
    aside = temporary_path(target)
    target.rename(aside)
    try:
        temporary.rename(target)
    except OSError:
        aside.rename(target)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _sync(folder: Path) -> None:
    """Flush all files and folder entries to the disk."""
    for root, _, names in os.walk(folder):
        for name in names:
            sync(Path(root, name))
        sync(Path(root))
