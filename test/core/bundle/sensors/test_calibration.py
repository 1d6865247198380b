# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""calibration.yaml: cameras of every model, LiDARs, and ambiguities of the contract."""

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from world_model_core.bundle.sensors.calibration import read_calibration
from world_model_core.bundle.values import CameraConvention, CameraModel, Distortion
from world_model_core.frames import quaternion_of

VALID = {
    'version': '1.0.0',
    'cameras': {
        'front': {
            'frame_id': 'camera_front',
            'image_width': 1920,
            'image_height': 1080,
            'camera_convention': 'opencv',
            'intrinsics': {
                'model': 'pinhole',
                'fx': 1500.0,
                'fy': 1500,
                'cx': 960.0,
                'cy': 540.0,
                'distortion_model': 'radtan',
                'k1': -0.1,
                'k2': 0.01,
                'p1': 0.001,
                'p2': -0.001,
            },
            'extrinsics': {
                'translation': [2.0, 0.0, 1.5],
                'rotation_quat': [-0.5, 0.5, -0.5, 0.5],
            },
            'rate_hz': 12.0,
        },
    },
    'lidars': {
        'top': {
            'frame_id': 'lidar_top',
            'extrinsics': {'translation': [0.0, 0.0, 2.0], 'rotation_quat': [0.0, 0.0, 0.0, 1.0]},
            'spec': {
                'model': 'velodyne_vls128',
                'channels': 128,
                'horizontal_resolution': 0.2,
                'vertical_fov': [-25.0, 15.0],
                'max_range': 200.0,
                'min_range': 0.5,
            },
            'rate_hz': 20.0,
        },
    },
}
FRONT, TOP = '/cameras/front', '/lidars/top'
LENS, SPEC = f'{FRONT}/intrinsics', f'{TOP}/spec'
BENT = {
    **{name: VALID['cameras']['front']['intrinsics'][name] for name in ('fx', 'fy', 'cx', 'cy')},
    'model': 'fisheye',
    'distortion_model': 'equidistant',
    'k1': -0.01,
    'k2': 0.002,
    'k3': 0.0003,
    'k4': -0.0001,
}


@pytest.fixture
def calibration(small_file):
    """Return calibration.yaml as a small file."""
    return small_file(read_calibration, 'calibration.yaml', VALID)


def test_every_field_of_a_camera_has_a_typed_attribute(calibration):
    """All fields of the contract are in the value; a valid file has no finding."""
    value, found = calibration.read(VALID)
    assert not found
    front = value.cameras['front']
    assert (front.frame_id, front.width, front.height, front.rate) == (
        'camera_front',
        1920,
        1080,
        12.0,
    )
    assert front.convention is CameraConvention.OPENCV
    assert (front.model, front.distortion) == (CameraModel.PINHOLE, Distortion.RADTAN)
    assert (front.focal, front.center) == ((1500.0, 1500.0), (960.0, 540.0))
    assert front.coefficients == (-0.1, 0.01, 0.001, -0.001)
    np.testing.assert_array_equal(front.pose.translation, (2.0, 0.0, 1.5))
    np.testing.assert_allclose(quaternion_of(front.pose.rotation), (-0.5, 0.5, -0.5, 0.5))


def test_every_field_of_a_lidar_has_a_typed_attribute(calibration):
    """Degrees of the file are radians in the value."""
    top = calibration.read(VALID)[0].lidars['top']
    assert (top.frame_id, top.model, top.channels, top.rate) == (
        'lidar_top',
        'velodyne_vls128',
        128,
        20.0,
    )
    assert top.horizontal_resolution == pytest.approx(math.radians(0.2))
    assert top.vertical_view == pytest.approx((math.radians(-25.0), math.radians(15.0)))
    assert (top.least_range, top.largest_range) == (0.5, 200.0)


@pytest.mark.parametrize(
    'pointer',
    ['/version']
    + [f'{FRONT}/{name}' for name in VALID['cameras']['front']]
    + [f'{LENS}/{name}' for name in VALID['cameras']['front']['intrinsics']]
    + [f'{FRONT}/extrinsics/{name}' for name in ('translation', 'rotation_quat')]
    + [f'{TOP}/{name}' for name in VALID['lidars']['top']]
    + [f'{SPEC}/{name}' for name in VALID['lidars']['top']['spec']],
)
def test_every_field_of_a_sensor_is_required(calibration, gone, pointer):
    """A missing field gives one error, at its place."""
    assert calibration.read_changed(pointer, gone)[1] == [('File.MissingField', pointer)]


