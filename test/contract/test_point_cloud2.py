# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The behavior of sensor_msgs_py.point_cloud2 that world_model expects, real or stand-in."""

import array

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sensor_msgs.msg import PointCloud2, PointField
from sensor_msgs_py import point_cloud2
from std_msgs.msg import Header

XYZ = [(1.0, 2.0, 3.0), (4.0, 5.0, 6.0), (7.0, 8.0, 9.0), (10.0, 11.0, 12.0)]
MIXED = [
    PointField(name='x', offset=0, datatype=PointField.FLOAT64, count=1),
    PointField(name='id', offset=8, datatype=PointField.UINT16, count=1),
    PointField(name='rgb', offset=12, datatype=PointField.UINT8, count=3),
]


def cloud_of(points):
    """Return a cloud of x, y, z in the frame "map"."""
    return point_cloud2.create_cloud_xyz32(Header(frame_id='map'), points)


@given(st.lists(st.tuples(*[st.floats(width=32, allow_nan=False)] * 3), min_size=1))
def test_points_come_back_unchanged(points):
    """Reading a created cloud gives the same numbers."""
    read = point_cloud2.read_points_numpy(cloud_of(points))
    np.testing.assert_array_equal(read, np.array(points, dtype=np.float32))


@pytest.mark.parametrize('points', [XYZ, np.array(XYZ), np.array(XYZ, np.float32)])
def test_layout_of_an_xyz_cloud(points):
    """A cloud has one row, three float32 fields, 12 bytes per point, and is not dense."""
    cloud = cloud_of(points)
    assert (cloud.height, cloud.width, cloud.point_step, cloud.row_step) == (1, 4, 12, 48)
    assert [(f.name, f.offset, f.datatype, f.count) for f in cloud.fields] == [
        ('x', 0, PointField.FLOAT32, 1),
        ('y', 4, PointField.FLOAT32, 1),
        ('z', 8, PointField.FLOAT32, 1),
    ]
    assert cloud.header.frame_id == 'map'
    assert not cloud.is_dense
    assert not cloud.is_bigendian
    assert isinstance(cloud.data, array.array)
    assert bytes(cloud.data) == np.array(XYZ, '<f4').tobytes()


def test_mixed_fields_give_a_structured_array():
    """Fields keep their types; a field with a count becomes as many fields."""
    dtype = point_cloud2.dtype_from_fields(MIXED)
    assert dtype.names == ('x', 'id', 'rgb_0', 'rgb_1', 'rgb_2')
    points = np.array([(1.5, 7, 1, 2, 3), (2.5, 8, 4, 5, 6)], dtype=dtype)
    cloud = point_cloud2.create_cloud(Header(), MIXED, points)
    np.testing.assert_array_equal(point_cloud2.read_points(cloud), points)
    np.testing.assert_array_equal(
        point_cloud2.read_points(cloud, field_names=['id', 'x'])['id'], [7, 8]
    )


def test_point_step_leaves_room_behind_the_fields():
    """A point step larger than the fields pads each point."""
    fields = cloud_of(XYZ).fields
    cloud = point_cloud2.create_cloud(Header(), fields, XYZ, point_step=16)
    assert (cloud.point_step, len(cloud.data)) == (16, 64)
    np.testing.assert_array_equal(point_cloud2.read_points_numpy(cloud), XYZ)


def test_field_names_choose_columns():
    """Only the requested fields are read."""
    cloud = cloud_of(XYZ)
    assert point_cloud2.read_points(cloud, field_names=('x', 'z')).dtype.names == ('x', 'z')
    np.testing.assert_array_equal(
        point_cloud2.read_points_numpy(cloud, field_names=['x', 'z']), np.array(XYZ)[:, [0, 2]]
    )


@pytest.mark.parametrize('uvs', [[2, 0], iter([2, 0]), np.array([2, 0])])
def test_uvs_choose_points(uvs):
    """Only the requested points are read, in the requested order."""
    read = point_cloud2.read_points_numpy(cloud_of(XYZ), uvs=uvs)
    np.testing.assert_array_equal(read, [XYZ[2], XYZ[0]])


def test_skip_nans_drops_points_with_a_nan_in_the_fields_read():
    """A NaN drops its point where its field is read and the cloud is not called dense."""
    cloud = cloud_of([(1.0, np.nan, 3.0), (4.0, 5.0, 6.0)])
    assert len(point_cloud2.read_points(cloud)) == 2
    assert len(point_cloud2.read_points(cloud, skip_nans=True)) == 1
    assert len(point_cloud2.read_points(cloud, ['x', 'z'], skip_nans=True)) == 2
    cloud.is_dense = True
    assert len(point_cloud2.read_points(cloud, skip_nans=True)) == 2


def test_organized_cloud_keeps_its_shape():
    """An array of shape (width, height) becomes a cloud of that size, and can be read as such."""
    dtype = point_cloud2.dtype_from_fields(cloud_of(XYZ).fields)
    points = np.zeros((3, 2), dtype)
    points['x'] = np.arange(6).reshape(3, 2)
    cloud = point_cloud2.create_cloud(Header(), cloud_of(XYZ).fields, points)
    assert (cloud.width, cloud.height) == (3, 2)
    assert point_cloud2.read_points(cloud).shape == (6,)
    read = point_cloud2.read_points(cloud, reshape_organized_cloud=True)
    np.testing.assert_array_equal(read, points)


def test_big_endian_cloud_is_read():
    """A cloud from a machine with the other byte order has the same numbers."""
    cloud = cloud_of(XYZ)
    cloud.data = array.array('B', np.array(XYZ, '>f4').tobytes())
    cloud.is_bigendian = True
    np.testing.assert_array_equal(point_cloud2.read_points_numpy(cloud), XYZ)


def test_empty_cloud_has_no_points():
    """A cloud without points can be created and read."""
    cloud = cloud_of([])
    assert (cloud.width, cloud.row_step, len(cloud.data)) == (0, 0, 0)
    assert point_cloud2.read_points_numpy(cloud).shape == (0, 3)


@pytest.mark.parametrize(
    'wrong',
    [
        lambda: point_cloud2.read_points('not a cloud'),
        lambda: point_cloud2.read_points(cloud_of(XYZ), field_names=['intensity']),
        lambda: point_cloud2.read_points_numpy(
            point_cloud2.create_cloud(Header(), MIXED, [(1.5, 7, 1, 2, 3)])
        ),
        lambda: point_cloud2.create_cloud(Header(), MIXED, np.zeros((4, 5))),
        lambda: point_cloud2.create_cloud(Header(), MIXED, np.zeros(4, [('x', 'f4')])),
        lambda: point_cloud2.create_cloud(Header(), [*MIXED, MIXED[0]], [(1, 2, 3, 4, 5, 6)]),
        lambda: point_cloud2.create_cloud(Header(), [PointField(name='x', datatype=7)], [(1,)]),
    ],
    ids=['type', 'field', 'mixed', 'plain', 'dtype', 'twice', 'count'],
)
def test_wrong_arguments_fail_an_assertion(wrong):
    """Invalid arguments are rejected, and not converted."""
    with pytest.raises(AssertionError):
        wrong()


def test_cloud_is_a_message():
    """The result can be published without a conversion."""
    assert isinstance(cloud_of(XYZ), PointCloud2)
