# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The unit shapes have the right size and face outward."""

import numpy as np
import pytest

from world_model_core.view.unit_shapes import unit_box, unit_cylinder, unit_sphere

SHAPES = {'box': unit_box(), 'sphere': unit_sphere(), 'cylinder': unit_cylinder()}


@pytest.mark.parametrize(
    ('name', 'extent'), [('box', (1, 1, 1)), ('sphere', (2, 2, 2)), ('cylinder', (2, 2, 1))]
)
def test_the_extent_is_one_length_or_two_radii(name, extent):
    """Each is scaled by the sizes of a batch."""
    vertices = SHAPES[name].vertices
    assert np.ptp(vertices, axis=0) == pytest.approx(extent)
    assert vertices.max(axis=0) == pytest.approx(-vertices.min(axis=0))


@pytest.mark.parametrize(
    ('name', 'volume'), [('box', 1.0), ('sphere', 4.0 / 3.0 * np.pi), ('cylinder', np.pi)]
)
def test_the_triangles_enclose_the_volume(name, volume):
    """By the divergence theorem: the volume is positive only if all triangles face outward."""
    shape = SHAPES[name]
    first, second, third = (shape.vertices[shape.triangles[:, index]] for index in range(3))
    enclosed = np.einsum('ij,ij->', first, np.cross(second, third)) / 6.0
    assert volume * 0.93 < enclosed <= volume * (1.0 + 1e-9)
    center = (first + second + third) / 3.0
    assert (np.einsum('ij,ij->i', center, np.cross(second - first, third - first)) >= -1e-9).all()
