# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Small files: documents that are written must be read back as the same values."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.bundle.equality import is_equal
from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.scene import file_documents as small_files
from world_model_core.bundle.scene.manifest import read_manifest
from world_model_core.bundle.scene.metadata import read_metadata
from world_model_core.bundle.scene.render_config import read_render_config
from world_model_core.bundle.scene.timebase import read_timebase
from world_model_core.bundle.sensors.calibration import read_calibration
from world_model_core.bundle.sensors.tf_static import read_tf_static
from world_model_core.bundle.values import (
    CameraConvention,
    CameraModel,
    CameraSpec,
    CoordinateSystem,
    Distortion,
    Extent,
    GeoOrigin,
    InitialPose,
    LidarSpec,
    Manifest,
    Metadata,
    RenderConfig,
    SceneSource,
    SensorCalibration,
    StaticTransform,
    Timebase,
)
from world_model_core.files.json_yaml_writer import json_text, yaml_text
from world_model_core.frames import Transform, pose_transform

VERSION = '1.0.0'
NAMES = st.from_regex(r'[a-z][a-z0-9_]{0,8}', fullmatch=True)
TEXTS = st.text(st.characters(codec='utf-8', exclude_categories=['C', 'Z']), min_size=1)
UNIT = st.floats(0.0, 1.0)
METERS = st.floats(-50.0, 50.0)
RATES = st.floats(0.1, 1000.0)
# Keys that no reader uses, and that are not similar to others.
EXTRA = st.dictionaries(st.from_regex(r'zz_[a-z]{8}', fullmatch=True), TEXTS | st.integers(0, 9))
COLORS = st.tuples(UNIT, UNIT, UNIT)


@st.composite
def transforms(draw):
    """Draw rigid transforms, made of quaternions as in files."""
    quaternion = [draw(st.floats(-1.0, 1.0)) for _ in 'xyz'] + [draw(st.floats(0.1, 1.0))]
    return pose_transform([draw(METERS) for _ in 'xyz'], quaternion)


@st.composite
def cameras(draw):
    """Draw cameras of all models, conventions and distortions."""
    distortion = draw(st.sampled_from(Distortion))
    small = st.floats(-1e-3, 1e-3)
    third = [1e-4] if distortion is Distortion.RADTAN and draw(st.booleans()) else []
    return CameraSpec(
        frame_id=draw(NAMES),
        width=640,
        height=480,
        convention=draw(st.sampled_from(CameraConvention)),
        model=draw(st.sampled_from(CameraModel)),
        focal=(draw(st.floats(400.0, 800.0)), 500.0),
        center=(draw(st.floats(300.0, 340.0)), 240.0),
        distortion=distortion,
        coefficients=(*(draw(small) for _ in range(4)), *third),
        pose=draw(transforms()),
        rate=draw(RATES),
    )


@st.composite
def lidars(draw):
    """Draw LiDARs whose angles are degrees in the file."""
    low = draw(st.floats(-80.0, 0.0))
    return LidarSpec(
        frame_id=draw(NAMES),
        model=draw(TEXTS),
        channels=draw(st.integers(1, 128)),
        horizontal_resolution=math.radians(draw(st.floats(0.01, 2.0))),
        vertical_view=(math.radians(low), math.radians(low + draw(st.floats(3.0, 80.0)))),
        least_range=draw(st.floats(0.0, 1.0)),
        largest_range=draw(st.floats(2.0, 300.0)),
        pose=draw(transforms()),
        rate=draw(RATES),
    )


