# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The worlds of the benchmarks are what the figures say that they are."""

import numpy as np
import pytest

from benchmarks.virtual_world.scenes import free_bodies_and_humanoid, things_with_meshes
from benchmarks.virtual_world.state_hashes import hash_states
from world_model_core.virtual_world.values import JointKind, TriangleMesh


@pytest.fixture(scope='module')
def humanoid():
    """Return the humanoid."""
    return free_bodies_and_humanoid().entities[-1]


def test_the_scene_has_20_free_bodies_and_20_joints(humanoid):
    """The benchmarks' figures are those of 20 free bodies and of a humanoid with 20 hinges."""
    *bodies, _ = free_bodies_and_humanoid().entities
    assert [len(body.parts) for body in bodies] == [1] * 20
    assert [part.joint.kind for part in humanoid.parts[1:]] == [JointKind.HINGE] * 20


def test_the_humanoid_is_a_tree_with_mirrored_sides(humanoid):
    """Parents come before children, and each right part is the mirror image of its left part."""
    known = {''}
    for part in humanoid.parts:
        assert part.parent in known
        known.add(part.name)
    parts = {part.name: part for part in humanoid.parts}
    left = [name for name in parts if f'right_{name}' in parts]
    assert len(left) == 8
    for name in left:
        x, y, z = parts[name].pose.position
        assert parts[f'right_{name}'].pose.position == (x, -y, z)


def test_things_have_closed_meshes_of_1280_triangles():
    """The mesh is a sphere whose triangles face outward."""
    (thing,) = things_with_meshes(1).entities
    mesh = thing.parts[0].shapes[0].geometry
    assert isinstance(mesh, TriangleMesh)
    assert mesh.triangles.shape == (1280, 3)
    corners = mesh.vertices[mesh.triangles]
    volume = np.linalg.det(corners).sum() / 6.0
    assert volume == pytest.approx(4.0 / 3.0 * np.pi * 0.1**3, rel=0.02)


def test_hashes_are_those_of_all_states():
    """The same run has the same hash, and a longer one another."""
    pytest.importorskip('mujoco', reason='MuJoCo is an extra')
    assert hash_states(3) == hash_states(3) != hash_states(4)