def test_a_kind_of_sensors_may_be_empty(calibration, gone):
    """Scenes may have an empty list of LiDARs; a missing list is reported."""
    assert not calibration.read_changed('/lidars', {})[1]
    assert calibration.read_changed('/lidars', gone)[1] == [('File.FieldAbsent', '/lidars')]
    nothing = {'version': '1.0.0', 'cameras': {}, 'lidars': {}}
    assert calibration.read(nothing)[1] == [('Calibration.NoSensors', '')]


def test_equidistant_has_four_coefficients_of_its_own(calibration):
    """It is k1 to k4; the p1 and p2 of the contract may be present if zero."""
    for lens in (BENT, {**BENT, 'p1': 0.0, 'p2': 0.0}):
        value, found = calibration.read_changed(LENS, lens)
        assert not found
        assert value.cameras['front'].coefficients == (-0.01, 0.002, 0.0003, -0.0001)


def test_missing_coefficients_of_equidistant_are_reported(calibration):
    """k3 and k4, missing in the contract's example, are assumed zero and reported."""
    lens = {name: each for name, each in BENT.items() if name not in {'k3', 'k4'}}
    value, found = calibration.read_changed(LENS, {**lens, 'p1': 0.0, 'p2': 0.0})
    assert found == [('Calibration.EquidistantIncomplete', LENS)]
    assert value.cameras['front'].coefficients == (-0.01, 0.002, 0.0, 0.0)


def test_the_third_radial_coefficient_is_read(calibration):
    """Real calibrations have it, as in OpenCV; if zero it is left out."""
    assert calibration.read_changed(f'{LENS}/k3', 0.0)[0].cameras['front'].coefficients == (
        -0.1,
        0.01,
        0.001,
        -0.001,
    )
    value, found = calibration.read_changed(f'{LENS}/k3', 0.02)
    assert value.cameras['front'].coefficients == (-0.1, 0.01, 0.001, -0.001, 0.02)
    assert not found


@pytest.mark.parametrize(
    ('pointer', 'item', 'code', 'where'),
    [
        ('/version', '3.1.4', 'File.VersionUnsupported', None),
        ('/cameras', [], 'File.NotMapping', None),
        (FRONT, None, 'File.NotMapping', None),
        (f'{FRONT}/frame_id', '/camera_front', 'Calibration.FrameName', None),
        (f'{FRONT}/image_width', 0, 'Calibration.ImageSize', None),
        (f'{FRONT}/image_height', 1080.5, 'File.NotWhole', None),
        (f'{FRONT}/camera_convention', 'opengl', 'File.UnknownChoice', None),
        (f'{FRONT}/camera_convention', 'OpenCV', 'File.UnknownChoice', None),
        (f'{LENS}/model', 'omni', 'File.UnknownChoice', None),
        (f'{LENS}/distortion_model', 'plumb_bob', 'File.UnknownChoice', None),
        (f'{LENS}/fx', 0.0, 'Calibration.FocalLength', None),
        (f'{LENS}/fy', -1500.0, 'Calibration.FocalLength', None),
        (f'{LENS}/fy', 500.0, 'Calibration.FocalUnequal', None),
        (f'{LENS}/cx', 2000.0, 'Calibration.CenterOutside', None),
        (f'{LENS}/cy', '540px', 'File.NotNumber', None),
        (f'{LENS}/k1', 1e5, 'Calibration.Coefficient', None),
        (f'{LENS}/k4', 0.1, 'Calibration.CoefficientUnused', None),
        (f'{LENS}/k1', -2.0, 'Calibration.LensFolds', LENS),
        (f'{LENS}/model', 'fisheye', 'Calibration.UnusualLens', LENS),
        (LENS, {**BENT, 'p1': 0.1}, 'Calibration.CoefficientUnused', f'{LENS}/p1'),
        (f'{FRONT}/extrinsics/translation', [0.0, 0.0], 'File.WrongLength', None),
        (f'{FRONT}/extrinsics/translation', [2000.0, 0.0, 1500.0], 'Calibration.FarMount', None),
        (f'{FRONT}/extrinsics/rotation_quat', [0, 0, 0, 0], 'Calibration.QuaternionZero', None),
        (f'{FRONT}/extrinsics/rotation_quat', [0, 0, 1.57], 'File.WrongLength', None),
        (f'{FRONT}/extrinsics/rotation_quat/0', 0.5001, 'Calibration.QuaternionNotUnit', 'up'),
        (f'{FRONT}/extrinsics/rotation_quat/0', -0.501, 'Calibration.QuaternionRounded', 'up'),
        (f'{FRONT}/rate_hz', 0, 'Calibration.Rate', None),
        (f'{FRONT}/rate_hz', '1e1', 'File.NumberAsText', None),
        (f'{TOP}/rate_hz', -20.0, 'Calibration.Rate', None),
        (f'{SPEC}/channels', 0, 'Calibration.Channels', None),
        (f'{SPEC}/channels', 128.0, 'File.NotWhole', None),
        (f'{SPEC}/horizontal_resolution', 0.0, 'Calibration.HorizontalResolution', None),
        (
            f'{SPEC}/horizontal_resolution',
            0.0035,
            'Calibration.HorizontalResolutionSmall',
            None,
        ),
        (f'{SPEC}/vertical_fov', [15.0, -25.0], 'Calibration.VerticalViewReversed', None),
        (f'{SPEC}/vertical_fov', [-0.436, 0.262], 'Calibration.VerticalViewSmall', None),
        (f'{SPEC}/vertical_fov/1', 95.0, 'Calibration.VerticalView', None),
        (f'{SPEC}/vertical_fov', 40.0, 'File.NotList', None),
        (f'{SPEC}/max_range', 0.0, 'Calibration.MaxRange', None),
        (f'{SPEC}/min_range', -1.0, 'Calibration.MinRange', None),
        (f'{SPEC}/max_range', 0.5, 'Calibration.RangesReversed', None),
        (f'{SPEC}/model', 128, 'File.NotText', None),
    ],
)
def test_each_fault_has_its_code_and_place(calibration, pointer, item, code, where):
    """One fault gives one finding, at its place."""
    if code == 'Calibration.QuaternionNotUnit':
        item = 0.6
    place = pointer.rsplit('/', 1)[0] if where == 'up' else where or pointer
    assert calibration.read_changed(pointer, item)[1] == [(code, place)]


