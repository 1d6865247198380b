# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Documents of the small files of a bundle, for writing.

Reading a document gives equal values. Keys that the contract does not define are kept; angles are
degrees in the files, and text is UTF-8.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from world_model_core.bundle.values import Distortion
from world_model_core.frames import quaternion_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from world_model_core.bundle.values import (
        CameraSpec,
        CoordinateSystem,
        Extent,
        LidarSpec,
        Manifest,
        Metadata,
        RenderConfig,
        SceneSource,
        SensorCalibration,
        StaticTransform,
        Timebase,
    )
    from world_model_core.frames import Transform
    from world_model_core.gaussian import Array

# Significant digits that identify any number of double precision.
DIGITS = 17
# Decimals of quaternions; rewriting a file does not change them.
DECIMALS = 15
COEFFICIENTS = {
    Distortion.RADTAN: ('k1', 'k2', 'p1', 'p2', 'k3'),
    Distortion.EQUIDISTANT: ('k1', 'k2', 'k3', 'k4'),
}


def manifest_document(manifest: Manifest) -> dict[str, Any]:
    """Return the document of world.yaml."""
    document: dict[str, Any] = {'version': manifest.version, 'scene_id': manifest.scene_id}
    for place, path in manifest.paths.items():
        *groups, name = place.split('/')
        section = document
        for group in groups:
            section = section.setdefault(group, {})
        section[name] = path
    if manifest.camera_previews:
        document.setdefault('preview', {})['cameras'] = list(manifest.camera_previews)
    return {**document, **manifest.extra}


def metadata_document(metadata: Metadata) -> dict[str, Any]:
    """Return the document of metadata.json."""
    document = {
        'version': metadata.version,
        'scene_id': metadata.scene_id,
        'created_at': metadata.created_at,
        'builder_version': metadata.builder_version,
        'source': None if metadata.source is None else _source(metadata.source),
        'coordinate_system': _coordinate_system(metadata.coordinate_system),
        'spatial_extent': _extent(metadata.spatial_extent),
        'sensors': {'cameras': list(metadata.cameras), 'lidars': list(metadata.lidars)},
        'processing_info': dict(metadata.processing_info),
    }
    return {**_without_none(document), **metadata.extra}


def render_config_document(config: RenderConfig) -> dict[str, Any]:
    """Return the document of render_config.json."""
    return {
        'version': config.version,
        'gaussian_format': config.gaussian_format,
        'sh_degree': config.sh_degree,
        'color_correction': {
            'white_balance': _numbers(config.white_balance),
            'exposure_compensation': float(config.exposure_compensation),
            'gamma': float(config.gamma),
        },
        'rendering': {
            'background_color': _numbers(config.background_color),
            'near_plane': float(config.near_plane),
            'far_plane': float(config.far_plane),
        },
        **config.extra,
    }


def calibration_document(calibration: SensorCalibration) -> dict[str, Any]:
    """Return the document of calibration.yaml."""
    return {
        'version': calibration.version,
        'cameras': {name: _camera(each) for name, each in calibration.cameras.items()},
        'lidars': {name: _lidar(each) for name, each in calibration.lidars.items()},
        **calibration.extra,
    }


def tf_static_document(transforms: Iterable[StaticTransform]) -> dict[str, Any]:
    """Return the document of tf_static.json, a tf2_msgs/TFMessage without a version."""
    return {'transforms': [_stamped(each) for each in transforms]}


def timebase_document(timebase: Timebase) -> dict[str, Any]:
    """Return the document of timebase.yaml."""
    pose = timebase.initial.pose
    return {
        'version': timebase.version,
        'simulation': {'dt': float(timebase.dt), 'start_time': float(timebase.start_time)},
        'sensor_rates': {name: float(rate) for name, rate in timebase.sensor_rates.items()},
        'initial_pose': {
            'position': _numbers(pose.translation),
            'orientation': _quaternion(pose.rotation),
            'velocity': _numbers(timebase.initial.velocity),
        },
        **timebase.extra,
    }


