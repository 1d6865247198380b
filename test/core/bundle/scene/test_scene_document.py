# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The document of a scene is valid by its schema and agrees with the bundle."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from world_model_core.bundle.bundle import PARTS, BundleContents, WorldBundle
from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.scene.scene_document import scene_document
from world_model_core.bundle.sensors.scene_frames import scene_frames
from world_model_core.documents import parse, schema, write
from world_model_core.examples.village.example import example_bundle


@pytest.fixture(scope='module')
def village():
    """Make the example once."""
    return example_bundle()


def changed(bundle, **parts):
    """Make a bundle with other parts in place of its own."""
    contents = {name: getattr(bundle, name) for name in PARTS} | parts
    return WorldBundle(bundle.manifest, BundleContents(**contents))


def documented(bundle):
    """Make the document of a bundle, and validate it."""
    optical = scene_frames(bundle.tf_static, bundle.calibration, 'base_link').optical
    return parse(write(scene_document(bundle, Path('/there'), 3, optical)), 'scene')


def test_all_parts_are_described(village):
    """Numbers are those of the bundle, and sensors are listed by name."""
    document = documented(village)
    assert (document['number'], document['folder']) == (3, '/there')
    assert document['scene_id'] == village.manifest.scene_id
    assert document['splats']['count'] == village.splats.count
    rows, columns = village.heightmap.heights.shape
    ground = document['heightmap']
    assert (ground['height'], ground['width']) == (rows, columns)
    assert document['drivable']['area'] == village.drivable.area
    assert set(document['cameras']) == set(village.calibration.cameras)
    assert set(document['lidars']) == set(village.calibration.lidars)
    assert document['time'] == {
        'start': village.timebase.start_time,
        'dt': village.timebase.dt,
    }


def test_missing_values_are_null(village):
    """A bundle without a source, a place on Earth, a mesh and sensors has a document too."""
    metadata = village.metadata
    system = replace(metadata.coordinate_system, origin=None)
    bare = changed(
        village,
        metadata=replace(
            metadata, source=None, created_at=None, builder_version=None, coordinate_system=system
        ),
        calibration=replace(village.calibration, cameras={}, lidars={}),
        static_mesh=None,
    )
    document = documented(bare)
    for name in ('source', 'origin', 'mesh', 'created_at', 'builder_version'):
        assert document[name] is None, name
    assert document['cameras'] == document['lidars'] == {}


def test_findings_are_counted_by_code(village):
    """Warnings and hints are counted separately, each code once."""
    findings = bundle_findings()
    for _ in range(2):
        findings.add('Splats.ScalesGuessed', 'x', guess='log', found='50 %')
    findings.add('Splats.QuaternionOrderUnclear', 'x', guess='xyzw', found='50 %')
    document = documented(changed(village, findings=tuple(findings.all)))
    assert document['findings'] == {
        'warning': {'Splats.QuaternionOrderUnclear': 1},
        'info': {'Splats.ScalesGuessed': 2},
    }


def test_a_world_model_has_the_same_scene():
    """The schema of the whole contains a copy of that of the scene."""
    whole, part = schema('world_model')['$defs']['scene'], schema('scene')
    assert whole == {key: part[key] for key in part if key not in {'$schema', '$id', 'title'}}
