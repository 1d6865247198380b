# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Reader of metadata.json: origin, frames and extent of a scene."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.bundle.bundle_paths import Version
from world_model_core.bundle.sensors.frame_names import frame_name
from world_model_core.bundle.values import (
    CoordinateSystem,
    Extent,
    GeoOrigin,
    Metadata,
    SceneSource,
)
from world_model_core.files.json_reader import read_json
from world_model_core.files.mapping_schemas import (
    DocumentReader,
    MappingOf,
    MappingSchema,
    expected,
    optional,
)
from world_model_core.files.value_schemas import AnyValue, Integer, ListOf, Number, Text

if TYPE_CHECKING:
    from world_model_core.files.parsed_document import ValueLocation

AXES = ('x', 'y', 'z')
FRAMES = ('map_frame', 'odom_frame', 'base_link_frame')
ORIGIN = ('origin_lat', 'origin_lon', 'origin_alt')
# One of these words is in the name of the required convention, and in no other name.
REP_103 = ('REP-103', 'REP 103', 'REP103', 'FLU', 'ENU')
# The unit of the extent, and its synonyms.
METERS = 'meters'
ALSO_METERS = {'m', 'meter', 'meters', 'metre', 'metres'}
# From the deepest trench to the highest orbit of a mapping satellite [m].
ALTITUDES = (-12_000.0, 100_000.0)
# Scenes are streets: an extent of a hundred kilometers has another unit [m].
LARGEST_EXTENT = 1e5
# Sizes of files fit into POSIX's off_t [bytes].
LARGEST_FILE = 2**63 - 1
MD5 = r'[0-9A-Fa-f]{32}'
# ISO 8601 as in RFC 3339: with a time zone, without which the instant is not defined.
INSTANT = re.compile(r'\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)', re.ASCII)


def _make(fields: dict[str, Any], location: ValueLocation) -> Metadata:
    if fields['created_at'] is not None and not _is_instant(fields['created_at']):
        location.member('created_at').report('Metadata.CreatedAt', found=fields['created_at'])
    sensors = fields['sensors'] or {}
    return Metadata(
        version=fields['version'],
        scene_id=fields['scene_id'],
        created_at=fields['created_at'],
        builder_version=fields['builder_version'],
        source=fields['source'],
        coordinate_system=fields['coordinate_system'],
        spatial_extent=fields['spatial_extent'],
        cameras=sensors.get('cameras') or (),
        lidars=sensors.get('lidars') or (),
        processing_info=fields['processing_info'],
        extra=fields['extra'],
    )


def _is_instant(text: str) -> bool:
    """Return whether a text is a time on an existing day."""
    if INSTANT.fullmatch(text) is None:
        return False
    try:
        datetime.fromisoformat(text[:19].upper().replace(' ', 'T'))
    except ValueError:
        return False
    return True


def _source(fields: dict[str, Any], location: ValueLocation) -> SceneSource:
    del location
    names = ('type', 'file', 'md5', 'duration_sec', 'size_bytes')
    return SceneSource(*(fields[name] for name in names))


def _coordinate_system(fields: dict[str, Any], location: ValueLocation) -> CoordinateSystem:
    _check_frames(fields, location)
    convention = fields['convention']
    if not any(word in convention.upper() for word in REP_103):
        location.member('convention').report('Metadata.Convention', found=convention)
    names = {name: fields[name] for name in FRAMES}
    return CoordinateSystem(**names, convention=convention, origin=_origin(fields, location))


def _check_frames(fields: dict[str, Any], location: ValueLocation) -> None:
    """Report frames with equal names."""
    places: dict[str, str] = {}
    for place in FRAMES:
        other = places.setdefault(fields[place], place)
        if other != place:
            location.member(place).report('Metadata.FramesEqual', found=fields[place], other=other)


def _origin(fields: dict[str, Any], location: ValueLocation) -> GeoOrigin | None:
    """Make the geographic origin, which must be complete or absent."""
    given = [name for name in ORIGIN if fields[name] is not None]
    if not given:
        return None
    if len(given) < len(ORIGIN):
        location.report('Metadata.OriginPartial', found=', '.join(given))
        return None
    latitude, longitude, altitude = (fields[name] for name in ORIGIN)
    if latitude == longitude == 0.0:
        location.report('Metadata.OriginAtZero')
    return GeoOrigin(latitude, longitude, altitude)


def _extent(fields: dict[str, Any], location: ValueLocation) -> Extent:
    for axis in AXES:
        low, high = fields[f'min_{axis}'], fields[f'max_{axis}']
        here = location.member(f'min_{axis}')
        values = {'axis': axis, 'low': f'{low:g}', 'high': f'{high:g}'}
        if low > high:
            here.report('Metadata.ExtentReversed', **values)
        elif low == high:
            here.report('Metadata.ExtentFlat', **values)
        elif high - low > LARGEST_EXTENT:
            here.report('Metadata.ExtentLarge', **values, limit=f'{LARGEST_EXTENT:g}')
    if fields['units'] != METERS:
        known = fields['units'].lower() in ALSO_METERS
        code = 'Metadata.UnitsSpelling' if known else 'Metadata.Units'
        location.member('units').report(code, found=fields['units'])
    lowest, highest = ([fields[f'{end}_{axis}'] for axis in AXES] for end in ('min', 'max'))
    return Extent(np.array(lowest), np.array(highest))


def _sensors(fields: dict[str, Any], location: ValueLocation) -> dict[str, Any]:
    for group in ('cameras', 'lidars'):
        known: set[str] = set()
        for index, name in enumerate(fields[group]):
            if name in known:
                here = location.member(group).member(index)
                here.report('Metadata.SensorTwice', found=name)
            known.add(name)
    return fields


_SOURCE = MappingSchema(
    {
        'type': expected(Text()),
        'file': expected(Text()),
        'md5': expected(Text(MD5, 'Metadata.Md5')),
        'duration_sec': expected(Number(0.0, code='Metadata.Duration')),
        'size_bytes': expected(Integer(0, LARGEST_FILE, 'Metadata.Size')),
    },
    _source,
)
_FRAME = frame_name('Metadata')
_COORDINATE_SYSTEM = MappingSchema(
    {
        **dict.fromkeys(FRAMES, _FRAME),
        'convention': Text(),
        'origin_lat': optional(Number(-90.0, 90.0, code='Metadata.Latitude')),
        'origin_lon': optional(Number(-180.0, 180.0, code='Metadata.Longitude')),
        'origin_alt': optional(Number(*ALTITUDES, code='Metadata.Altitude')),
    },
    _coordinate_system,
)
_EXTENT = MappingSchema(
    {f'{end}_{axis}': Number() for axis in AXES for end in ('min', 'max')} | {'units': Text()},
    _extent,
)
_SENSORS = MappingSchema(
    {'cameras': expected(ListOf(Text()), ()), 'lidars': expected(ListOf(Text()), ())}, _sensors
)
_METADATA = MappingSchema(
    {
        'version': Version(),
        'scene_id': Text(),
        'created_at': expected(Text()),
        'builder_version': expected(Text()),
        'source': expected(_SOURCE),
        'coordinate_system': _COORDINATE_SYSTEM,
        'spatial_extent': _EXTENT,
        'sensors': expected(_SENSORS),
        'processing_info': expected(MappingOf(AnyValue()), {}),
    },
    _make,
)
read_metadata: DocumentReader[Metadata] = DocumentReader(read_json, _METADATA)
