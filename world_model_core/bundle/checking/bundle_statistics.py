# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Statistics of a bundle; see the schema bundle_report.

Values are in SI units, in the map frame.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from world_model_core.bundle.checking.check_runner import Absent
from world_model_core.bundle.checking.folder_checks import file_sizes
from world_model_core.bundle.checking.scene_checks import splat_bounds
from world_model_core.bundle.geometry.heightmap_checks import height_statistics

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from world_model_core.bundle.bundle_paths import BundlePaths
    from world_model_core.bundle.geometry.drivable_area import DrivableArea
    from world_model_core.bundle.geometry.heightmap import Heightmap
    from world_model_core.bundle.geometry.mesh import Mesh
    from world_model_core.bundle.splats.splat_scan import SplatStatistics
    from world_model_core.bundle.values import Manifest, Metadata, SensorCalibration, Timebase
    from world_model_core.gaussian import Array


def bundle_statistics(parts: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return statistics of the parts that could be read.

    Parameters
    ----------
    parts : mapping
        As Outcome has them.

    """
    found: dict[str, Any] = {}
    for name, express in EXPRESSIONS.items():
        value = parts.get(name)
        if value is not None and value is not Absent.ABSENT:
            found |= express(value)
    return found


def _manifest(manifest: Manifest) -> dict[str, Any]:
    return {'scene_id': manifest.scene_id}


def _places(places: BundlePaths) -> dict[str, Any]:
    return {'files': file_sizes(places)}


def _metadata(metadata: Metadata) -> dict[str, Any]:
    extent = metadata.spatial_extent
    return {'spatial_extent': _box(extent.lowest, extent.highest)}


def _splats(splats: SplatStatistics) -> dict[str, Any]:
    conventions = splats.sample.conventions
    stated = {
        name: {
            'value': getattr(conventions, name).value,
            'known': getattr(conventions, f'{name}_known').value,
        }
        for name in ('quaternions', 'scales', 'opacities')
    }
    stated['quaternions']['probability'] = conventions.quaternions_probability
    return {
        'splats': {
            'format': splats.format.value,
            'count': splats.count,
            'sh_degree': splats.sh_degree,
            'conventions': stated,
            **_box(*splat_bounds(splats)),
        }
    }


def _heightmap(heightmap: Heightmap) -> dict[str, Any]:
    rows, columns = heightmap.heights.shape
    heights = height_statistics(heightmap.heights)
    return {
        'heightmap': {
            'width': columns,
            'height': rows,
            'resolution': heightmap.resolution,
            'known': heights.known / heights.cells,
            **_box(
                np.append(heightmap.first_node, heights.lowest),
                np.append(heightmap.last_node, heights.highest),
            ),
        }
    }


def _drivable(drivable: DrivableArea) -> dict[str, Any]:
    limits = [each.speed_limit for each in drivable.areas if each.speed_limit is not None]
    low_x, low_y, high_x, high_y = shapely.bounds(drivable.union).tolist()
    return {
        'drivable': {
            'polygons': len(drivable.areas),
            'area': drivable.area,
            'speed_limits': sorted(set(limits)),
            'lowest': [low_x, low_y],
            'highest': [high_x, high_y],
        }
    }


def _mesh(mesh: Mesh) -> dict[str, Any]:
    values = {'vertices': len(mesh.vertices), 'triangles': len(mesh.faces)}
    return {'mesh': {**values, **_box(mesh.lowest, mesh.highest)}}


def _calibration(calibration: SensorCalibration) -> dict[str, Any]:
    return {
        'cameras': {
            name: {
                'width': camera.width,
                'height': camera.height,
                'model': camera.model.value,
                'distortion': camera.distortion.value,
                'rate': camera.rate,
            }
            for name, camera in calibration.cameras.items()
        },
        'lidars': {
            name: {
                'channels': lidar.channels,
                'vertical_view': list(lidar.vertical_view),
                'largest_range': lidar.largest_range,
                'rate': lidar.rate,
            }
            for name, lidar in calibration.lidars.items()
        },
    }


def _timebase(timebase: Timebase) -> dict[str, Any]:
    values = {'dt': timebase.dt, 'start_time': timebase.start_time}
    return {'timebase': {**values, 'sensor_rates': dict(timebase.sensor_rates)}}


def _box(lowest: Array, highest: Array) -> dict[str, Any]:
    """Return the corners of a box; None replaces numbers that are not finite."""
    return {
        name: [float(each) if math.isfinite(each) else None for each in corner]
        for name, corner in (('lowest', lowest), ('highest', highest))
    }


EXPRESSIONS: dict[str, Callable[[Any], dict[str, Any]]] = {
    'manifest': _manifest,
    'places': _places,
    'metadata': _metadata,
    'splats': _splats,
    'heightmap': _heightmap,
    'drivable': _drivable,
    'mesh': _mesh,
    'calibration': _calibration,
    'timebase': _timebase,
}