PATHS = {
    'metadata': 'metadata.json',
    'gaussians/background': 'gaussians/background.npz',
    'gaussians/render_config': 'r.json',
    'geometry/heightmap': 'h.bin',
    'geometry/heightmap_meta': 'h.yaml',
    'geometry/drivable': '道/d.geojson',
    'sensors/calibration': 'c.yaml',
    'sensors/tf_static': 't.json',
    'sim/timebase': 't.yaml',
}
ALL_PATHS = {**PATHS, 'geometry/static_mesh': 'no.glb', 'preview/overview': '1e5.png'}
MANIFESTS = st.builds(
    Manifest,
    st.just(VERSION),
    TEXTS,
    st.sampled_from((PATHS, ALL_PATHS)),
    st.lists(TEXTS, max_size=3, unique=True).map(tuple),
    EXTRA,
)
METADATA = st.builds(
    Metadata,
    st.just(VERSION),
    TEXTS,
    st.none() | st.just('2026-02-14T10:30:00Z'),
    st.none() | TEXTS,
    st.none()
    | st.builds(
        SceneSource,
        st.none() | TEXTS,
        st.none() | TEXTS,
        st.none() | st.just('0123456789abcdef' * 2),
        st.none() | st.floats(0.0, 1e6),
        st.none() | st.integers(0, 2**62),
    ),
    st.builds(
        CoordinateSystem,
        st.just('map'),
        st.just('odom'),
        st.just('base_link'),
        st.just('REP-103'),
        st.none() | st.builds(GeoOrigin, METERS, METERS, METERS),
    ),
    st.builds(
        lambda low, size: Extent(np.array(low), np.array(low) + size),
        st.tuples(METERS, METERS, METERS),
        st.floats(1.0, 100.0),
    ),
    st.lists(NAMES, unique=True).map(tuple),
    st.lists(NAMES, unique=True).map(tuple),
    EXTRA,
    EXTRA,
)
RENDER_CONFIGS = st.builds(
    RenderConfig,
    version=st.just(VERSION),
    gaussian_format=st.sampled_from(('splat_ply', 'npz')),
    sh_degree=st.integers(0, 3),
    white_balance=st.tuples(RATES, RATES, RATES),
    exposure_compensation=METERS,
    gamma=st.floats(0.5, 4.0),
    background_color=COLORS,
    near_plane=st.floats(1e-9, 1.0),
    far_plane=st.floats(2.0, 1e12),
    extra=EXTRA,
)
CALIBRATIONS = st.builds(
    SensorCalibration,
    st.just(VERSION),
    st.dictionaries(NAMES, cameras(), min_size=1, max_size=2),
    st.dictionaries(NAMES, lidars(), max_size=2),
    EXTRA,
)
STATIC_TRANSFORMS = st.lists(
    st.builds(StaticTransform, st.just('base_link'), NAMES, transforms()),
    unique_by=lambda each: each.child_frame_id,
    min_size=1,
    max_size=3,
).map(tuple)
TIMEBASES = st.builds(
    Timebase,
    st.just(VERSION),
    st.floats(1e-4, 0.1),
    st.floats(0.0, 1e9),
    st.dictionaries(NAMES, RATES, max_size=3),
    st.builds(
        lambda pose, velocity: InitialPose(pose, np.array(velocity)),
        transforms(),
        st.tuples(METERS, METERS, METERS),
    ),
    EXTRA,
)


def read_again(text, reader, tmp_path_factory):
    """Write a text and read it without any error."""
    path = tmp_path_factory.mktemp('file') / 'file'
    path.write_text(text, encoding='utf-8')
    findings = bundle_findings()
    value = reader(path, 'file', findings)
    assert findings.errors == ()
    return value


@given(manifest=MANIFESTS)
def test_world_yaml_is_read_back(manifest, tmp_path_factory):
    """Paths, texts in any script and unknown keys must be read back."""
    folder = tmp_path_factory.mktemp('bundle')
    text = yaml_text(small_files.manifest_document(manifest))
    (folder / 'world.yaml').write_text(text, encoding='utf-8')
    assert is_equal(read_manifest(folder, bundle_findings()), manifest)


@given(metadata=METADATA)
def test_metadata_is_read_back(metadata, tmp_path_factory):
    """Missing values must stay missing, and all others be read back."""
    text = json_text(small_files.metadata_document(metadata))
    found = read_again(text, read_metadata, tmp_path_factory)
    assert is_equal(found, metadata)


@given(config=RENDER_CONFIGS)
def test_render_config_is_read_back(config, tmp_path_factory):
    """Numbers must be read back exactly."""
    text = json_text(small_files.render_config_document(config))
    assert is_equal(read_again(text, read_render_config, tmp_path_factory), config)


@given(calibration=CALIBRATIONS)
def test_calibration_is_read_back(calibration, tmp_path_factory):
    """Every camera and LiDAR must be read back from degrees and quaternions."""
    text = yaml_text(small_files.calibration_document(calibration))
    assert is_equal(read_again(text, read_calibration, tmp_path_factory), calibration)


@given(static=STATIC_TRANSFORMS)
def test_tf_static_is_read_back(static, tmp_path_factory):
    """Frames and transforms must be read back, in their order."""
    text = json_text(small_files.tf_static_document(static))
    assert is_equal(read_again(text, read_tf_static, tmp_path_factory), static)


@given(timebase=TIMEBASES)
def test_timebase_is_read_back(timebase, tmp_path_factory):
    """Times, rates and the initial pose must be read back."""
    text = yaml_text(small_files.timebase_document(timebase))
    assert is_equal(read_again(text, read_timebase, tmp_path_factory), timebase)


@given(st.floats(-360.0, 360.0))
def test_degrees_give_the_same_angle(degrees):
    """The degrees of an angle that came from degrees must give exactly that angle."""
    angle = math.radians(degrees)
    assert math.radians(small_files.degrees_of(angle)) == angle


@given(st.integers(-3600, 3600))
def test_degrees_are_written_short(tenths):
    """An angle of 0.2 degrees must be written as 0.2, not as 0.19999999999999998."""
    assert small_files.degrees_of(math.radians(tenths / 10)) == pytest.approx(tenths / 10, abs=0)


def test_rotations_are_written_short_where_they_are_round():
    """The axes of a camera must be written as -0.5, 0.5, -0.5, 0.5 up to the sign."""
    forward = np.array(((0.0, 0.0, 1.0), (-1.0, 0.0, 0.0), (0.0, -1.0, 0.0)))
    static = StaticTransform('base_link', 'camera', Transform(forward, np.zeros(3)))
    document = small_files.tf_static_document([static])
    rotation = document['transforms'][0]['transform']['rotation']
    assert rotation == {'x': -0.5, 'y': 0.5, 'z': -0.5, 'w': 0.5}
