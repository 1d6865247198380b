# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""timebase.yaml: time steps, rates and the initial pose."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from world_model_core.bundle.scene.timebase import read_timebase

VALID = {
    'version': '1.0.0',
    'simulation': {'dt': 0.01, 'start_time': 5.0},
    'sensor_rates': {'camera': 12.0, 'lidar': 20},
    'initial_pose': {
        'position': [1.0, 2.0, 0.5],
        'orientation': [0.0, 0.0, 0.6, 0.8],
        'velocity': [3.0, 0.0, 0.0],
    },
}
POSE = '/initial_pose'


@pytest.fixture
def timebase(small_file):
    """Return timebase.yaml as a small file."""
    return small_file(read_timebase, 'timebase.yaml', VALID)


def test_every_field_has_a_typed_attribute(timebase):
    """All fields of the contract are in the value; a valid file has no finding."""
    value, found = timebase.read(VALID)
    assert not found
    assert (value.dt, value.start_time) == (0.01, 5.0)
    assert value.sensor_rates == {'camera': 12.0, 'lidar': 20.0}
    np.testing.assert_array_equal(value.initial.pose.translation, (1.0, 2.0, 0.5))
    # A rotation to the left by 2 atan2(0.6, 0.8).
    np.testing.assert_allclose(value.initial.pose.rotation[:, 0], (0.28, 0.96, 0.0), atol=1e-12)
    np.testing.assert_array_equal(value.initial.velocity, (3.0, 0.0, 0.0))


@pytest.mark.parametrize('pose', [None, {}, 'gone'])
def test_without_a_pose_the_robot_is_at_the_origin(timebase, gone, pose):
    """The contract defines this for an empty pose."""
    value, found = timebase.read_changed(POSE, gone if pose == 'gone' else pose)
    assert not found
    np.testing.assert_array_equal(value.initial.pose.translation, np.zeros(3))
    np.testing.assert_array_equal(value.initial.pose.rotation, np.eye(3))
    np.testing.assert_array_equal(value.initial.velocity, np.zeros(3))


@pytest.mark.parametrize(
    'pointer', ['/version', '/simulation', '/simulation/dt', '/simulation/start_time']
)
def test_required_fields_must_be_there(timebase, gone, pointer):
    """A missing field gives one error, at its place."""
    assert timebase.read_changed(pointer, gone)[1] == [('File.MissingField', pointer)]


def test_rates_should_be_there(timebase, gone):
    """They only repeat those of calibration.yaml."""
    value, found = timebase.read_changed('/sensor_rates', gone)
    assert value.sensor_rates == {}
    assert found == [('File.FieldAbsent', '/sensor_rates')]


@pytest.mark.parametrize(
    ('pointer', 'item', 'code'),
    [
        ('/simulation/dt', 0.0, 'Timebase.Step'),
        ('/simulation/dt', -0.01, 'Timebase.Step'),
        ('/simulation/dt', 100, 'Timebase.LargeStep'),
        ('/simulation/dt', '1e-2', 'File.NumberAsText'),
        ('/simulation/dt', float('nan'), 'File.NotFinite'),
        ('/simulation/start_time', -1.0, 'Timebase.StartTime'),
        ('/simulation/start_time', 1771065000000, 'Timebase.StartTime'),
        ('/simulation/start_time', float('inf'), 'File.NotFinite'),
        ('/sensor_rates/camera', 0.0, 'Timebase.Rate'),
        ('/sensor_rates/lidar', '20 Hz', 'File.NotNumber'),
        ('/sensor_rates', [12.0, 20.0], 'File.NotMapping'),
        (POSE, [0.0, 0.0, 0.0], 'File.NotMapping'),
        (f'{POSE}/position', [0.0, 0.0], 'File.WrongLength'),
        (f'{POSE}/position/2', None, 'File.NotNumber'),
        (f'{POSE}/orientation', [0.0, 0.0, 0.0], 'File.WrongLength'),
        (f'{POSE}/orientation', [0.0, 0.0, 0.0, 0.0], 'Timebase.QuaternionZero'),
        (f'{POSE}/orientation', [1.0, 0.0, 0.0, 1.0], 'Timebase.QuaternionNotUnit'),
        (f'{POSE}/orientation', [0.0, 0.0, 0.0, 1.001], 'Timebase.QuaternionRounded'),
        (f'{POSE}/orientation/0', 1e200, 'Timebase.QuaternionNotUnit'),
        (f'{POSE}/velocity', [200.0, 0.0, 0.0], 'Timebase.Fast'),
        ('/simulation/max_time', 10.0, 'File.UnknownField'),
    ],
)
def test_each_fault_has_its_code_and_place(timebase, pointer, item, code):
    """One fault gives one finding, at its place, or at the whole quaternion."""
    where = f'{POSE}/orientation' if pointer.startswith(f'{POSE}/orientation') else pointer
    assert timebase.read_changed(pointer, item)[1] == [(code, where)]


@pytest.mark.parametrize(
    ('written', 'code'),
    [
        ('1e-2', 'File.NumberAsText'),
        ('1.0e2', 'File.NumberAsText'),
        ("'0.01'", 'File.NumberAsText'),
        ('010', 'File.UnusualNumber'),
        ('1:30', 'File.UnusualNumber'),
        ('1_0', 'File.UnusualNumber'),
        ('0x1f', 'File.UnusualNumber'),
        ('yes', 'File.NotNumber'),
        ('2026-02-14', 'File.NotNumber'),
    ],
)
def test_numbers_that_yaml_converts_are_reported(timebase, written, code):
    """PyYAML does not read the number that is written in the file."""
    text = f'version: "1.0.0"\nsimulation: {{dt: 0.01, start_time: {written}}}\nsensor_rates: {{}}'
    assert timebase.read(text)[1] == [(code, '/simulation/start_time')]


@given(
    position=st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3),
    quaternion=st.lists(st.floats(-1.0, 1.0), min_size=4, max_size=4),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_poses_are_read_if_their_quaternion_is_unit(timebase, position, quaternion):
    """Every unit quaternion is read, and any other length is reported."""
    length = float(np.linalg.norm(quaternion))
    pose = {'position': position, 'orientation': quaternion}
    value, found = timebase.read_changed(POSE, pose)
    assert (not found) == (abs(length - 1.0) <= 1e-4)
    if length > 0.5:
        unit = [each / length for each in quaternion]
        value, found = timebase.read_changed(POSE, {'position': position, 'orientation': unit})
        assert not found
        np.testing.assert_allclose(
            value.initial.pose.rotation @ value.initial.pose.rotation.T, np.eye(3), atol=1e-9
        )
