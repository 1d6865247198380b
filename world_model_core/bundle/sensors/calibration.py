# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Reader of calibration.yaml: intrinsics and poses of cameras and LiDARs."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from world_model_core.bundle.bundle_paths import Version
from world_model_core.bundle.sensors.camera_intrinsics import INTRINSICS, check_lens
from world_model_core.bundle.sensors.frame_names import frame_name
from world_model_core.bundle.values import (
    CameraConvention,
    CameraSpec,
    LidarSpec,
    SensorCalibration,
)
from world_model_core.files.mapping_schemas import (
    DocumentReader,
    MappingOf,
    MappingSchema,
    expected,
)
from world_model_core.files.value_schemas import (
    Integer,
    ListOf,
    Number,
    OneOf,
    Quaternion,
    Text,
    Vector,
    shown_numbers,
)
from world_model_core.files.yaml_reader import read_yaml
from world_model_core.frames import pose_transform

if TYPE_CHECKING:
    from world_model_core.files.parsed_document import ValueLocation
    from world_model_core.frames import Transform

# Maximum number of rows or columns of a picture [pixels].
LARGEST_IMAGE = 65_536
# Rates of cameras and rotating sensors [Hz]; periods must fit into nanoseconds of 64 bits.
LOWEST_RATE, HIGHEST_RATE = 1e-3, 10_000.0
MOST_CHANNELS = 65_536
# Maximum distance of a sensor from the rear axle of its vehicle [m].
FARTHEST_MOUNT = 50.0
# A scanner with many rings has a larger vertical view, unless the file has radians [deg].
LEAST_VIEW, RINGS = 2.0, 8
# The finest scanners have 0.01; smaller values are radians [deg].
FINEST = 0.005
# A part of a topic name, as "front" of front/camera_info (design.ros2.org, topic names).
TOPIC_NAME = re.compile(r'[A-Za-z_][A-Za-z0-9_]*')


def _make(fields: dict[str, Any], location: ValueLocation) -> SensorCalibration:
    cameras, lidars = fields['cameras'], fields['lidars']
    if not cameras and not lidars:
        location.report('Calibration.NoSensors')
    for group in ('cameras', 'lidars'):
        for name in fields[group]:
            if TOPIC_NAME.fullmatch(name) is None:
                location.member(group).member(name).report('Calibration.SensorName', found=name)
    return SensorCalibration(fields['version'], cameras, lidars, fields['extra'])


def _camera(fields: dict[str, Any], location: ValueLocation) -> CameraSpec:
    intrinsics = fields['intrinsics']
    size = fields['image_width'], fields['image_height']
    spec = CameraSpec(
        frame_id=fields['frame_id'],
        width=size[0],
        height=size[1],
        convention=fields['camera_convention'],
        model=intrinsics['model'],
        focal=(intrinsics['fx'], intrinsics['fy']),
        center=(intrinsics['cx'], intrinsics['cy']),
        distortion=intrinsics['distortion_model'],
        coefficients=intrinsics['coefficients'],
        pose=fields['extrinsics'],
        rate=fields['rate_hz'],
    )
    check_lens(spec, location.member('intrinsics'))
    return spec


def _lidar(fields: dict[str, Any], location: ValueLocation) -> LidarSpec:
    del location
    spec = fields['spec']
    low, high = spec['vertical_fov']
    return LidarSpec(
        frame_id=fields['frame_id'],
        model=spec['model'],
        channels=spec['channels'],
        horizontal_resolution=math.radians(spec['horizontal_resolution']),
        vertical_view=(math.radians(low), math.radians(high)),
        least_range=spec['min_range'],
        largest_range=spec['max_range'],
        pose=fields['extrinsics'],
        rate=fields['rate_hz'],
    )


def _extrinsics(fields: dict[str, Any], location: ValueLocation) -> Transform:
    translation = fields['translation']
    if abs(translation).max() > FARTHEST_MOUNT:
        values = {'found': shown_numbers(translation), 'limit': f'{FARTHEST_MOUNT:g}'}
        location.member('translation').report('Calibration.FarMount', **values)
    return pose_transform(translation, fields['rotation_quat'])


def _lidar_spec(fields: dict[str, Any], location: ValueLocation) -> dict[str, Any]:
    low, high = fields['vertical_fov']
    values = {'low': f'{low:g}', 'high': f'{high:g}'}
    here = location.member('vertical_fov')
    # A single ring has no height.
    if low > high or (low == high and fields['channels'] > 1):
        here.report('Calibration.VerticalViewReversed', **values)
    elif fields['channels'] >= RINGS and high - low < LEAST_VIEW:
        here.report('Calibration.VerticalViewSmall', **values, channels=fields['channels'])
    if fields['horizontal_resolution'] < FINEST:
        values = {'found': f'{fields["horizontal_resolution"]:g}', 'limit': f'{FINEST:g}'}
        location.member('horizontal_resolution').report(
            'Calibration.HorizontalResolutionSmall', **values
        )
    least, largest = fields['min_range'], fields['max_range']
    if least >= largest:
        values = {'low': f'{least:g}', 'high': f'{largest:g}'}
        location.member('max_range').report('Calibration.RangesReversed', **values)
    return fields


_FRAME = frame_name('Calibration')
_EXTRINSICS = MappingSchema(
    {'translation': Vector(), 'rotation_quat': Quaternion('Calibration')}, _extrinsics
)
_RATE = Number(LOWEST_RATE, HIGHEST_RATE, code='Calibration.Rate')
_PIXELS = Integer(1, LARGEST_IMAGE, 'Calibration.ImageSize')
_CAMERA = MappingSchema(
    {
        'frame_id': _FRAME,
        'image_width': _PIXELS,
        'image_height': _PIXELS,
        'camera_convention': OneOf({each.value: each for each in CameraConvention}),
        'intrinsics': INTRINSICS,
        'extrinsics': _EXTRINSICS,
        'rate_hz': _RATE,
    },
    _camera,
)
_ANGLE = Number(-90.0, 90.0, code='Calibration.VerticalView')
_SPEC = MappingSchema(
    {
        'model': Text(),
        'channels': Integer(1, MOST_CHANNELS, 'Calibration.Channels'),
        'horizontal_resolution': Number(
            0.0, 360.0, open_low=True, code='Calibration.HorizontalResolution'
        ),
        'vertical_fov': ListOf(_ANGLE, 2),
        'max_range': Number(0.0, open_low=True, code='Calibration.MaxRange'),
        'min_range': Number(0.0, code='Calibration.MinRange'),
    },
    _lidar_spec,
)
_LIDAR = MappingSchema(
    {'frame_id': _FRAME, 'extrinsics': _EXTRINSICS, 'spec': _SPEC, 'rate_hz': _RATE}, _lidar
)
_CALIBRATION = MappingSchema(
    {
        'version': Version(),
        'cameras': expected(MappingOf(_CAMERA), {}),
        'lidars': expected(MappingOf(_LIDAR), {}),
    },
    _make,
)
read_calibration: DocumentReader[SensorCalibration] = DocumentReader(read_yaml, _CALIBRATION)
