# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""drivable.geojson: reading and writing."""

import json

import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from world_model_core.bundle.equality import is_equal
from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.geometry.drivable_area import DrivableArea, DrivablePolygon
from world_model_core.bundle.geometry.drivable_geojson import (
    KMH,
    kmh_of,
    read_drivable,
    write_drivable,
)
from world_model_core.files.json_reader import LARGEST_JSON

FILE = 'drivable.geojson'
ANY_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
RING = '/features/0/geometry/coordinates/0'
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


def square(x, y, size=10.0):
    """Make a closed ring, counterclockwise, with its lower left corner at x, y."""
    right, top = x + size, y + size
    return [[x, y], [right, y], [right, top], [x, top], [x, y]]


def feature(*rings, **properties):
    """Make a feature of a polygon."""
    return {
        'type': 'Feature',
        'geometry': {'type': 'Polygon', 'coordinates': list(rings)},
        'properties': {'type': 'drivable', **properties},
    }


def collection(*features):
    """Make the whole document."""
    crs = {'type': 'name', 'properties': {'name': 'map_frame'}}
    return {'type': 'FeatureCollection', 'crs': crs, 'features': list(features)}


def parts(*polygons):
    """Make a document of one MultiPolygon."""
    whole = feature()
    whole['geometry'] = {'type': 'MultiPolygon', 'coordinates': [list(each) for each in polygons]}
    return collection(whole)


def read(folder, document):
    """Read a document or a text; return the areas, and code and pointer of each finding."""
    text = document if isinstance(document, str) else json.dumps(document)
    (folder / FILE).write_text(text, encoding='utf-8')
    return read_file(folder / FILE)


def read_file(path):
    """Read a file; return the areas, and code and pointer of each finding."""
    findings = bundle_findings()
    found = read_drivable(path, FILE, findings)
    assert (found is None) == bool(findings.errors)
    return found, [(each.rule.code, each.where) for each in findings.all]


def test_the_example_of_the_contract_is_read(tmp_path):
    """Kilometers per hour become meters per second; other values stay."""
    document = collection(feature(square(0, 0), speed_limit=50.0, priority=2, lane='7'))
    found, codes = read(tmp_path, document)
    assert codes == []
    (area,) = found.areas
    assert area.speed_limit == pytest.approx(13.8889, abs=1e-4)
    assert (area.type, area.priority, area.extra) == ('drivable', 2.0, {'lane': '7'})
    assert (found.crs, found.area) == ('map_frame', 100.0)


def test_holes_are_not_drivable(tmp_path):
    """The inside of a hole is outside of the area."""
    found, codes = read(tmp_path, collection(feature(square(0, 0), square(4, 4, 2.0)[::-1])))
    assert codes == []
    assert found.contains([(1.0, 1.0), (5.0, 5.0)]).tolist() == [True, False]


def test_parts_of_a_multipolygon_become_areas(tmp_path):
    """Each part has the rules of the whole; touching parts are only a hint."""
    document = parts([square(0, 0)], [square(10, 0)])
    document['features'][0]['properties']['speed_limit'] = 36
    found, codes = read(tmp_path, document)
    assert codes == [('Drivable.PartsTouch', '/features/0/geometry/coordinates/0')]
    assert [each.speed_limit for each in found.areas] == [10.0, 10.0]
    assert found.contains((10.0, 5.0))


def test_overlapping_parts_give_a_warning_and_are_merged(tmp_path):
    """Overlapping parts count once."""
    found, codes = read(tmp_path, parts([square(0, 0)], [square(30, 0)], [square(5, 0)]))
    assert codes == [('Drivable.Overlap', '/features/0/geometry/coordinates/0')]
    assert found.area == 250.0


def test_areas_with_too_many_crossings_are_rejected(tmp_path):
    """A small file must not cause a union that takes minutes and gigabytes."""
    along = [[[0, y], [300, y], [300, y + 0.5], [0, y + 0.5], [0, y]] for y in range(300)]
    across = [[[y, x] for x, y in reversed(ring)] for ring in along]
    document = parts(*([ring] for ring in along + across))
    assert read(tmp_path, document)[1] == [('Drivable.TooTangled', '')]


def test_priorities_decide_between_areas(tmp_path):
    """Areas of different priority may overlap."""
    document = collection(feature(square(0, 0)), feature(square(5, 0), priority=1))
    assert read(tmp_path, document)[1] == []


def test_only_the_part_that_is_not_valid_is_an_error(tmp_path):
    """Each part is checked separately."""
    bow = [[0, 0], [1, 1], [0, 1], [1, 0], [0, 0]]
    _, codes = read(tmp_path, parts([square(5, 5)], [bow], [square(30, 0)], [bow]))
    where = '/features/0/geometry/coordinates'
    assert codes == [
        ('Drivable.InvalidPolygon', f'{where}/1'),
        ('Drivable.InvalidPolygon', f'{where}/3'),
    ]


