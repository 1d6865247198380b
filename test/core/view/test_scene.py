# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Only what has changed between marks is found changed."""

from __future__ import annotations

import numpy as np

from world_model_core.view.batches import UPRIGHT, Boxes, Ellipsoids, MarkMesh, Meshes, Points
from world_model_core.view.scene import compare, left_out

RED, BLUE = (255, 0, 0, 255), (0, 0, 255, 255)


def boxes(count=2, *, x=0.0, color=RED):
    """Make boxes in a row."""
    positions = np.array([[x + index, 0.0, 0.0] for index in range(count)])
    names = tuple(str(number) for number in range(count))
    return Boxes(names, positions, UPRIGHT, (1.0, 1.0, 1.0), color)


def meshes(shape):
    """Make an instance of a mesh."""
    return Meshes(shape, ('a',), np.zeros((1, 3)), UPRIGHT, (1.0, 1.0, 1.0), RED)


def triangle():
    """Make a mesh of one triangle."""
    return MarkMesh(np.eye(3), np.array([[0, 1, 2]]))


def test_equal_marks_are_no_change():
    """Other objects with the same numbers need not be sent."""
    assert not compare({'a': boxes()}, {'a': boxes()})
    assert not compare({}, {})


def test_a_move_changes_the_positions_alone():
    """A batch that moves is updated by one array."""
    after = boxes(x=1.0)
    changes = compare({'a': boxes()}, {'a': after})
    assert changes
    assert changes.updated['a'].batch is after
    assert changes.updated['a'].fields == ('positions',)
    assert not changes.created
    assert not changes.removed


def test_another_number_of_instances_changes_all_arrays():
    """Each array has a row for each instance."""
    fields = compare({'a': boxes(2)}, {'a': boxes(3)}).updated['a'].fields
    assert set(fields) == {'ids', 'positions', 'orientations', 'sizes', 'colors'}


def test_what_is_new_is_created_and_what_is_gone_is_removed():
    """Names decide."""
    changes = compare({'a': boxes()}, {'b': boxes()})
    assert changes.removed == ('a',)
    assert list(changes.created) == ['b']


def test_a_batch_of_another_kind_replaces_the_old_one():
    """Boxes cannot become spheres by an update of arrays."""
    spheres = Ellipsoids((), np.empty((0, 3)), UPRIGHT, (1.0, 1.0, 1.0), RED)
    changes = compare({'a': boxes()}, {'a': spheres})
    assert changes.created == {'a': spheres}
    assert not changes.updated


def test_a_mesh_of_another_shape_replaces_the_old_one():
    """Shapes are compared by identity, as they are large."""
    shape = triangle()
    assert not compare({'a': meshes(shape)}, {'a': meshes(shape)})
    assert compare({'a': meshes(shape)}, {'a': meshes(triangle())}).created


def test_points_of_another_size_replace_the_old_ones():
    """The size is that of all points."""
    before, after = (Points(np.zeros((1, 3)), RED, size) for size in (0.1, 0.2))
    assert compare({'a': before}, {'a': after}).created


def test_instances_left_out_are_counted_over_all_batches():
    """Diagnostics report them."""
    assert left_out({'a': boxes(x=np.nan), 'b': boxes()}) == 2
