# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Reader and writer of heightmap.bin, a grid of little-endian float32 numbers, and heightmap.yaml.

Heights are absolute in the map. The contract also defines origin.z, but not that it is added to
the heights, and its example of a reader ignores it. This reader ignores it too, and reports a
value other than 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.bundle.bundle_paths import Version
from world_model_core.bundle.geometry.heightmap import Heightmap
from world_model_core.bundle.geometry.heightmap_checks import ITEM, check_heights
from world_model_core.files.file_findings import FileFindings
from world_model_core.files.json_yaml_writer import yaml_text
from world_model_core.files.mapping_schemas import MappingSchema, read_mapping
from world_model_core.files.parsed_document import LFS_POINTER
from world_model_core.files.value_schemas import METERS, Integer, Number
from world_model_core.files.yaml_reader import read_yaml

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from world_model_core.files.parsed_document import ValueLocation
    from world_model_core.findings import Findings

# Maximum number of nodes along an axis.
MAX_NODES = 2**31
# Maximum distance of neighboring nodes [m].
MAX_RESOLUTION = 1e4


def read_heightmap(
    data_path: Path, meta_path: Path, data_file: str, meta_file: str, findings: Findings
) -> Heightmap | None:
    """
    Read a heightmap, and check all heights.

    Parameters
    ----------
    data_path, meta_path : Path
        heightmap.bin and heightmap.yaml.
    data_file, meta_file : str
        Names of the files in findings.
    findings : Findings
        Receives the findings.

    Returns
    -------
    Heightmap or None
        Memory-mapped and read-only; None after an error in either file.

    """
    meta = read_mapping(read_yaml(meta_path, meta_file, findings), META)
    file_findings = FileFindings(data_file, findings)
    try:
        if not _is_data(data_path, file_findings) or meta is None:
            return None
        shape = meta['height'], meta['width']
        _check_size(data_path, shape, file_findings)
        if not file_findings.errors:
            check_heights(data_path, (meta['min_height'], meta['max_height']), file_findings)
        return None if file_findings.errors else _heightmap(meta, _map(data_path, shape))
    except OSError as error:
        file_findings.add('File.Unreadable', found=error.strerror or error)
        return None


def write_heightmap(data_path: Path, meta_path: Path, heightmap: Heightmap) -> None:
    """
    Write a heightmap as heightmap.bin and heightmap.yaml.

    Raises
    ------
    OSError
        A file cannot be written.

    """
    with data_path.open('wb') as stream:
        for row in heightmap.heights:
            stream.write(row.astype(ITEM).tobytes())
    meta_path.write_text(yaml_text(_document(heightmap)), encoding='utf-8')


def _is_data(path: Path, file_findings: FileFindings) -> bool:
    """Return whether a file contains data; report a pointer of Git LFS."""
    with path.open('rb') as stream:
        if stream.read(len(LFS_POINTER)) != LFS_POINTER:
            return True
    file_findings.add('File.LfsPointer', 'byte 0')
    return False


def _check_size(path: Path, shape: tuple[int, int], file_findings: FileFindings) -> None:
    found, expected = path.stat().st_size, shape[0] * shape[1] * ITEM.itemsize
    if found != expected:
        values = {'found': found, 'due': expected, 'height': shape[0], 'width': shape[1]}
        file_findings.add('Heightmap.WrongSize', f'byte {min(found, expected)}', **values)


def _map(path: Path, shape: tuple[int, int]) -> NDArray[np.float32]:
    # A plain array: slicing a memmap object takes several times as long.
    return np.asarray(np.memmap(path, ITEM, 'r', shape=shape))


def _check_meta(fields: dict[str, Any], location: ValueLocation) -> dict[str, Any]:
    """Check the range of heights, and report an origin.z other than 0."""
    if fields['min_height'] > fields['max_height']:
        values = {'found': fields['min_height'], 'limit': fields['max_height']}
        location.member('min_height').report('Heightmap.RangeReversed', **values)
    if fields['origin']['z'] != 0.0:
        where = location.member('origin').member('z')
        where.report('Heightmap.OriginHeight', found=f'{fields["origin"]["z"]:g}')
    return fields


def _heightmap(meta: dict[str, Any], heights: NDArray[np.float32]) -> Heightmap:
    return Heightmap(
        version=meta['version'],
        heights=heights,
        resolution=meta['resolution'],
        origin=(meta['origin']['x'], meta['origin']['y']),
        height_range=(meta['min_height'], meta['max_height']),
        reference_height=meta['origin']['z'],
        extra=meta['extra'],
    )


def _document(heightmap: Heightmap) -> dict[str, Any]:
    rows, columns = heightmap.heights.shape
    x, y = heightmap.origin
    lowest, highest = heightmap.height_range
    return {
        'version': heightmap.version,
        'width': columns,
        'height': rows,
        'resolution': float(heightmap.resolution),
        'origin': {'x': float(x), 'y': float(y), 'z': float(heightmap.reference_height)},
        'min_height': float(lowest),
        'max_height': float(highest),
        **heightmap.extra,
    }


META = MappingSchema(
    {
        'version': Version(),
        'width': Integer(1, MAX_NODES),
        'height': Integer(1, MAX_NODES),
        'resolution': Number(0.0, MAX_RESOLUTION, open_low=True),
        'origin': MappingSchema({'x': METERS, 'y': METERS, 'z': METERS}),
        'min_height': METERS,
        'max_height': METERS,
    },
    _check_meta,
)
