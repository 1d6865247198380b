# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Values of the right type that are out of range or contradict each other."""

from __future__ import annotations

import pytest

WORLD, METADATA, RENDER = 'world.yaml', 'metadata.json', 'gaussians/render_config.json'
CALIBRATION, TF = 'sensors/calibration.yaml', 'sensors/tf_static.json'
HEIGHTMAP, TIMEBASE = 'geometry/heightmap.yaml', 'sim/timebase.yaml'
DRIVABLE = 'geometry/drivable.geojson'
FRONT, TOP = '/cameras/front', '/lidars/top'
FRAMES, EXTENT = '/coordinate_system', '/spatial_extent'
IMAGE, LENS = f'{FRONT}/image_width', f'{FRONT}/intrinsics'
POSE, ROTATION = f'{FRONT}/extrinsics', '/transforms/0/transform/rotation'
# File, place, value, the code that reports it, and codes that follow from it.
CASES = [
    # world.yaml: paths that leave the bundle, are invalid, or lead to nothing.
    (WORLD, '/metadata', '../metadata.json', 'Bundle.PathLeaves'),
    (WORLD, '/metadata', 'sim/../../metadata.json', 'Bundle.PathLeaves'),
    (WORLD, '/metadata', '/etc/hosts.json', 'Bundle.PathAbsolute'),
    (WORLD, '/metadata', 'C:/metadata.json', 'Bundle.PathDriveLetter'),
    (WORLD, '/metadata', 'C:\\metadata.json', 'Bundle.PathDriveLetter'),
    (WORLD, '/metadata', 'a\\metadata.json', 'Bundle.PathBackslash'),
    (WORLD, '/metadata', 'file:///etc/hosts.json', 'Bundle.PathIsUrl'),
    (WORLD, '/metadata', 'metadata\t.json', 'Bundle.PathControl'),
    (WORLD, '/metadata', 'metadata\x00.json', 'File.ControlCharacter'),
    (WORLD, '/metadata', './metadata.json', 'Bundle.PathNotNormal'),
    (WORLD, '/metadata', f'{"x" * 300}.json', 'Bundle.PathTooLong'),
    (WORLD, '/metadata', 'meta.json', 'Bundle.FileMissing'),
    (WORLD, '/metadata', 'sim', 'Bundle.FolderNotFile', 'World.UnusualSuffix'),
    (WORLD, '/metadata', 'sim/timebase.yaml', 'World.PathTwice',
     'World.UnusualSuffix'),
    (WORLD, '/geometry/drivable', 'geometry/drivable.txt', 'World.UnusualSuffix',
     'Bundle.FileMissing'),
    (WORLD, '/preview/overview', 'preview/none.png', 'Bundle.PreviewMissing'),
    (WORLD, '/preview/cameras', ['preview/front.mp4'], 'Bundle.PreviewMissing'),
    (WORLD, '/preview/cameras', ['../front.mp4'], 'Bundle.PathLeaves'),
    (WORLD, '/preview/cameras', ['preview/overview.png'], 'Preview.UnknownKind'),
    (WORLD, '/scene_id', 'a scene/name', 'World.SceneIdUnusual', 'Metadata.SceneIdMismatch'),
    (WORLD, '/scene_id', 'other', 'Metadata.SceneIdMismatch'),
    (WORLD, '/actors', 'actors/', 'World.Extension'),
    (WORLD, '/colour', 'red', 'File.UnknownField'),
    # metadata.json
    (METADATA, '/scene_id', 'other', 'Metadata.SceneIdMismatch'),
    (METADATA, '/created_at', 'yesterday', 'Metadata.CreatedAt'),
    (METADATA, '/created_at', '2026-02-30T10:30:00Z', 'Metadata.CreatedAt'),
    (METADATA, '/source/md5', 'a1b2c3d4...', 'Metadata.Md5'),
    (METADATA, '/source/duration_sec', -1.0, 'Metadata.Duration'),
    (METADATA, '/source/size_bytes', -1, 'Metadata.Size'),
    (METADATA, f'{FRAMES}/map_frame', 'odom', 'Metadata.FramesEqual'),
    (METADATA, f'{FRAMES}/map_frame', '/map', 'Metadata.FrameName'),
    (METADATA, f'{FRAMES}/map_frame', 'earth', 'Drivable.CrsMismatch'),
    (METADATA, f'{FRAMES}/map_frame', 'map\0', 'File.ControlCharacter'),
    (METADATA, f'{FRAMES}/base_link_frame', 'rear_axle', 'TfStatic.NotConnected'),
    (METADATA, f'{FRAMES}/convention', 'NED', 'Metadata.Convention'),
    (METADATA, f'{FRAMES}/origin_lat', 90.5, 'Metadata.Latitude'),
    (METADATA, f'{FRAMES}/origin_lon', -180.5, 'Metadata.Longitude'),
    (METADATA, f'{FRAMES}/origin_alt', 1e6, 'Metadata.Altitude'),
    (METADATA, f'{FRAMES}/origin_lat', None, 'Metadata.OriginPartial'),
    (METADATA, f'{FRAMES}/origin_lon', None, 'Metadata.OriginPartial'),
    (METADATA, f'{FRAMES}/origin_alt', None, 'Metadata.OriginPartial'),
    (METADATA, f'{EXTENT}/min_x', 51.0, 'Metadata.ExtentReversed'),
    (METADATA, f'{EXTENT}/min_z', 99.0, 'Metadata.ExtentReversed'),
    (METADATA, f'{EXTENT}/max_x', 1e7, 'Metadata.ExtentLarge', 'Splats.SmallInExtent'),
    (METADATA, f'{EXTENT}/units', 'feet', 'Metadata.Units'),
    (METADATA, '/sensors/cameras/0', 'left', 'Metadata.SensorTwice'),
    (METADATA, '/sensors/cameras/0', 'top', 'Metadata.SensorNotCalibrated',
     'Metadata.SensorNotListed'),
    (METADATA, '/sensors/cameras', ['front', 'left', 'right'], 'Metadata.SensorNotListed'),
    (METADATA, '/sensors/lidars', [], 'Metadata.SensorNotListed'),
    # render_config.json
    (RENDER, '/gaussian_format', 'npz', 'RenderConfig.FormatMismatch'),
    (RENDER, '/gaussian_format', 'spz', 'RenderConfig.UnknownFormat'),
    (RENDER, '/sh_degree', 5, 'RenderConfig.ShDegree'),
    (RENDER, '/sh_degree', -1, 'RenderConfig.ShDegree'),
    (RENDER, '/sh_degree', 3, 'Splats.ShDegree'),
    (RENDER, '/color_correction/white_balance', [1.0, 1.0], 'File.WrongLength'),
    (RENDER, '/color_correction/white_balance', [1.0, 0.0, 1.0], 'RenderConfig.WhiteBalance'),
    (RENDER, '/color_correction/gamma', 0.0, 'RenderConfig.Gamma'),
    (RENDER, '/color_correction/gamma', 22.0, 'RenderConfig.UnusualGamma'),
    (RENDER, '/rendering/background_color', [0, 0, 255], 'RenderConfig.BackgroundColor'),
    (RENDER, '/rendering/near_plane', 0.0, 'RenderConfig.Plane'),
    (RENDER, '/rendering/near_plane', 1e4, 'RenderConfig.PlanesReversed'),
    (RENDER, '/rendering/far_plane', -1.0, 'RenderConfig.Plane'),
    # heightmap.yaml
    (HEIGHTMAP, '/width', 0, 'File.OutOfRange'),
    (HEIGHTMAP, '/width', 200, 'Heightmap.WrongSize'),
    (HEIGHTMAP, '/height', 138, 'Heightmap.WrongSize'),
    (HEIGHTMAP, '/resolution', 0.0, 'File.OutOfRange'),
    (HEIGHTMAP, '/resolution', -0.5, 'File.OutOfRange'),
    (HEIGHTMAP, '/origin/x', 1e300, 'File.OutOfRange'),
    (HEIGHTMAP, '/min_height', -1e300, 'File.OutOfRange'),
    (HEIGHTMAP, '/origin/z', 2.0, 'Heightmap.OriginHeight'),
    (HEIGHTMAP, '/min_height', 100.0, 'Heightmap.RangeReversed'),
    (HEIGHTMAP, '/min_height', 1.0, 'Heightmap.OutOfRange'),
    (HEIGHTMAP, '/max_height', 1.0, 'Heightmap.OutOfRange'),
    # drivable.geojson
    (DRIVABLE, '/type', 'Topology', 'Drivable.NotGeoJson'),
    (DRIVABLE, '/features', [], 'Drivable.Empty'),
    (DRIVABLE, '/features/0/properties/type', 'pavement', 'Drivable.OtherType',
     'Timebase.StartOffRoad'),
    (DRIVABLE, '/features/0/properties/speed_limit', -50.0, 'Drivable.SpeedLimit'),
    (DRIVABLE, '/features/0/properties/speed_limit', '50', 'File.NumberAsText'),
    (DRIVABLE, '/features/0/geometry', None, 'Drivable.NoGeometry'),
    (DRIVABLE, '/features/0/geometry/type', 'LineString', 'Drivable.NotPolygon'),
    (DRIVABLE, '/features/0/geometry/coordinates/0/0', [0.0], 'Drivable.PositionTooShort'),
    (DRIVABLE, '/features/0/geometry/coordinates/0/0/0', 'x', 'File.NotNumber'),
    (DRIVABLE, '/crs/properties/name', 'urn:ogc:def:crs:EPSG::4326', 'Drivable.CrsOfEarth'),
    (DRIVABLE, '/crs/properties/name', 'odom', 'Drivable.CrsMismatch'),
    # calibration.yaml
    (CALIBRATION, f'{FRONT}/frame_id', '/camera', 'Calibration.FrameName'),
    (CALIBRATION, f'{FRONT}/frame_id', 'camera_left', 'Calibration.FrameTaken',
     'Calibration.TfMismatch'),
    (CALIBRATION, f'{FRONT}/frame_id', 'camera_top', 'TfStatic.SensorMissing'),
    (CALIBRATION, f'{FRONT}/frame_id', 'camera\0front', 'File.ControlCharacter'),
    (CALIBRATION, f'{TOP}/spec/model', 'a\x7f', 'File.ControlCharacter'),
    (CALIBRATION, IMAGE, 0, 'Calibration.ImageSize'),
    (CALIBRATION, IMAGE, 10**6, 'Calibration.ImageSize'),
    (CALIBRATION, f'{LENS}/fx', 0.0, 'Calibration.FocalLength'),
    (CALIBRATION, f'{LENS}/fx', -900.0, 'Calibration.FocalLength'),
    (CALIBRATION, f'{LENS}/fx', 90.0, 'Calibration.FocalUnequal', 'Calibration.FocalUnusual',
     'Calibration.LensFolds'),
    (CALIBRATION, f'{LENS}/cx', 5000.0, 'Calibration.CenterOutside', 'Calibration.LensFolds'),
    (CALIBRATION, f'{LENS}/k1', 1e6, 'Calibration.Coefficient'),
    (CALIBRATION, f'{LENS}/k1', -3.0, 'Calibration.LensFolds'),
    (CALIBRATION, f'{LENS}/distortion_model', 'equidistant', 'Calibration.CoefficientUnused',
     'Calibration.EquidistantIncomplete'),
    (CALIBRATION, f'{LENS}/model', 'fisheye', 'Calibration.UnusualLens'),
    (CALIBRATION, f'{POSE}/translation', [2.0, 0.0], 'File.WrongLength'),
    (CALIBRATION, f'{POSE}/translation', [2000.0, 0.0, 1500.0], 'Calibration.FarMount',
     'Calibration.TfMismatch'),
    (CALIBRATION, f'{POSE}/translation', [1e300, 0.0, 0.0], 'File.OutOfRange'),
    (CALIBRATION, f'{POSE}/rotation_quat', [0.0, 0.0, 0.0, 0.0], 'Calibration.QuaternionZero'),
    (CALIBRATION, f'{POSE}/rotation_quat', [1.0, 1.0, 1.0, 1.0], 'Calibration.QuaternionNotUnit'),
    (CALIBRATION, f'{FRONT}/rate_hz', 0.0, 'Calibration.Rate'),
    (CALIBRATION, f'{FRONT}/rate_hz', 1e-300, 'Calibration.Rate'),
    (CALIBRATION, f'{FRONT}/rate_hz', 12.0, 'Timebase.RatesDiffer'),
    (CALIBRATION, f'{FRONT}/rate_hz', 200.0, 'Calibration.RateAboveStep', 'Timebase.RatesDiffer'),
    (CALIBRATION, f'{TOP}/rate_hz', 10.0, 'Timebase.RateMismatch'),
    (CALIBRATION, f'{TOP}/spec/channels', 0, 'Calibration.Channels'),
    (CALIBRATION, f'{TOP}/spec/horizontal_resolution', 0.0, 'Calibration.HorizontalResolution'),
    (CALIBRATION, f'{TOP}/spec/vertical_fov', [15.0, -25.0], 'Calibration.VerticalViewReversed'),
    (CALIBRATION, f'{TOP}/spec/vertical_fov', [-95.0, 15.0], 'Calibration.VerticalView'),
    (CALIBRATION, f'{TOP}/spec/vertical_fov', [-0.4, 0.2], 'Calibration.VerticalViewSmall'),
    (CALIBRATION, f'{TOP}/spec/vertical_fov', [-25.0], 'File.WrongLength'),
    (CALIBRATION, f'{TOP}/spec/max_range', 0.0, 'Calibration.MaxRange'),
    (CALIBRATION, f'{TOP}/spec/min_range', -1.0, 'Calibration.MinRange'),
    (CALIBRATION, f'{TOP}/spec/min_range', 200.0, 'Calibration.RangesReversed'),
    (CALIBRATION, '/lidars', {}, 'Metadata.SensorNotCalibrated', 'Timebase.RateOfNothing'),
    # tf_static.json
    (TF, '/transforms', [], 'TfStatic.SensorMissing', 'TfStatic.Empty'),
    (TF, '/transforms/0/child_frame_id', 'camera_left', 'TfStatic.ChildTwice'),
    (TF, '/transforms/0/child_frame_id', 'base_link', 'TfStatic.OwnParent'),
    (TF, '/transforms/0/child_frame_id', 'nose', 'TfStatic.SensorMissing'),
    (TF, '/transforms/0/header/frame_id', 'camera_front', 'TfStatic.OwnParent'),
    (TF, '/transforms/0/header/frame_id', 'map', 'TfStatic.NotConnected',
     'TfStatic.SeveralRoots'),
    (TF, '/transforms/0/header/frame_id', '', 'File.EmptyText'),
    (TF, '/transforms/0/child_frame_id', 'camera\0front', 'File.ControlCharacter'),
    (TF, '/transforms/0/transform/translation/x', -1e300, 'File.OutOfRange'),
    (TF, f'{ROTATION}/w', 5.0, 'TfStatic.QuaternionNotUnit'),
    (TF, ROTATION, {'x': 0.0, 'y': 0.0, 'z': 0.0, 'w': 0.0}, 'TfStatic.QuaternionZero'),
    # timebase.yaml
    (TIMEBASE, '/simulation/dt', 0.0, 'Timebase.Step'),
    (TIMEBASE, '/simulation/dt', -0.01, 'Timebase.Step'),
    (TIMEBASE, '/simulation/dt', 10.0, 'Timebase.LargeStep', 'Calibration.RateAboveStep'),
    (TIMEBASE, '/simulation/dt', 1e300, 'Timebase.Step'),
    (TIMEBASE, '/simulation/start_time', 2.0**31 - 1.0, 'Timebase.StartTime'),
    (TIMEBASE, '/simulation/start_time', -1.0, 'Timebase.StartTime'),
    (TIMEBASE, '/simulation/start_time', 1e12, 'Timebase.StartTime'),
    (TIMEBASE, '/sensor_rates/camera', 0.0, 'Timebase.Rate'),
    (TIMEBASE, '/sensor_rates/camera', 1e-300, 'Timebase.Rate'),
    (TIMEBASE, '/sensor_rates/camera', 12.0, 'Timebase.RateMismatch'),
    (TIMEBASE, '/sensor_rates/lidar', 10.0, 'Timebase.RateMismatch'),
    (TIMEBASE, '/sensor_rates', {'camera': 10.0}, 'Timebase.RateMissing'),
    (TIMEBASE, '/initial_pose/position', [0.0, 0.0], 'File.WrongLength'),
    (TIMEBASE, '/initial_pose/position', [9e3, 0.0, 0.0], 'Timebase.StartWithoutGround',
     'Timebase.StartOffRoad'),
    (TIMEBASE, '/initial_pose/position/2', 30.0, 'Timebase.StartOffGround'),
    (TIMEBASE, '/initial_pose/orientation', [0.0, 0.0, 0.0, 0.0], 'Timebase.QuaternionZero'),
    (TIMEBASE, '/initial_pose/orientation', [0.0, 0.0, 1.0, 1.0], 'Timebase.QuaternionNotUnit'),
    (TIMEBASE, '/initial_pose/orientation', [1.0, 0.0, 0.0, 0.0], 'Timebase.StartTilted'),
    (TIMEBASE, '/initial_pose/velocity', [900.0, 0.0, 0.0], 'Timebase.Fast'),
    (TIMEBASE, '/initial_pose/velocity', [1e300, 0.0, 0.0], 'File.OutOfRange'),
]  # fmt: skip


def cases():
    """List all cases, named by place and value."""
    for file, where, value, code, *consequences in CASES:
        name = f'{file}{where}={str(value)[:30]!a}'
        yield pytest.param(file, where, value, (code, *consequences), id=name)


@pytest.mark.parametrize(('file', 'where', 'value', 'codes'), list(cases()))
def test_an_invalid_value_is_found(mutant, file, where, value, codes):
    """The code must be found, and no other error or warning but those that follow from it."""
    mutant.put(file, where, value)
    mutant.must_show(*codes)
