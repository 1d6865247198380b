# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Point clouds from arrays and back; a wrong argument fails an assertion, as in the original."""

# ruff: noqa: S101
from __future__ import annotations

import array
import sys
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.recfunctions import structured_to_unstructured, unstructured_to_structured
from sensor_msgs.msg import PointCloud2, PointField

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from std_msgs.msg import Header

DUMMY_FIELD_PREFIX = 'unnamed_field'
DTYPES: dict[int, np.dtype[np.generic]] = {
    PointField.INT8: np.dtype(np.int8),
    PointField.UINT8: np.dtype(np.uint8),
    PointField.INT16: np.dtype(np.int16),
    PointField.UINT16: np.dtype(np.uint16),
    PointField.INT32: np.dtype(np.int32),
    PointField.UINT32: np.dtype(np.uint32),
    PointField.FLOAT32: np.dtype(np.float32),
    PointField.FLOAT64: np.dtype(np.float64),
}


def read_points(
    cloud: PointCloud2,
    field_names: Sequence[str] | None = None,
    skip_nans: bool = False,
    uvs: Iterable[int] | None = None,
    reshape_organized_cloud: bool = False,
) -> NDArray[np.void]:
    """
    Return the points of a cloud.

    Parameters
    ----------
    cloud
        Message to read.
    field_names
        Names of the fields to read (default: all).
    skip_nans
        Leave out points with a NaN in these fields, unless the cloud is marked as dense.
    uvs
        Indices of the points to read (default: all).
    reshape_organized_cloud
        Return an array of shape (width, height) if the cloud has more than one row.

    Returns
    -------
    structured array, shape (n,)
        In the cloud's units and frame.

    """
    assert isinstance(cloud, PointCloud2), 'cloud is not a sensor_msgs.msg.PointCloud2'
    dtype = dtype_from_fields(cloud.fields, cloud.point_step)
    points: NDArray[np.void] = np.ndarray(cloud.width * cloud.height, dtype, cloud.data)
    names = list(dtype.names or ()) if field_names is None else list(field_names)
    if field_names is not None:
        assert set(names) <= set(dtype.names or ()), 'the cloud lacks a field asked for'
        points = points[names]
    if cloud.is_bigendian != (sys.byteorder == 'big'):
        points = points.byteswap()
    if skip_nans and not cloud.is_dense:
        points = points[~np.any([np.isnan(points[name]) for name in names], axis=0)]
    if uvs is not None:
        points = points[uvs if isinstance(uvs, np.ndarray) else np.fromiter(uvs, int)]
    if reshape_organized_cloud and cloud.height > 1:
        points = points.reshape(cloud.width, cloud.height)
    return points


def read_points_numpy(
    cloud: PointCloud2,
    field_names: Sequence[str] | None = None,
    skip_nans: bool = False,
    uvs: Iterable[int] | None = None,
    reshape_organized_cloud: bool = False,
) -> NDArray[np.generic]:
    """Return the points of a cloud as a plain array, shape (n, fields); arguments as above."""
    # The original compares the requested fields with the first field of the cloud.
    asked = [field for field in cloud.fields if field_names is None or field.name in field_names]
    assert _is_uniform([cloud.fields[0], *asked]), 'the fields differ in type: use read_points()'
    return structured_to_unstructured(
        read_points(cloud, field_names, skip_nans, uvs, reshape_organized_cloud)
    )


def create_cloud(
    header: Header,
    fields: Sequence[PointField],
    points: Iterable[Sequence[float]] | NDArray[np.generic],
    point_step: int | None = None,
) -> PointCloud2:
    """
    Return a cloud of points.

    Parameters
    ----------
    header
        Stamp and frame.
    fields
        Fields of a point.
    points
        Structured array of the fields' dtype, plain array, shape (n, fields), or sequence of
        points. One more axis makes it an organized cloud, shape (width, height).
    point_step
        Size of a point [bytes] (default: that of its fields).

    """
    dtype = dtype_from_fields(fields, point_step)
    if not isinstance(points, np.ndarray):
        points = np.array([tuple(point) for point in points], dtype=dtype)
    elif points.dtype.names is None:
        assert _is_uniform(fields), 'the fields differ in type: pass a structured array'
        points = unstructured_to_structured(points, dtype=dtype)
    else:
        assert points.dtype == dtype, 'the dtype of the points is not that of the fields'
    assert points.ndim <= 2, 'a cloud has at most two dimensions'
    cloud = PointCloud2(
        header=header,
        height=points.shape[1] if points.ndim > 1 else 1,
        width=points.shape[0],
        is_dense=False,
        is_bigendian=sys.byteorder == 'big',
        fields=fields,
        point_step=dtype.itemsize,
        row_step=dtype.itemsize * points.shape[0],
    )
    # The property takes an array without checks; anything else is checked byte by byte.
    data = array.array('B')
    data.frombytes(memoryview(points).cast('B'))  # type: ignore[arg-type]
    cloud.data = data
    return cloud


def create_cloud_xyz32(
    header: Header, points: Iterable[Sequence[float]] | NDArray[np.generic]
) -> PointCloud2:
    """Return a cloud with the float32 fields x, y, z."""
    fields = [
        PointField(name=name, offset=4 * index, datatype=PointField.FLOAT32, count=1)
        for index, name in enumerate('xyz')
    ]
    return create_cloud(header, fields, points)


def dtype_from_fields(
    fields: Iterable[PointField], point_step: int | None = None
) -> np.dtype[np.void]:
    """Return the dtype of a point; a field with a count becomes as many, name_0 and so on."""
    names: list[str] = []
    formats: list[np.dtype[np.generic]] = []
    offsets: list[int] = []
    for index, field in enumerate(fields):
        assert field.count > 0, "Can't process fields with count = 0."
        dtype = DTYPES[field.datatype]
        name = field.name or f'{DUMMY_FIELD_PREFIX}_{index}'
        names += [name] if field.count == 1 else [f'{name}_{i}' for i in range(field.count)]
        formats += [dtype] * field.count
        offsets += [field.offset + i * dtype.itemsize for i in range(field.count)]
    assert len(set(names)) == len(names), 'Duplicate field names are not allowed!'
    layout: dict[str, object] = {'names': names, 'formats': formats, 'offsets': offsets}
    if point_step is not None:
        layout['itemsize'] = point_step
    return np.dtype(layout)  # type: ignore[call-overload,no-any-return]


def _is_uniform(fields: Sequence[PointField]) -> bool:
    return len({field.datatype for field in fields}) == 1
