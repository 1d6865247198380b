# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""All checks of a bundle in their order: readers of files first, then checks across files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_core.bundle.bundle_paths import BundlePaths
from world_model_core.bundle.checking import folder_checks, scene_checks, sensor_checks
from world_model_core.bundle.checking import heightmap_order_checks as orientation
from world_model_core.bundle.checking import pose_convention_checks as suspicions
from world_model_core.bundle.checking.check_runner import Absent, check, reader
from world_model_core.bundle.geometry.drivable_geojson import read_drivable
from world_model_core.bundle.geometry.glb_reader import read_mesh
from world_model_core.bundle.geometry.heightmap_files import read_heightmap
from world_model_core.bundle.scene.manifest import read_manifest
from world_model_core.bundle.scene.metadata import read_metadata
from world_model_core.bundle.scene.render_config import read_render_config
from world_model_core.bundle.scene.timebase import read_timebase
from world_model_core.bundle.sensors.calibration import read_calibration
from world_model_core.bundle.sensors.tf_static import read_tf_static
from world_model_core.bundle.splats.splat_scan import scan_splats

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from world_model_core.bundle.geometry.heightmap import Heightmap
    from world_model_core.bundle.splats.splat_scan import SplatStatistics
    from world_model_core.bundle.values import Manifest, Metadata
    from world_model_core.findings import Findings


def _one(place: str, read: Callable[[Path, str, Findings], Any]) -> Callable[..., Any]:
    """Create the reader of a part that consists of one file."""

    def read_part(places: BundlePaths, findings: Findings) -> Any:
        path = places.find(place, findings)
        return None if path is None else read(path, places.manifest.paths[place], findings)

    return read_part


def _mesh(places: BundlePaths, findings: Findings) -> Any:
    """Read the mesh, if the manifest lists one."""
    if 'geometry/static_mesh' not in places.manifest.paths:
        return Absent.ABSENT
    return _one('geometry/static_mesh', read_mesh)(places, findings)


def _heightmap(places: BundlePaths, findings: Findings) -> Heightmap | None:
    names = ('geometry/heightmap', 'geometry/heightmap_meta')
    data, meta = (places.find(name, findings) for name in names)
    if data is None or meta is None:
        return None
    data_file, meta_file = (places.manifest.paths[name] for name in names)
    return read_heightmap(data, meta, data_file, meta_file, findings)


def _splats(
    places: BundlePaths,
    findings: Findings,
    progress: Callable[[float], None],
    metadata: Metadata | None = None,
) -> SplatStatistics | None:
    path = places.find('gaussians/background', findings)
    if path is None:
        return None
    extent = None if metadata is None else metadata.spatial_extent
    file = places.manifest.paths['gaussians/background']
    return scan_splats(path, file, findings, extent=extent, progress=progress)


def _places(folder: Path, manifest: Manifest) -> BundlePaths:
    return BundlePaths(folder, manifest)


# Weights are durations for a typical scene, relative to fast checks.
CHECKS = (
    reader('manifest', read_manifest),
    reader('places', _places),
    reader('metadata', _one('metadata', read_metadata)),
    reader('render_config', _one('gaussians/render_config', read_render_config)),
    reader('calibration', _one('sensors/calibration', read_calibration)),
    reader('tf_static', _one('sensors/tf_static', read_tf_static)),
    reader('timebase', _one('sim/timebase', read_timebase)),
    reader('drivable', _one('geometry/drivable', read_drivable), weight=5.0),
    reader('heightmap', _heightmap, weight=5.0),
    reader('mesh', _mesh, weight=10.0),
    reader('splats', _splats, weight=50.0),
    check(folder_checks.folder_name),
    check(folder_checks.unlisted_files),
    check(folder_checks.total_size),
    check(folder_checks.previews),
    check(folder_checks.scene_ids),
    check(folder_checks.source_file),
    check(folder_checks.splat_format),
    check(folder_checks.splat_degree),
    check(folder_checks.splat_count),
    check(folder_checks.heightmap_size),
    check(folder_checks.mesh_size),
    check(sensor_checks.sensor_transforms),
    check(suspicions.transform_causes),
    check(sensor_checks.sensor_frames),
    check(sensor_checks.base_is_free),
    check(sensor_checks.sensor_lists),
    check(sensor_checks.sensor_rates),
    check(sensor_checks.rates_and_step),
    check(suspicions.camera_directions),
    check(suspicions.camera_rig),
    check(scene_checks.drivable_frame),
    check(scene_checks.drivable_in_extent),
    check(scene_checks.heightmap_in_extent),
    check(scene_checks.mesh_in_extent),
    check(scene_checks.splats_in_extent),
    check(scene_checks.drivable_and_ground),
    check(scene_checks.mesh_and_ground),
    check(scene_checks.splats_and_ground),
    check(orientation.heightmap_rows),
    check(orientation.heightmap_orientation),
    check(scene_checks.start_on_road),
    check(scene_checks.start_on_ground),
    check(scene_checks.start_upright),
)