def test_focal_lengths_in_other_units_are_suspicious(calibration):
    """Millimeters and fractions of the width are numbers, but not of pixels."""
    lens = {**VALID['cameras']['front']['intrinsics'], 'fx': 8.0, 'fy': 8.0}
    found = calibration.read_changed(LENS, lens)[1]
    assert ('Calibration.FocalUnusual', f'{LENS}/fx') in found


@pytest.mark.parametrize('name', ['0', 'front camera', 'front/left', '前'])
def test_sensors_have_names_that_topics_can_have(calibration, name):
    """front/camera_info is made of them; other names are read and reported."""
    front = VALID['cameras']['front']
    value, found = calibration.read_changed('/cameras', {name: front})
    assert name in value.cameras
    assert found == [('Calibration.SensorName', '/cameras/' + name.replace('/', '~1'))]


def test_a_sensor_called_no_is_reported(calibration):
    """YAML reads the key as false: it is read as written, and reported."""
    text = 'version: "1.0.0"\ncameras: {}\nlidars:\n  no: {frame_id: a}\n'
    _, found = calibration.read(text)
    assert found[0] == ('File.KeyNotText', '/lidars/no')


def test_real_calibrations_can_be_written_so(calibration, shared_data):
    """KITTI's color camera, unrectified: five coefficients, and its lens does not fold."""
    lines = shared_data('bundle/kitti_2011_09_26_cam02_cam03.txt').read_text().splitlines()
    values = {key: line.split() for key, line in (each.split(':', 1) for each in lines)}
    (fx, cx, fy, cy), size = (
        [float(values['K_02'][index]) for index in (0, 2, 4, 5)],
        [int(float(each)) for each in values['S_02']],
    )
    names = ('k1', 'k2', 'p1', 'p2', 'k3')
    lens = {
        'model': 'pinhole',
        'distortion_model': 'radtan',
        'fx': fx,
        'fy': fy,
        'cx': cx,
        'cy': cy,
        **dict(zip(names, map(float, values['D_02']), strict=True)),
    }
    camera = {**VALID['cameras']['front'], 'intrinsics': lens}
    camera |= {'image_width': size[0], 'image_height': size[1]}
    value, found = calibration.read_changed(FRONT, camera)
    assert not found
    assert value.cameras['front'].coefficients == tuple(map(float, values['D_02']))


ANYTHING = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=9)
    | st.lists(st.floats(), max_size=5)
)


@given(
    pointer=st.sampled_from(
        [FRONT, LENS, TOP, SPEC, f'{FRONT}/extrinsics']
        + [f'{LENS}/{name}' for name in (*VALID['cameras']['front']['intrinsics'], 'k3', 'k4')]
        + [f'{SPEC}/{name}' for name in VALID['lidars']['top']['spec']]
        + [f'{FRONT}/extrinsics/{name}' for name in ('translation', 'rotation_quat')]
    ),
    item=ANYTHING,
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_content_of_a_field_is_a_value_or_a_finding(calibration, pointer, item):
    """Any content at any place is read or reported."""
    calibration.read_changed(pointer, item)