def test_rings_of_argoverse_are_repaired(tmp_path):
    """Rings that are clockwise or not closed are repaired, with one finding for all."""
    ring = square(0, 0)[:0:-1]
    document = collection(feature(ring), feature([[x + 20, y] for x, y in ring]))
    found, codes = read(tmp_path, document)
    assert codes == [('Drivable.RingNotClosed', RING), ('Drivable.ExteriorClockwise', RING)]
    assert found.area == 200.0
    assert all(each.polygon.exterior.is_ccw for each in found.areas)


def test_heights_of_corners_are_kept(tmp_path):
    """GeoJSON may have z, which gives heights of the ground."""
    ring = [[x, y, x + y] for x, y in square(0, 0)]
    found, codes = read(tmp_path, collection(feature(ring)))
    assert codes == []
    assert found.vertices[:, 2].tolist() == [0.0, 10.0, 20.0, 10.0, 0.0]


def test_drivable_areas_of_nuscenes_are_read(shared_data):
    """No whole is valid there, but every part: all parts are drivable."""
    found, codes = read_file(shared_data('bundle/nuscenes_boston_drivable.json'))
    assert [code for code, _ in codes] == ['Drivable.NotCollection', 'Drivable.PartsTouch']
    assert len(found.areas) == 70
    assert found.area == pytest.approx(445252.92, abs=0.01)
    assert not found.distance_to_edge((0.0, 0.0)) > 0.0


def put(document, where, value):
    """Replace a value of a document, or remove it if the value is `...`."""
    *path, last = [int(key) if key.isdigit() else key for key in where.split('/')[1:]]
    here = document
    for key in path:
        here = here[key]
    if value is ...:
        del here[last]
    else:
        here[last] = value
    return document


@pytest.mark.parametrize(
    ('where', 'value', 'code', 'expected'),
    [
        ('/type', ..., 'File.MissingField', '/type'),
        ('/type', 'Topology', 'Drivable.NotGeoJson', '/type'),
        ('/features', ..., 'File.MissingField', '/features'),
        ('/features', {}, 'File.NotList', '/features'),
        ('/features', [], 'Drivable.Empty', ''),
        ('/features/0', 3, 'File.NotMapping', '/features/0'),
        ('/features/0/type', 'feature', 'File.UnknownChoice', '/features/0/type'),
        ('/features/0/properties', ..., 'File.MissingField', '/features/0/properties'),
        ('/features/0/properties', None, 'File.NotMapping', '/features/0/properties'),
        ('/features/0/properties/type', ..., 'File.MissingField', '/features/0/properties/type'),
        ('/features/0/properties/type', 7, 'File.NotText', '/features/0/properties/type'),
        ('/features/0/properties/speed_limit', -1, 'Drivable.SpeedLimit', None),
        ('/features/0/properties/speed_limit', 0, 'Drivable.SpeedLimit', None),
        ('/features/0/properties/speed_limit', '50', 'File.NumberAsText', None),
        ('/features/0/properties/priority', 'high', 'File.NotNumber', None),
        ('/features/0/geometry', ..., 'File.MissingField', '/features/0/geometry'),
        ('/features/0/geometry', None, 'Drivable.NoGeometry', '/features/0/geometry'),
        ('/features/0/geometry/type', 'LineString', 'Drivable.NotPolygon', None),
        ('/features/0/geometry/coordinates', ..., 'File.MissingField', None),
        ('/features/0/geometry/coordinates', [], 'Drivable.NoRing', None),
        (RING, [[0, 0], [1, 1], [0, 0]], 'Drivable.RingTooShort', RING),
        (RING, [], 'Drivable.RingTooShort', RING),
        (RING, 'ring', 'File.NotList', RING),
        (f'{RING}/1', [1], 'Drivable.PositionTooShort', f'{RING}/1'),
        (f'{RING}/1', 1, 'File.NotList', f'{RING}/1'),
        (f'{RING}/1/0', '1', 'File.NumberAsText', f'{RING}/1/0'),
        (f'{RING}/1/0', True, 'File.NotNumber', f'{RING}/1/0'),
        (f'{RING}/1/0', None, 'File.NotNumber', f'{RING}/1/0'),
        (f'{RING}/1/0', 1e9, 'Drivable.FarAway', f'{RING}/1'),
        (f'{RING}/1/0', 10**308 * 9, 'Drivable.FarAway', f'{RING}/1'),
        ('/crs/properties/name', 'EPSG:4326', 'Drivable.CrsOfEarth', '/crs'),
        ('/crs/properties/name', 'urn:ogc:def:crs:OGC:1.3:CRS84', 'Drivable.CrsOfEarth', '/crs'),
        ('/crs/properties', {}, 'File.MissingField', '/crs/properties/name'),
    ],
)
def test_single_faults_are_errors_where_they_are(tmp_path, where, value, code, expected):
    """One fault gives one error, with the pointer to it."""
    document = put(collection(feature(square(0, 0))), where, value)
    assert read(tmp_path, document)[1] == [(code, where if expected is None else expected)]