def _source(source: SceneSource) -> dict[str, Any]:
    return _without_none(
        {
            'type': source.type,
            'file': source.file,
            'md5': source.md5,
            'duration_sec': source.duration,
            'size_bytes': source.size_bytes,
        }
    )


def _coordinate_system(system: CoordinateSystem) -> dict[str, Any]:
    document: dict[str, Any] = {
        'map_frame': system.map_frame,
        'odom_frame': system.odom_frame,
        'base_link_frame': system.base_link_frame,
        'convention': system.convention,
    }
    if system.origin is not None:
        document['origin_lat'] = float(system.origin.latitude)
        document['origin_lon'] = float(system.origin.longitude)
        document['origin_alt'] = float(system.origin.altitude)
    return document


def _extent(extent: Extent) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for axis, lowest, highest in zip('xyz', extent.lowest, extent.highest, strict=True):
        document[f'min_{axis}'], document[f'max_{axis}'] = float(lowest), float(highest)
    return {**document, 'units': 'meters'}


def _camera(camera: CameraSpec) -> dict[str, Any]:
    names = COEFFICIENTS[camera.distortion]
    return {
        'frame_id': camera.frame_id,
        'image_width': camera.width,
        'image_height': camera.height,
        'camera_convention': camera.convention.value,
        'intrinsics': {
            'model': camera.model.value,
            **dict(zip(('fx', 'fy'), _numbers(camera.focal), strict=True)),
            **dict(zip(('cx', 'cy'), _numbers(camera.center), strict=True)),
            'distortion_model': camera.distortion.value,
            # k3 of the Brown-Conrady model is optional, and not in the contract.
            **dict(zip(names, _numbers(camera.coefficients), strict=False)),
        },
        'extrinsics': _extrinsics(camera.pose),
        'rate_hz': float(camera.rate),
    }


def _lidar(lidar: LidarSpec) -> dict[str, Any]:
    return {
        'frame_id': lidar.frame_id,
        'extrinsics': _extrinsics(lidar.pose),
        'spec': {
            'model': lidar.model,
            'channels': lidar.channels,
            'horizontal_resolution': degrees_of(lidar.horizontal_resolution),
            'vertical_fov': [degrees_of(angle) for angle in lidar.vertical_view],
            'max_range': float(lidar.largest_range),
            'min_range': float(lidar.least_range),
        },
        'rate_hz': float(lidar.rate),
    }


def _extrinsics(pose: Transform) -> dict[str, Any]:
    return {
        'translation': _numbers(pose.translation),
        'rotation_quat': _quaternion(pose.rotation),
    }


def _stamped(static: StaticTransform) -> dict[str, Any]:
    translation = _numbers(static.transform.translation)
    rotation = _quaternion(static.transform.rotation)
    return {
        'header': {'frame_id': static.frame_id},
        'child_frame_id': static.child_frame_id,
        'transform': {
            'translation': dict(zip('xyz', translation, strict=True)),
            'rotation': dict(zip('xyzw', rotation, strict=True)),
        },
    }


def _quaternion(rotation: Array) -> list[float]:
    """Return the quaternion of a rotation without digits that are due to rounding."""
    return _numbers(quaternion_of(rotation).round(DECIMALS))


def degrees_of(radians: float) -> float:
    """Return the shortest number of degrees that is read as the same angle [rad]."""
    exact = math.degrees(radians)
    rounded = (float(f'{exact:.{digits}g}') for digits in range(1, DIGITS + 1))
    neighbors = (math.nextafter(exact, -math.inf), math.nextafter(exact, math.inf))
    fitting = (each for each in (*rounded, *neighbors) if math.radians(each) == radians)
    return next(fitting, exact)


def _numbers(values: Iterable[float]) -> list[float]:
    """Convert numbers to floats; -0.0 to 0.0."""
    return [float(value) + 0.0 for value in values]


def _without_none(document: Mapping[str, Any]) -> dict[str, Any]:
    """Remove the keys without a value."""
    return {name: value for name, value in document.items() if value is not None}
