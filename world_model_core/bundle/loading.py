# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Loading of bundles: the manifest at once, each other part on first use."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from world_model_core.bundle.bundle import WorldBundle
from world_model_core.bundle.bundle_paths import BundlePaths, find_preview
from world_model_core.bundle.finding_catalog import BundleError, bundle_findings
from world_model_core.bundle.geometry.drivable_geojson import read_drivable
from world_model_core.bundle.geometry.glb_reader import read_mesh
from world_model_core.bundle.geometry.heightmap_files import read_heightmap
from world_model_core.bundle.scene.manifest import read_manifest
from world_model_core.bundle.scene.metadata import read_metadata
from world_model_core.bundle.scene.render_config import read_render_config
from world_model_core.bundle.scene.timebase import read_timebase
from world_model_core.bundle.sensors.calibration import read_calibration
from world_model_core.bundle.sensors.tf_static import read_tf_static
from world_model_core.bundle.splats.splats import read_splats
from world_model_core.files.parsed_document import pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from world_model_core.bundle.geometry.drivable_area import DrivableArea
    from world_model_core.bundle.geometry.heightmap import Heightmap
    from world_model_core.bundle.geometry.mesh import Mesh
    from world_model_core.bundle.splats.splat_conventions import SplatConventions
    from world_model_core.bundle.splats.splats import Splats
    from world_model_core.bundle.values import (
        Metadata,
        RenderConfig,
        SensorCalibration,
        StaticTransform,
        Timebase,
    )
    from world_model_core.findings import Finding, Findings

__all__ = ['FolderParts', 'PreviewFiles', 'load']

Value = TypeVar('Value')


def load(folder: Path | str, conventions: SplatConventions | None = None) -> WorldBundle:
    """
    Load a bundle.

    Parameters
    ----------
    folder : Path or str
    conventions : SplatConventions, optional
        Conventions of its splats; these override the file.

    Returns
    -------
    WorldBundle
        Its manifest has been read; the other parts raise BundleError on first use if they have
        errors. If the folder is replaced, parts read later belong to the new bundle.

    Raises
    ------
    BundleError
        The folder has no bundle, or one of an unsupported version.

    """
    # Parts are read later; the working directory may change.
    folder = Path(folder).absolute()
    findings = bundle_findings()
    manifest = read_manifest(folder, findings)
    if manifest is None or findings.errors:
        raise BundleError(findings.errors)
    return WorldBundle(manifest, FolderParts(BundlePaths(folder, manifest), conventions, findings))


class FolderParts:
    """
    Parts of a bundle in a folder, read at each access.

    Parameters
    ----------
    places : BundlePaths
    conventions : SplatConventions, optional
        Conventions of its splats.
    known : Findings
        Findings about the manifest.

    """

    def __init__(
        self, places: BundlePaths, conventions: SplatConventions | None, known: Findings
    ) -> None:
        self._places = places
        self._conventions = conventions
        self._findings: dict[str, tuple[Finding, ...]] = {'manifest': tuple(known.all)}

    @property
    def metadata(self) -> Metadata:
        """Read metadata.json."""
        return self._one('metadata', read_metadata)

    @property
    def render_config(self) -> RenderConfig:
        """Read render_config.json."""
        return self._one('gaussians/render_config', read_render_config)

    @property
    def splats(self) -> Splats:
        """Read the Gaussians."""
        try:
            degree = self.render_config.sh_degree
        except BundleError:
            degree = None

        def read(path: Path, file: str, findings: Findings) -> Splats | None:
            return read_splats(path, file, findings, self._conventions, degree)

        return self._one('gaussians/background', read)

    @property
    def heightmap(self) -> Heightmap:
        """Map the heights into memory."""
        names = ('geometry/heightmap', 'geometry/heightmap_meta')

        def read(findings: Findings) -> Heightmap | None:
            data, meta = (self._places.find(name, findings) for name in names)
            data_file, meta_file = (self._places.manifest.paths[name] for name in names)
            if data is None or meta is None:
                return None
            return read_heightmap(data, meta, data_file, meta_file, findings)

        return self._read('heightmap', read)

    @property
    def drivable(self) -> DrivableArea:
        """Read drivable.geojson."""
        return self._one('geometry/drivable', read_drivable)

    @property
    def static_mesh(self) -> Mesh | None:
        """Read the mesh, if the manifest lists one."""
        if 'geometry/static_mesh' not in self._places.manifest.paths:
            return None
        return self._one('geometry/static_mesh', read_mesh)

    @property
    def calibration(self) -> SensorCalibration:
        """Read calibration.yaml."""
        return self._one('sensors/calibration', read_calibration)

    @property
    def tf_static(self) -> tuple[StaticTransform, ...]:
        """Read tf_static.json."""
        return self._one('sensors/tf_static', read_tf_static)

    @property
    def timebase(self) -> Timebase:
        """Read timebase.yaml."""
        return self._one('sim/timebase', read_timebase)

    @property
    def previews(self) -> Mapping[str, bytes]:
        """Find the existing previews."""
        manifest = self._places.manifest
        named = {pointer('preview', 'overview'): manifest.paths.get('preview/overview')}
        for index, film in enumerate(manifest.camera_previews):
            named[pointer('preview', 'cameras', index)] = film

        def read(findings: Findings) -> PreviewFiles:
            folder = self._places.folder
            found = {
                name: find_preview(folder, name, findings, where)
                for where, name in named.items()
                if name is not None
            }
            return PreviewFiles({name: path for name, path in found.items() if path is not None})

        return self._read('previews', read)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Findings about the parts that have been read."""
        return tuple(each for part in tuple(self._findings.values()) for each in part)

    def _one(self, place: str, reader: Callable[[Path, str, Findings], Value | None]) -> Value:
        """Read a part that consists of one file."""

        def read(findings: Findings) -> Value | None:
            path = self._places.find(place, findings)
            file = self._places.manifest.paths[place]
            return None if path is None else reader(path, file, findings)

        return self._read(place, read)

    def _read(self, name: str, reader: Callable[[Findings], Value | None]) -> Value:
        findings = bundle_findings()
        value = reader(findings)
        if value is None or findings.errors:
            raise BundleError(findings.errors)
        self._findings[name] = tuple(findings.all)
        return value


class PreviewFiles(Mapping[str, bytes]):
    """
    Contents of files by name, read at each access, as videos are large and seldom used.

    Parameters
    ----------
    paths : mapping of str to Path

    """

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self._paths = paths

    def __getitem__(self, name: str) -> bytes:
        """Read a file."""
        return self._paths[name].read_bytes()

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._paths)

    def __len__(self) -> int:
        """Count the files."""
        return len(self._paths)