@pytest.mark.parametrize(
    ('where', 'value', 'code', 'expected'),
    [
        ('/crs', ..., 'Drivable.CrsAbsent', '/crs'),
        ('/features/0/properties/speedlimit', 50, 'File.MisspelledField', None),
        (
            '/features/1/properties/type',
            'footway',
            'Drivable.OtherType',
            '/features/1/geometry/coordinates',
        ),
    ],
)
def test_unusual_values_are_reported_and_read(tmp_path, where, value, code, expected):
    """These findings are not errors and do not prevent driving."""
    document = collection(feature(square(0, 0)), feature(square(20, 0)))
    found, codes = read(tmp_path, put(document, where, value))
    assert found is not None
    assert codes == [(code, where if expected is None else expected)]


def test_degrees_in_place_of_meters_are_suspected(tmp_path):
    """A road of a millionth of a square meter is suspicious."""
    ring = square(139.7671, 35.6812, 1e-4)
    assert read(tmp_path, collection(feature(ring)))[1] == [('Drivable.TinyArea', '')]


def test_a_scene_of_other_types_has_no_drivable_area(tmp_path):
    """Types must match the contract exactly."""
    codes = read(tmp_path, collection(feature(square(0, 0), type='Drivable')))[1]
    assert codes == [
        ('Drivable.OtherType', '/features/0/geometry/coordinates'),
        ('Drivable.Empty', ''),
    ]


@pytest.mark.parametrize(
    'text', ['[' * 100_000, '{"type": NaN}', '', '7', '[]', '{"a": 1, "a": 2}']
)
def test_other_documents_than_geojson_are_an_error(tmp_path, text):
    """Hostile and empty texts give findings, not exceptions."""
    assert read(tmp_path, text)[0] is None


@ANY_FOLDER
@given(st.data())
def test_any_value_anywhere_gives_areas_or_errors(tmp_path, data):
    """For any value at any place, reading returns areas or an error."""
    document = collection(feature(square(0, 0), square(3, 3, 2.0)[::-1], speed_limit=30.0))
    whole = {'': document}
    here, key = whole, ''
    while isinstance(here[key], dict | list) and here[key] and data.draw(st.booleans()):
        here = here[key]
        key = data.draw(
            st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here)))
        )
    here[key] = data.draw(JSON)
    found, _ = read(tmp_path, whole[''])
    assert found is None or found.area > 0.0


@st.composite
def polygons(draw):
    """Draw quadrilaterals of any doubles, with or without z."""
    x, y = draw(st.floats(-1e5, 1e5)), draw(st.floats(-1e5, 1e5))
    width, height = draw(st.floats(1.0, 1e3)), draw(st.floats(1.0, 1e3))
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    z = draw(st.none() | st.floats(-100.0, 100.0))
    return shapely.Polygon([each if z is None else (*each, z) for each in corners])


# Some speeds in m/s do not equal any number of km/h; those of a file do.
SPEEDS = st.none() | st.floats(0.1, 400.0).map(lambda kmh: kmh / KMH)
NUMBERS = st.none() | st.floats(0.1, 100.0)
AREAS = st.builds(
    DrivablePolygon, polygons(), st.sampled_from(('drivable', 'parking')), SPEEDS, NUMBERS,
    st.dictionaries(st.sampled_from(('lane', 'name')), st.text(st.characters(codec='utf-8'))),
)  # fmt: skip


@ANY_FOLDER
@given(
    st.lists(AREAS, max_size=4).map(
        lambda areas: [DrivablePolygon(shapely.box(0, 0, 9, 9)), *areas]
    ),
    st.none() | st.just('map_frame'),
)
def test_written_areas_are_read_back(tmp_path, areas, crs):
    """Every number is read back exactly, speeds through km/h as well."""
    drivable = DrivableArea(tuple(areas), crs)
    write_drivable(tmp_path / FILE, drivable)
    found, _ = read_file(tmp_path / FILE)
    assert is_equal(found, drivable)


@given(st.floats(0.01, 400.0))
def test_speeds_survive_kilometers_per_hour(speed):
    """A speed is written as the number that it was read from, if that is short."""
    written = round(speed, 2)
    assert kmh_of(written / KMH) == written
    assert kmh_of(speed) / KMH == pytest.approx(speed, rel=1e-15)


def test_findings_of_a_kind_are_bounded(tmp_path):
    """A file with a thousand faults gives at most a hundred findings."""
    document = collection(*(feature([[0, 0]]) for _ in range(1000)))
    assert len(read(tmp_path, document)[1]) <= 100


def test_the_area_of_a_city_is_read(tmp_path):
    """Files of good scenes exceed the limit of the other small files."""
    angles = np.linspace(0.0, 2.0 * np.pi, 220_000)
    ring = np.column_stack((1e3 * np.cos(angles), 1e3 * np.sin(angles)))
    ring[-1] = ring[0]
    shape = {'type': 'Polygon', 'coordinates': [ring.tolist()]}
    feature = {'type': 'Feature', 'geometry': shape, 'properties': {'type': 'drivable'}}
    path = tmp_path / 'drivable.geojson'
    path.write_text(json.dumps({'type': 'FeatureCollection', 'features': [feature]}))
    assert path.stat().st_size > LARGEST_JSON
    findings = bundle_findings()
    area = read_drivable(path, path.name, findings)
    assert not findings.errors
    assert area.area == pytest.approx(np.pi * 1e6, rel=1e-6)
