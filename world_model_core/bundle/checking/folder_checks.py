# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Checks of the folder: names, unlisted files, sizes, source and previews."""

from __future__ import annotations

import hashlib
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING

from world_model_core.bundle.bundle_paths import WORLD
from world_model_core.bundle.scene.manifest import EXTENSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.bundle.bundle_paths import BundlePaths
    from world_model_core.bundle.geometry.heightmap import Heightmap
    from world_model_core.bundle.geometry.mesh import Mesh
    from world_model_core.bundle.splats.splat_scan import SplatStatistics
    from world_model_core.bundle.values import Manifest, Metadata, RenderConfig
    from world_model_core.findings import Findings

# Limits of the contract for warnings: bytes, gaussians, nodes, triangles.
LARGEST_BUNDLE = 2 * 10**9
MOST_GAUSSIANS = 5_000_000
MOST_NODES = 4096**2
MOST_TRIANGLES = 10_000_000
# Maximum number of files that are checked for being listed.
MOST_FILES = 10_000
# Bytes read at once for a checksum.
BLOCK = 1 << 20
# Signatures of image and video formats: position and bytes.
PICTURES = {'PNG': (0, b'\x89PNG\r\n\x1a\n')}
FILMS = {
    'MP4': (4, b'ftyp'),
    'Matroska or WebM': (0, b'\x1aE\xdf\xa3'),
    'AVI': (8, b'AVI '),
}
# Values of gaussian_format by the format of the file.
FORMATS = {'ply': ('splat_ply', 'ply'), 'npz': ('splat_npz', 'npz')}


def folder_name(folder: Path, manifest: Manifest, findings: Findings) -> None:
    """Compare the name of the folder with scene_id."""
    name = folder.resolve().name
    if name != manifest.scene_id:
        findings.add('Bundle.FolderName', '', found=name, scene=manifest.scene_id)


def scene_ids(manifest: Manifest, metadata: Metadata, findings: Findings) -> None:
    """Compare scene_id of metadata.json with that of world.yaml."""
    if metadata.scene_id != manifest.scene_id:
        values = {'found': metadata.scene_id, 'manifest': manifest.scene_id}
        findings.add('Metadata.SceneIdMismatch', manifest.paths['metadata'], '/scene_id', **values)


def unlisted_files(folder: Path, manifest: Manifest, findings: Findings) -> None:
    """Report extensions, files that world.yaml does not list, and links among them."""
    listed = {WORLD, *manifest.paths.values(), *manifest.camera_previews}
    listed = {os.path.normpath(each) for each in listed}
    for name in EXTENSIONS:
        if (folder / name).is_dir():
            findings.add('Bundle.Extension', '', found=f'{name}/')
    names = sorted(name for name in _files(folder) if name not in listed)
    if names:
        findings.add('Bundle.Unlisted', '', count=len(names), found=', '.join(names))
    # Links of listed files are checked when they are followed.
    stray = [name for name in names if _leaves(folder, name)]
    if stray:
        findings.add('Bundle.StrayLink', stray[0], count=len(stray), found=', '.join(stray))


def total_size(places: BundlePaths, findings: Findings) -> None:
    """Report bundles that are larger than the limit."""
    total = sum(file_sizes(places).values())
    if total > LARGEST_BUNDLE:
        findings.add('Bundle.Large', '', found=total, limit=LARGEST_BUNDLE)


def splat_count(manifest: Manifest, splats: SplatStatistics, findings: Findings) -> None:
    """Report more gaussians than the limit."""
    if splats.count > MOST_GAUSSIANS:
        file = manifest.paths['gaussians/background']
        findings.add('Splats.Many', file, found=splats.count, limit=MOST_GAUSSIANS)


def splat_format(
    manifest: Manifest, render_config: RenderConfig, splats: SplatStatistics, findings: Findings
) -> None:
    """Compare gaussian_format with the format of the file."""
    declared_format = render_config.gaussian_format
    actual = FORMATS['npz' if splats.format.value == 'npz' else 'ply']
    others = {name for names in FORMATS.values() for name in names if names is not actual}
    if declared_format in others:
        values = {'found': declared_format, 'actual': actual[0]}
        values['splats'] = manifest.paths['gaussians/background']
        file = manifest.paths['gaussians/render_config']
        findings.add('RenderConfig.FormatMismatch', file, '/gaussian_format', **values)


