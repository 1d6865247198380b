# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""JSON document of a scene on the topic `scene`."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from world_model_core.bundle.geometry.drivable_area import DRIVABLE
from world_model_core.findings import Severity
from world_model_core.frames import quaternion_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from world_model_core.bundle.bundle import WorldBundle
    from world_model_core.bundle.values import CameraSpec, LidarSpec, Metadata, RenderConfig


def scene_document(
    bundle: WorldBundle, folder: Path, number: int, optical_frames: Mapping[str, str]
) -> dict[str, Any]:
    """
    Describe a scene as in scene.schema.json; this reads all of its parts.

    Parameters
    ----------
    bundle : WorldBundle
    folder : Path
        Where it was loaded from.
    number : int
        Number of loads: it increases when another scene, or the same one again, is loaded.
    optical_frames : mapping of str to str
        Frame of the CameraInfo of each camera, by name.

    """
    timebase, initial = bundle.timebase, bundle.timebase.initial
    cameras, lidars = bundle.calibration.cameras, bundle.calibration.lidars
    return {
        'number': number,
        'folder': str(folder),
        'version': bundle.manifest.version,
        **_metadata(bundle.metadata),
        'splats': _splats(bundle),
        'heightmap': _heightmap(bundle),
        'drivable': {
            'area': bundle.drivable.area,
            'parts': sum(each.type == DRIVABLE for each in bundle.drivable.areas),
            'crs': bundle.drivable.crs,
        },
        'mesh': _mesh(bundle),
        'render': _render(bundle.render_config),
        'cameras': {name: _camera(cameras[name], optical_frames[name]) for name in cameras},
        'lidars': {name: _lidar(lidar) for name, lidar in lidars.items()},
        'time': {'start': timebase.start_time, 'dt': timebase.dt},
        'initial': {
            'position': initial.pose.translation.tolist(),
            'orientation': quaternion_of(initial.pose.rotation).tolist(),
            'velocity': initial.velocity.tolist(),
        },
        'findings': _findings(bundle),
    }


def _metadata(metadata: Metadata) -> dict[str, Any]:
    system, extent = metadata.coordinate_system, metadata.spatial_extent
    return {
        'scene_id': metadata.scene_id,
        'created_at': metadata.created_at,
        'builder_version': metadata.builder_version,
        'source': None if metadata.source is None else asdict(metadata.source),
        'frames': {
            'map': system.map_frame,
            'odom': system.odom_frame,
            'base_link': system.base_link_frame,
        },
        'origin': None if system.origin is None else asdict(system.origin),
        'extent': {'lowest': extent.lowest.tolist(), 'highest': extent.highest.tolist()},
    }


def _splats(bundle: WorldBundle) -> dict[str, Any]:
    splats, how = bundle.splats, bundle.splats.conventions
    return {
        'count': splats.count,
        'sh_degree': splats.sh_degree,
        'quaternions': how.quaternions.value,
        'quaternions_known': how.quaternions_known.value,
        'quaternions_probability': how.quaternions_probability,
        'scales': how.scales.value,
        'scales_known': how.scales_known.value,
        'opacities': how.opacities.value,
        'opacities_known': how.opacities_known.value,
    }


def _heightmap(bundle: WorldBundle) -> dict[str, Any]:
    heightmap = bundle.heightmap
    rows, columns = heightmap.heights.shape
    return {
        'width': columns,
        'height': rows,
        'resolution': heightmap.resolution,
        'origin': list(heightmap.origin),
    }


def _mesh(bundle: WorldBundle) -> dict[str, Any] | None:
    """Return the number of triangles of the mesh; None if the ground replaces it."""
    mesh = bundle.static_mesh
    return None if mesh is None else {'vertices': len(mesh.vertices), 'triangles': len(mesh.faces)}


def _render(config: RenderConfig) -> dict[str, Any]:
    return {
        'white_balance': list(config.white_balance),
        'exposure_compensation': config.exposure_compensation,
        'gamma': config.gamma,
        'background_color': list(config.background_color),
        'near_plane': config.near_plane,
        'far_plane': config.far_plane,
    }


def _camera(camera: CameraSpec, optical_frame: str) -> dict[str, Any]:
    return {
        'frame_id': camera.frame_id,
        'optical_frame_id': optical_frame,
        'width': camera.width,
        'height': camera.height,
        'model': camera.model.value,
        'distortion': camera.distortion.value,
        'rate': camera.rate,
    }


def _lidar(lidar: LidarSpec) -> dict[str, Any]:
    return {
        'frame_id': lidar.frame_id,
        'model': lidar.model,
        'channels': lidar.channels,
        'horizontal_resolution': lidar.horizontal_resolution,
        'vertical_view': list(lidar.vertical_view),
        'range': [lidar.least_range, lidar.largest_range],
        'rate': lidar.rate,
    }


def _findings(bundle: WorldBundle) -> dict[str, dict[str, int]]:
    """Count findings by severity and code."""
    counts = Counter((each.rule.severity, each.rule.code) for each in bundle.findings)
    return {
        severity.value: {code: count for (kind, code), count in counts.items() if kind is severity}
        for severity in (Severity.WARNING, Severity.INFO)
    }
