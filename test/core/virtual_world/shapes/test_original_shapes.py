# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""All shape files of SIGVerse, OpenHRP and Choreonoid in the test data are read right."""

from __future__ import annotations

import tarfile
from collections import Counter

import numpy as np
import pytest
from triangle_counter import count_vrml, count_x3d

from world_model_core.virtual_world.asset_folders import AssetFolders
from world_model_core.virtual_world.finding_catalog import world_findings
from world_model_core.virtual_world.shapes.scene import (
    read_shape_file,
    shapes_of,
    triangle_count,
)
from world_model_core.virtual_world.values import Box, Cylinder, Sphere, TriangleMesh

# Triangles of the meshes of solids that are scaled unevenly or have a picture: sides and caps.
SOLIDS = {Box: 12, Cylinder: 32 * 2 + 2 * 30, Sphere: 2 * 32 + 14 * 32 * 2}
CONE = 32 + 30


@pytest.fixture(scope='module')
def originals(shared_data, tmp_path_factory):
    """Unpack the archive."""
    folder = tmp_path_factory.mktemp('originals')
    with tarfile.open(shared_data('sigverse/sigverse.tar.gz')) as archive:
        for member in archive:
            if member.isfile() and member.name.endswith(('.wrl', '.x3d')):
                archive.extract(member, folder)
    return folder


def test_a_second_counter_finds_the_same_triangles(originals):
    """The counter is written from the specifications, and shares nothing with the reader."""
    paths = sorted(path for path in originals.rglob('*') if path.is_file())
    assert paths
    for path in paths:
        findings = world_findings()
        nodes = read_shape_file(path, AssetFolders(originals), findings)
        shapes = shapes_of(nodes, path, AssetFolders(originals), findings)
        count = (count_vrml if path.suffix == '.wrl' else count_x3d)(path.read_bytes())
        kept = Counter(type(shape.geometry) for shape in shapes)
        meshes = sum(SOLIDS[kind] * (count[kind.__name__] - kept[kind]) for kind in SOLIDS)
        expected = count['triangles'] + meshes + CONE * count['Cone']
        assert (path.name, triangle_count(shapes)) == (path.name, expected)
        assert count.total() > 0 or not shapes
        assert not findings.errors


def test_shapes_of_the_originals_are_whole(originals):
    """Values are finite, indices are those of vertices, and normals are unit vectors."""
    for path in sorted(path for path in originals.rglob('*') if path.is_file()):
        nodes = read_shape_file(path, AssetFolders(originals), world_findings())
        for shape in shapes_of(nodes, path, AssetFolders(originals), world_findings()):
            mesh = shape.geometry
            if not isinstance(mesh, TriangleMesh):
                continue
            assert np.isfinite(mesh.vertices).all()
            assert set(np.unique(mesh.triangles)) == set(range(len(mesh.vertices)))
            if mesh.normals is not None:
                np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=2), 1.0)
            if mesh.texture_coordinates is not None:
                assert np.isfinite(mesh.texture_coordinates).all()
