# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Reader and writer of drivable.geojson: polygons in the map as a GeoJSON FeatureCollection.

Coordinates are meters in the map, which RFC 7946 does not support: therefore the file has the
member crs of GeoJSON 2008. Each polygon of a MultiPolygon becomes a DrivablePolygon.
"""

from __future__ import annotations

import math
import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import shapely

from world_model_core.bundle.bundle_paths import Version
from world_model_core.bundle.geometry.drivable_area import DrivableArea, DrivablePolygon
from world_model_core.bundle.geometry.drivable_area_checks import (
    PolygonPart,
    check_areas,
    check_parts,
)
from world_model_core.bundle.geometry.geojson_polygons import PolygonReader, as_list
from world_model_core.files.json_reader import read_json
from world_model_core.files.json_yaml_writer import json_text
from world_model_core.files.mapping_schemas import (
    ALIKE,
    MappingSchema,
    OpenMappingSchema,
    is_mapping,
    optional,
)
from world_model_core.files.parsed_document import UNUSABLE, shown
from world_model_core.files.value_schemas import AnyValue, Number, OneOf, Text

if TYPE_CHECKING:
    from pathlib import Path

    from world_model_core.files.parsed_document import ParsedDocument, ValueLocation
    from world_model_core.findings import Findings

# Areas of a city have 1 to 50 MB; parsed, they take ten times as much memory [bytes].
LARGEST = 128 * 2**20
# Maximum speed limit of a road [km/h].
FASTEST = 400.0
KMH = 3.6  # [km/h] per [m/s]
POLYGONS = ('Polygon', 'MultiPolygon')
# Names of systems that measure the Earth, not the map: EPSG codes, and OGC's for degrees.
EARTH_CRS = re.compile(r'EPSG|CRS:?84|WGS|JGD|UTM|^urn:', re.IGNORECASE)
# Maximum length of an unknown property that is compared with the known ones [characters].
LONGEST_NAME = 100
# Significant digits that identify any number of double precision.
DIGITS = 17


def read_drivable(path: Path, file: str, findings: Findings) -> DrivableArea | None:
    """
    Read the drivable area of a scene.

    Parameters
    ----------
    path : Path
    file : str
        Name of the file in findings.
    findings : Findings
        Receives the findings. Errors are by polygon; overlaps are warnings.

    Returns
    -------
    DrivableArea or None
        None after an error, or if there is no drivable area.

    """
    document = read_json(path, file, findings, LARGEST)
    if document is None:
        return None
    notes, reader = document.notes, _Reader()
    drivable = reader.read(document)
    check_parts(reader.parts)
    if drivable is not None and not notes.errors:
        check_areas(drivable, reader.parts, document.root)
    return None if notes.errors else drivable


def write_drivable(path: Path, drivable: DrivableArea) -> None:
    """
    Write the drivable area of a scene.

    Raises
    ------
    OSError
        The file cannot be written.

    """
    path.write_text(json_text(_document(drivable)), encoding='utf-8')


class _Reader:
    """
    Reads one file.

    Attributes
    ----------
    parts : list of PolygonPart
        Polygons that could be read.

    """

    def __init__(self) -> None:
        self.parts: list[PolygonPart] = []
        self._polygons = PolygonReader()
        self._geometries = 0
        # The first place of each property that the contract does not define.
        self._unknown: dict[str, ValueLocation] = {}

    def read(self, document: ParsedDocument) -> DrivableArea | None:
        """Read the whole document; return None if its type is unknown."""
        value, location = document.value, document.root
        if not is_mapping(value, location):
            return None
        kind = Text().read(value['type'], location.member('type')) if 'type' in value else None
        if kind == 'FeatureCollection' or 'type' not in value:
            return self._collection(value, location)
        if kind != 'Feature' and kind not in POLYGONS:
            if kind is not None:
                location.member('type').report('Drivable.NotGeoJson', found=kind)
            return None
        location.report('Drivable.NotCollection', found=kind)
        if kind == 'Feature':
            self._feature(value, location)
        else:
            self._geometry(value, location, {})
        return self._drivable(None, {})

    def _collection(self, value: dict[str, Any], location: ValueLocation) -> DrivableArea | None:
        fields = COLLECTION.read(value, location)
        features = value.get('features', UNUSABLE)
        for index, each in enumerate(as_list(features, location.member('features'))):
            self._feature(each, location.member('features').member(index))
        if fields is None:
            return self._drivable(None, {})
        crs = None if fields['crs'] is None else fields['crs']['properties']['name']
        _check_crs(crs, location.member('crs'))
        version = {} if fields['version'] is None else {'version': fields['version']}
        return self._drivable(crs, {**version, **fields['extra']})

    def _feature(self, value: Any, location: ValueLocation) -> None:
        FEATURE.read(value, location)
        if isinstance(value, dict):
            rules = self._rules(value.get('properties', UNUSABLE), location.member('properties'))
            self._geometry(value.get('geometry', UNUSABLE), location.member('geometry'), rules)

    def _rules(self, value: Any, location: ValueLocation) -> dict[str, Any]:
        """Read what applies in an area, as arguments of Area."""
        fields = RULES.read(value, location)
        if fields is None:
            return {}
        for name in fields['extra']:
            self._unknown.setdefault(name, location.member(name))
        limit = fields['speed_limit']
        speed = None if limit is None else limit / KMH
        return {
            'type': fields['type'],
            'speed_limit': speed,
            'priority': fields['priority'],
            'extra': fields['extra'],
        }

    def _geometry(self, value: Any, location: ValueLocation, rules: dict[str, Any]) -> None:
        if value is None:
            location.report('Drivable.NoGeometry')
            return
        if not is_mapping(value, location):
            return
        kind, here = value.get('type'), location.member('coordinates')
        if kind not in POLYGONS:
            if kind is not UNUSABLE:
                location.member('type').report('Drivable.NotPolygon', found=shown(kind))
        elif 'coordinates' not in value:
            here.report('File.MissingField', found='coordinates')
        elif kind == 'Polygon':
            self._part(value['coordinates'], here, rules)
        else:
            for index, each in enumerate(as_list(value['coordinates'], here)):
                self._part(each, here.member(index), rules)
        self._geometries += 1

    def _part(self, value: Any, location: ValueLocation, rules: dict[str, Any]) -> None:
        polygon = self._polygons.read(value, location)
        if polygon is not None:
            self.parts.append(
                PolygonPart(DrivablePolygon(polygon, **rules), location, self._geometries)
            )

    def _drivable(self, crs: str | None, extra: dict[str, Any]) -> DrivableArea:
        self._polygons.report_repairs()
        for name, location in self._unknown.items():
            similar = get_close_matches(name[:LONGEST_NAME], tuple(RULES.fields), 1, ALIKE)
            if similar:
                location.report('File.MisspelledField', found=name, similar=similar[0])
        return DrivableArea(tuple(each.area for each in self.parts), crs, extra)


def _check_crs(name: str | None, location: ValueLocation) -> None:
    if name is None:
        location.report('Drivable.CrsAbsent')
    elif EARTH_CRS.search(name):
        location.report('Drivable.CrsOfEarth', found=name)


def _document(drivable: DrivableArea) -> dict[str, Any]:
    crs = drivable.crs
    named = {} if crs is None else {'crs': {'type': 'name', 'properties': {'name': crs}}}
    features = [_feature_document(each) for each in drivable.areas]
    return {'type': 'FeatureCollection', **named, **drivable.extra, 'features': features}


def _feature_document(area: DrivablePolygon) -> dict[str, Any]:
    limit = None if area.speed_limit is None else kmh_of(area.speed_limit)
    rules = {'type': area.type, 'speed_limit': limit, 'priority': area.priority}
    said = {name: each for name, each in rules.items() if each is not None}
    rings = (area.polygon.exterior, *area.polygon.interiors)
    coordinates = [
        shapely.get_coordinates(each, include_z=area.polygon.has_z).tolist() for each in rings
    ]
    return {
        'type': 'Feature',
        'geometry': {'type': 'Polygon', 'coordinates': coordinates},
        'properties': {**said, **area.extra},
    }


def kmh_of(speed: float) -> float:
    """Find the shortest number of km/h that is read as a speed [m/s], or as the one next to it."""
    exact = speed * KMH
    rounded = (float(f'{exact:.{digits}g}') for digits in range(1, DIGITS + 1))
    beside = (math.nextafter(exact, -math.inf), math.nextafter(exact, math.inf))
    return next((each for each in (*rounded, *beside) if each / KMH == speed), exact)


CRS = MappingSchema({'type': Text(), 'properties': MappingSchema({'name': Text()})})
COLLECTION = OpenMappingSchema(
    {
        'type': Text(),
        'features': AnyValue(),
        'crs': optional(CRS),
        'version': optional(Version()),
    }
)
FEATURE = OpenMappingSchema(
    {'type': OneOf({'Feature': 'Feature'}), 'geometry': AnyValue(), 'properties': AnyValue()}
)
RULES = OpenMappingSchema(
    {
        'type': Text(),
        'speed_limit': optional(Number(0.0, FASTEST, True, 'Drivable.SpeedLimit')),
        'priority': optional(Number()),
    }
)
