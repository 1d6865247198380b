# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Damaged shape files give shapes or findings, and nothing else.

WORLD_MODEL_FUZZ=100000 reads that many, WORLD_MODEL_FUZZ_SEED=2 others; each must then take less
than a second of CPU time. `ulimit -v 2000000` limits the memory.
"""

from __future__ import annotations

import os
import time
from random import Random

import numpy as np
from damaged_shapes import PIECES, SEEDS, damaged
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.virtual_world.asset_folders import AssetFolders
from world_model_core.virtual_world.finding_catalog import world_findings
from world_model_core.virtual_world.shapes.scene import read_shape_file, shapes_of
from world_model_core.virtual_world.shapes.vrml import read_vrml
from world_model_core.virtual_world.shapes.x3d import read_x3d
from world_model_core.virtual_world.values import Box, Cylinder, LineSet, Sphere, TriangleMesh

FILES = int(os.environ.get('WORLD_MODEL_FUZZ', '200'))
SEED = int(os.environ.get('WORLD_MODEL_FUZZ_SEED', '1'))
LONGEST = 1.0 if 'WORLD_MODEL_FUZZ' in os.environ else float('inf')  # [s]


def is_sound(shape):
    """Return whether a shape is whole and finite."""
    geometry = shape.geometry
    sound = all(np.isfinite([*shape.pose.position, *shape.pose.orientation]))
    if isinstance(geometry, Box):
        return sound and min(geometry.size) > 0.0 and max(geometry.size) < 1e13
    if isinstance(geometry, Sphere):
        return sound and 0.0 < geometry.radius < 1e13
    if isinstance(geometry, Cylinder):
        return sound and min(geometry.radius, geometry.length) > 0.0
    corners = geometry.segments if isinstance(geometry, LineSet) else geometry.triangles
    within = not corners.size or (corners.min() >= 0 and corners.max() < len(geometry.vertices))
    return sound and within and bool(np.isfinite(geometry.vertices).all())


def has_sound_corners(mesh):
    """Return whether the values at the corners of a mesh are finite."""
    values = (mesh.normals, mesh.texture_coordinates, mesh.colors)
    return all(each is None or np.isfinite(each).all() for each in values)


def read(folder, name, data):
    """Return the shapes of a file, and what is found."""
    findings = world_findings()
    path, folders = folder / name, AssetFolders(folder)
    path.write_bytes(data)
    nodes = read_shape_file(path, folders, findings)
    return shapes_of(nodes, path, folders, findings), findings


def test_seeds_use_all_nodes(tmp_path):
    """The files from which the damaged ones are made are themselves read."""
    for name, data in SEEDS.items():
        shapes, findings = read(tmp_path, name, data)
        kinds = {type(shape.geometry) for shape in shapes}
        assert {Box, TriangleMesh} <= kinds
        assert len(shapes) >= 9
        assert not findings.errors


def test_damaged_files_give_shapes_or_findings(tmp_path):
    """No other error than a finding arises, and what is given is finite."""
    random = Random(SEED)  # noqa: S311 (not for secrets)
    for number in range(FILES):
        name, data = damaged(random)
        start = time.process_time()
        shapes, findings = read(tmp_path, name, data)
        took = time.process_time() - start
        assert took < LONGEST, (number, data)
        for shape in shapes:
            assert is_sound(shape), (number, shape)
            assert not isinstance(shape.geometry, TriangleMesh) or has_sound_corners(
                shape.geometry
            ), number
        assert all(each.message('ja') and each.message('en') for each in findings.all)


@given(pieces=st.lists(st.sampled_from(PIECES) | st.binary(max_size=6), max_size=30))
def test_any_bytes_give_nodes_or_findings(pieces):
    """No error arises, and after an error among the findings there are no nodes."""
    content = b' '.join(pieces)
    for data, read_nodes in (
        (b'#VRML V2.0 utf8\n' + content, read_vrml),
        (b'<X3D><Scene>' + content + b'</Scene></X3D>', read_x3d),
        (content, read_x3d),
    ):
        findings = world_findings()
        nodes = read_nodes(data, 'it', findings)
        assert not (nodes and findings.errors)
        assert not any(node.has_references for node in nodes)
