# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Files that MJCF and URDF files name, read and checked before MuJoCo sees them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from world_model_core.files.parsed_document import read_bytes
from world_model_core.virtual_world.pictures import read_picture
from world_model_core.virtual_world.worlds.mesh_files import (
    MESH_SUFFIXES,
    MeshFileError,
    count_cells,
    count_triangles,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from world_model_core.files.file_findings import FileFindings
    from world_model_core.virtual_world.asset_folders import AssetFolders
    from world_model_core.virtual_world.worlds.model_limits import ModelLimits

__all__ = ['ModelAssets']

# 200,000 triangles in the text of an OBJ file have about 20 MB [bytes].
LARGEST = 64 * 2**20
# Cells of one field of heights.
MOST_CELLS = 4096**2


class ModelAssets:
    """
    Contents of the files that a model names, by keys made from the contents.

    Parameters
    ----------
    folders : AssetFolders
    limits : ModelLimits

    Attributes
    ----------
    contents : dict of str to bytes
        A key is a part of the SHA-256 of the content and the suffix by which MuJoCo knows the
        format. It has no folder, so that it never names a file.

    """

    def __init__(self, folders: AssetFolders, limits: ModelLimits) -> None:
        self.contents: dict[str, bytes] = {}
        self._folders = folders
        self._limits = limits
        self._triangles = 0

    def mesh(
        self,
        named: str,
        base_folders: Sequence[Path],
        notes: FileFindings,
        where: str,
        *,
        missing: str = 'WorldFile.FileMissing',
        unsupported: str = 'Model.MeshUnsupported',
    ) -> str | None:
        """Read a mesh; return its key, or None and a finding."""
        suffix = next((each for each in MESH_SUFFIXES if named.lower().endswith(each)), None)
        if suffix is None:
            notes.add(unsupported, where, found=named)
            return None
        data = self._read(named, base_folders, notes, where, missing)
        if data is None:
            return None
        triangles = self._count(lambda: count_triangles(data, suffix), named, notes, where)
        if triangles is None or not self.add_shape(triangles, named, notes, where):
            return None
        return self._keep(data, suffix)

    def texture(
        self, named: str, base_folders: Sequence[Path], notes: FileFindings, where: str
    ) -> str | None:
        """Read a picture; return its key, or None and a finding."""
        data = self._read(named, base_folders, notes, where)
        picture = None if data is None else read_picture(data, named, notes, where)
        return None if picture is None else self._keep(picture, '.png')

    def heights(
        self, named: str, base_folders: Sequence[Path], notes: FileFindings, where: str
    ) -> str | None:
        """Read a field of heights; return its key, or None and a finding."""
        data = self._read(named, base_folders, notes, where)
        suffix = '.png' if named.lower().endswith('.png') else '.heights'
        if data is not None and suffix == '.png':
            data = read_picture(data, named, notes, where)
        if data is None:
            return None
        cells = self._count(lambda: count_cells(data), named, notes, where)
        if cells is None or not self.add_heights(cells, named, notes, where):
            return None
        return self._keep(data, suffix)

    def add_shape(self, triangles: int, named: str, notes: FileFindings, where: str) -> bool:
        """Count the triangles of a shape; return whether they are within the limits."""
        limit = self._limits.shape_triangles
        if triangles > limit:
            notes.add('Model.ShapeTooLarge', where, found=named, count=triangles, limit=limit)
            return False
        return self._add_triangles(triangles, notes, where)

    def add_heights(self, cells: int, named: str, notes: FileFindings, where: str) -> bool:
        """Count the triangles of a field of heights; return whether they are within the limits."""
        if cells > MOST_CELLS:
            notes.add('Model.ShapeTooLarge', where, found=named, count=cells, limit=MOST_CELLS)
            return False
        return self._add_triangles(2 * cells, notes, where)

    def _add_triangles(self, triangles: int, notes: FileFindings, where: str) -> bool:
        self._triangles += triangles
        within = self._triangles <= self._limits.triangles
        if not within:
            limit = self._limits.triangles
            notes.add('Model.TooManyTriangles', where, found=self._triangles, limit=limit)
        return within

    def _read(
        self,
        named: str,
        base_folders: Sequence[Path],
        notes: FileFindings,
        where: str,
        missing: str = 'WorldFile.FileMissing',
    ) -> bytes | None:
        path = self._folders.find(named, notes, where, base_folders=base_folders, missing=missing)
        return None if path is None else read_bytes(path, notes, LARGEST)

    def _count(
        self, count: Callable[[], int], named: str, notes: FileFindings, where: str
    ) -> int | None:
        try:
            return count()
        except MeshFileError as error:
            notes.add('Model.MeshUnreadable', where, found=named, reason=error)
            return None

    def _keep(self, data: bytes, suffix: str) -> str:
        key = hashlib.sha256(data).hexdigest()[:24] + suffix
        self.contents[key] = data
        return key
