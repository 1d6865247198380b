# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Bundles into folders: as a whole or not at all, and only such as can be loaded again."""

from __future__ import annotations

import os
import secrets
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
from world_model_core.files.json_yaml_writer import json_text, yaml_text

if TYPE_CHECKING:
    from world_model_core.bundle.bundle import WorldBundle

__all__ = ['WriteError', 'write']


class WriteError(WorldModelError):
    """A bundle cannot be written: the disk's fault, or the path's."""


def write(bundle: WorldBundle, folder: Path | str, *, overwrite: bool = False) -> None:
    """
    Write a bundle, so that whoever reads or crashes sees it whole or not at all.

    It is written beside the folder, to the disk, loaded again, and renamed. Files that the
    manifest does not name are no part of a bundle: they are not in the new one.

    Parameters
    ----------
    bundle : WorldBundle
        All of it is read.
    folder : Path or str
        Not there yet or empty, or a bundle that is to be replaced; the folder around it must be
        there.
    overwrite : bool
        Replace the bundle that is there.

    Raises
    ------
    BundleError
        A part of it cannot be read, or could not be read again.
    WriteError
        Something is there, or it cannot be written.

    """
    target = Path(os.path.realpath(folder))
    temporary = _beside(target)
    try:
        _check_free(target, overwrite=overwrite)
        temporary.mkdir()
        _write_files(bundle, temporary)
        _read_all(load(temporary))
        _sync(temporary)
        _put(temporary, target)
        _sync_entry(target.parent)
    except OSError as error:
        raise WriteError(f'{folder}: {error}') from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _check_free(target: Path, *, overwrite: bool) -> None:
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return
    if not (target / WORLD).is_file():
        raise WriteError(f'{target} is there, and is no bundle: it is not replaced')
    if not overwrite:
        raise WriteError(f'{target} is there: a bundle is replaced only when that is asked for')


def _beside(target: Path) -> Path:
    return target.with_name(f'.{target.name}.{secrets.token_hex(4)}')


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
    Make the folders of all files; return where each file goes.

    By the place in world.yaml, for previews by their paths.
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
    """Refuse two parts in one file, though they may be read from one."""
    seen: set[Path] = set()
    for path in paths:
        if path in seen:
            raise WriteError(f'world.yaml names {path.name} for two parts: they cannot be written')
        seen.add(path)


def _read_all(bundle: WorldBundle) -> None:
    for part in PARTS:
        getattr(bundle, part)


def _put(temporary: Path, target: Path) -> None:
    """Rename; what was there is put aside until the new bundle is in its place."""
    if not target.exists() or not any(target.iterdir()):
        temporary.rename(target)
        return
    aside = _beside(target)
    target.rename(aside)
    try:
        temporary.rename(target)
    except OSError:
        aside.rename(target)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _sync(folder: Path) -> None:
    """Have all files, and the folders' entries of them, on the disk."""
    for root, _, names in os.walk(folder):
        for name in names:
            _sync_entry(Path(root, name))
        _sync_entry(Path(root))


def _sync_entry(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