def splat_degree(
    manifest: Manifest, render_config: RenderConfig, splats: SplatStatistics, findings: Findings
) -> None:
    """Compare sh_degree with the degree in the file."""
    declared, found = render_config.sh_degree, splats.sh_degree
    if declared != found:
        file = manifest.paths['gaussians/background']
        findings.add('Splats.ShDegree', file, found=found, degree=declared)


def heightmap_size(manifest: Manifest, heightmap: Heightmap, findings: Findings) -> None:
    """Report heightmaps that are larger than the limit."""
    if heightmap.heights.size > MOST_NODES:
        file = manifest.paths['geometry/heightmap']
        findings.add('Heightmap.Large', file, found=heightmap.heights.size, limit=MOST_NODES)


def mesh_size(manifest: Manifest, mesh: Mesh, findings: Findings) -> None:
    """Report meshes that are larger than the limit."""
    if len(mesh.faces) > MOST_TRIANGLES:
        file = manifest.paths['geometry/static_mesh']
        findings.add('Mesh.Large', file, found=len(mesh.faces), limit=MOST_TRIANGLES)


def previews(places: BundlePaths, findings: Findings) -> None:
    """Check that previews exist and are images and videos."""
    overview = places.find('preview/overview', findings)
    if overview is not None:
        _check_kind(overview, places.manifest.paths['preview/overview'], PICTURES, findings)
    for path in places.camera_previews(findings):
        file = path.relative_to(places.folder.resolve()).as_posix()
        _check_kind(path, file, FILMS, findings)


def source_file(places: BundlePaths, metadata: Metadata, findings: Findings) -> None:
    """Compare the source recording, if it is in the bundle, with its size and checksum."""
    source = metadata.source
    if source is None or not source.file:
        return
    path = _inside(places.folder, source.file)
    if path is None:
        return
    file, size = places.manifest.paths['metadata'], path.stat().st_size
    if source.size_bytes is not None and size != source.size_bytes:
        values = {'source': source.file, 'found': size, 'limit': source.size_bytes}
        findings.add('Metadata.SourceSizeMismatch', file, '/source/size_bytes', **values)
    elif source.md5 is not None and (md5 := _md5(path)) != source.md5.lower():
        values = {'source': source.file, 'found': md5, 'limit': source.md5}
        findings.add('Metadata.SourceMd5Mismatch', file, '/source/md5', **values)


def file_sizes(places: BundlePaths) -> dict[str, int]:
    """Return the sizes of existing listed files by name [bytes]."""
    manifest = places.manifest
    names = (WORLD, *manifest.paths.values(), *manifest.camera_previews)
    found = {name: _inside(places.folder, name) for name in names}
    return {name: path.stat().st_size for name, path in found.items() if path is not None}


def _inside(folder: Path, name: str) -> Path | None:
    """Find a regular file; return None if its path leaves the folder, without a finding."""
    root = folder.resolve()
    if '\0' in name or Path(name).is_absolute() or '..' in Path(name).parts:
        return None
    try:
        path = (root / name).resolve()
        return path if path.is_relative_to(root) and path.is_file() else None
    except (OSError, ValueError, RuntimeError):
        return None


def _files(folder: Path) -> Iterator[str]:
    """Return files and links in a folder, except hidden ones and extensions."""
    left = MOST_FILES
    for parent, folders, names in os.walk(folder):
        here = Path(parent).relative_to(folder)
        skipped = EXTENSIONS if here == Path() else ()
        folders[:] = sorted(each for each in folders if each[0] != '.' and each not in skipped)
        links = [each for each in folders if (Path(parent) / each).is_symlink()]
        shown = [each for each in (*names, *links) if each[0] != '.']
        yield from ((here / each).as_posix() for each in shown[:left])
        left -= len(shown)
        if left <= 0:
            return


def _leaves(folder: Path, name: str) -> bool:
    """Return whether a file is a link that leaves the bundle, without opening it."""
    path = folder / name
    return path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(folder.resolve())


def _check_kind(
    path: Path, file: str, kinds: dict[str, tuple[int, bytes]], findings: Findings
) -> None:
    with path.open('rb') as stream:
        start = stream.read(16)
    if not any(start[place:].startswith(mark) for place, mark in kinds.values()):
        values = {'found': start[:8].hex(' '), 'kinds': ', '.join(kinds)}
        findings.add('Preview.UnknownKind', file, 'byte 0', **values)


def _md5(path: Path) -> str:
    total = hashlib.md5(usedforsecurity=False)
    with path.open('rb') as stream:
        for _ in range(math.ceil(path.stat().st_size / BLOCK)):
            total.update(stream.read(BLOCK))
    return total.hexdigest()
