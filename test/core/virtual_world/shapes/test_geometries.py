# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Geometry nodes give the shapes that VRML97 describes, in meters and with z up."""

from __future__ import annotations

import numpy as np
import pytest

from world_model_core.virtual_world.values import Box, Cylinder, LineSet, ShapeUse, Sphere

# A roof: two squares that meet at an edge along z, at the given height of the ridge.
ROOF = """
Shape {{ geometry IndexedFaceSet {{
  coord Coordinate {{ point [ -1 0 0, -1 0 1, 0 {height} 0, 0 {height} 1, 1 0 0, 1 0 1 ] }}
  coordIndex [ 0 1 3 2 -1 2 3 5 4 ] {fields}
}} }}
"""


def volume(mesh):
    """Return the volume that a closed mesh encloses; positive if its faces look outward."""
    a, b, c = (mesh.vertices[mesh.triangles[:, corner]] for corner in range(3))
    return float(np.einsum('ij,ij->', a, np.cross(b, c))) / 6.0


def normals_of(mesh):
    """Return the unit normals of the triangles."""
    a, b, c = (mesh.vertices[mesh.triangles[:, corner]] for corner in range(3))
    normals = np.cross(b - a, c - a)
    return normals / np.linalg.norm(normals, axis=1, keepdims=True)


def test_edges_below_the_crease_angle_are_smooth(files):
    """The faces of the roof are at 90 degrees to each other."""
    (flat,) = files.vrml(ROOF.format(height=1, fields='creaseAngle 1.5'))
    (smooth,) = files.vrml(ROOF.format(height=1, fields='creaseAngle 1.6'))
    (none,) = files.vrml(ROOF.format(height=1, fields=''))
    assert none.geometry.normals is None
    np.testing.assert_allclose(flat.geometry.normals[:, 0], normals_of(flat.geometry))
    mesh = smooth.geometry
    ridge = np.isclose(mesh.vertices[mesh.triangles][..., 2], 1.0)
    np.testing.assert_allclose(mesh.normals[ridge], [[0.0, 0.0, 1.0]] * ridge.sum(), atol=0.35)
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=2), 1.0)
    corners = np.isclose(mesh.vertices[mesh.triangles][..., 2], 0.0)
    np.testing.assert_allclose(np.abs(mesh.normals[corners][:, 1]), np.sqrt(0.5))


@pytest.mark.parametrize(('field', 'up'), [('', 1.0), ('ccw FALSE', -1.0)])
def test_the_order_of_corners_gives_the_side_of_faces(files, field, up):
    """Of faces that are clockwise, the other side is the outside."""
    (shape,) = files.vrml(ROOF.format(height=0, fields=field))
    np.testing.assert_allclose(normals_of(shape.geometry), [[0.0, 0.0, up]] * 4, atol=1e-12)


def test_a_mirror_does_not_turn_faces_inside_out(files):
    """The determinant of the transform is negative."""
    solid = 'geometry Extrusion { }'
    (shape,) = files.vrml(f'Transform {{ scale -1 2 3 children Shape {{ {solid} }} }}')
    assert volume(shape.geometry) == pytest.approx(4.0 * 2.0 * 3.0)


def test_normals_of_the_file_are_used_and_turned(files):
    """Their lengths are made 1; one of length 0 is that of its triangle."""
    fields = """normal Normal { vector [ 0 2 0, 0 0 0 ] } normalPerVertex FALSE"""
    shapes = files.vrml(
        'Transform { rotation 0 0 1 1.5707963 children '
        + ROOF.format(height=0, fields=fields)
        + '}'
    )
    # Up in the file, then turned from y to -x: to the right.
    np.testing.assert_allclose(
        shapes[0].geometry.normals, np.full((4, 3, 3), (0.0, -1.0, 0.0)), atol=1e-6
    )


def test_colors_of_corners_and_faces(files):
    """Colors per face have one for each face, colors per corner one for each corner."""
    colors = 'color Color { color [ 1 0 0, 0 1 0 ] }'
    (faces,) = files.vrml(ROOF.format(height=1, fields=f'{colors} colorPerVertex FALSE'))
    red, green = [[1, 0, 0, 1]] * 3, [[0, 1, 0, 1]] * 3
    assert faces.geometry.colors.tolist() == [red, red, green, green]
    (swapped,) = files.vrml(
        ROOF.format(height=1, fields=f'{colors} colorPerVertex FALSE colorIndex [ 1 0 ]')
    )
    assert swapped.geometry.colors[0, 0].tolist() == [0, 1, 0, 1]
    (corners,) = files.vrml(
        ROOF.format(height=1, fields=f'{colors} colorIndex [ 0 0 1 1 -1 1 1 0 0 -1 ]')
    )
    mesh = corners.geometry
    assert ((mesh.colors[..., 1] == 1.0) == (mesh.vertices[mesh.triangles][..., 2] == 1.0)).all()
    assert files.codes == []
    (without,) = files.vrml(ROOF.format(height=1, fields=f'{colors} colorIndex [ 0 7 ]'))
    assert without.geometry.colors is None
    assert files.codes == ['Shapes.CornerValues']


def test_elevation_grids_look_up_and_stand_where_their_heights_say(files):
    """Columns go along x, rows along z."""
    (shape,) = files.vrml(
        'Shape { geometry ElevationGrid { xDimension 3 zDimension 2 xSpacing 10 zSpacing 100'
        ' height [ 1 2 3, 4 5 6 ] color Color { color [ 1 0 0, 0 0 1 ] }'
        ' colorPerVertex FALSE } }'
    )
    mesh = shape.geometry
    there = [[0, 0, 1], [0, 10, 2], [0, 20, 3], [100, 0, 4], [100, 10, 5], [100, 20, 6]]
    assert sorted(mesh.vertices.tolist()) == sorted(there)
    assert len(mesh.triangles) == 4
    assert (normals_of(mesh)[:, 2] > 0.0).all()
    second = mesh.vertices[mesh.triangles][..., 1].min(axis=1) >= 10.0
    assert (mesh.colors[second][..., 2] == 1.0).all()
    assert (mesh.colors[~second][..., 0] == 1.0).all()


def test_elevation_grids_without_enough_heights_are_empty(files):
    """A dimension of a million needs no memory."""
    text = 'Shape { geometry ElevationGrid { xDimension 1000000 zDimension 1000000 } }'
    assert files.vrml(text) == ()
    assert files.codes == ['Shapes.Empty']


@pytest.mark.parametrize(
    ('fields', 'expected', 'tolerance'),
    [
        ('', 4.0, 1e-9),  # a column of 2 x 2 x 1
        ('spine [ 0 0 0, 0 1 0, 0 2 0 ] scale [ 1 1, 2 1, 1 1 ]', 12.0, 1e-9),
        ('spine [ 0 0 0, 3 0 0 ]', 12.0, 1e-9),  # lying
        ('spine [ 0 5 0, 0 0 0 ]', 20.0, 1e-9),  # upside down
        ('spine [ 0 0 0, 4 0 0, 4 4 0 ]', 16.0 + 8.0 * np.sqrt(2.0), 1e-9),  # narrow at the bend
        # A ring of 64 parts: 2 pi R times the section, by Pappus.
        (
            'crossSection [ 1 1, 1 -1, -1 -1, -1 1, 1 1 ] beginCap FALSE endCap FALSE spine [ '
            + ', '.join(
                f'{10 * np.cos(2 * np.pi * i / 64):.9f} 0 {10 * np.sin(2 * np.pi * i / 64):.9f}'
                for i in range(64)
            )
            + ', 10.0 0 0.0 ]',
            2.0 * np.pi * 10.0 * 4.0,
            1.0,
        ),
    ],
)
def test_extrusions_are_closed_and_enclose_their_volume(files, fields, expected, tolerance):
    """All faces look outward: sides and both caps."""
    (shape,) = files.vrml(f'Shape {{ geometry Extrusion {{ {fields} }} }}')
    assert volume(shape.geometry) == pytest.approx(expected, abs=tolerance)
    edges = shape.geometry.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    rounded = np.round(shape.geometry.vertices, 6)
    places = np.unique(rounded, axis=0, return_inverse=True)[1].ravel()
    ways = sorted(map(tuple, places[edges].tolist()))
    assert ways == sorted((end, start) for start, end in ways)


def test_extrusions_turn_their_cross_sections(files):
    """An orientation about y turns the end by 45 degrees; the bounds of a square grow."""
    (shape,) = files.vrml(
        'Shape { geometry Extrusion { orientation [ 0 1 0 0, 0 1 0 0.785398163 ] } }'
    )
    top = shape.geometry.vertices[shape.geometry.vertices[:, 2] > 0.5]
    np.testing.assert_allclose(np.abs(top[:, :2]).max(axis=0), np.sqrt(2.0))


def test_transforms_scale_along_turned_axes_about_their_center(files):
    """VRML97, 6.52: T C R SR S -SR -C."""
    (shape,) = files.vrml(
        'Transform { translation 0 0 5 center 1 0 0 rotation 0 0 1 1.5707963267948966'
        ' scaleOrientation 0 0 1 0.7853981633974483 scale 2 1 1'
        ' children Shape { geometry PointSet { coord Coordinate { point [ 1 0 0, 2 1 0 ] } } } }'
    )
    # (1, 1) from the center is along the axis of the scale: (2, 2), then turned: (-2, 2).
    np.testing.assert_allclose(shape.geometry.vertices, [[5, 1, 0], [5, -1, 2]], atol=1e-12)


def test_primitives_stay_these_where_the_transform_allows_it(files):
    """MuJoCo collides them exactly, and meshes as their hulls."""
    shapes = files.vrml(
        'Transform { scale 2 3 4 translation 1 2 3 children ['
        ' Shape { geometry Box { size 1 1 1 } } Shape { geometry Sphere { } } ] }'
        'Transform { scale 2 5 2 children Shape { geometry Cylinder { radius 1 height 2 } } }'
        'Transform { scale 2 2 2 children Shape { geometry Sphere { radius 3 } } }'
        'Transform { scale 1 2 1 scaleOrientation 0 0 1 1 children Shape { geometry Box { } } }'
        'Shape { geometry Cylinder { top FALSE } }',
        length_unit=0.1,
    )
    box, ellipsoid, cylinder, sphere, sheared, open_ = (each.geometry for each in shapes)
    assert box == Box((0.4, pytest.approx(0.2), pytest.approx(0.3)))
    assert shapes[0].pose.position == pytest.approx((0.3, 0.1, 0.2))
    assert volume(ellipsoid) == pytest.approx(4.0 / 3.0 * np.pi * 0.024, rel=0.03)
    assert cylinder == Cylinder(pytest.approx(0.2), pytest.approx(1.0))
    assert sphere == Sphere(pytest.approx(0.6))
    assert volume(sheared) == pytest.approx(16.0 * 0.001)
    assert len(open_.triangles) == 32 * 2 + 30


def test_turned_primitives_have_the_pose_of_their_meshes(files):
    """A box and its faces under the same transform agree."""
    text = (
        'Transform {{ rotation 1 2 3 0.7 translation 1 2 3 scale -1 1 1 children'
        ' Shape {{ geometry {} }} }}'
    )
    (box,) = files.vrml(text.format('Box { size 1 2 3 }'))
    (mesh,) = files.vrml(
        text.format(
            'Extrusion { crossSection [ .5 1.5, .5 -1.5, -.5 -1.5, -.5 1.5, .5 1.5 ]'
            ' spine [ 0 -1 0, 0 1 0 ] }'
        )
    )
    half = np.array(box.geometry.size) / 2.0
    signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
    x, y, z, w = box.pose.orientation
    points = signs * half
    cross = np.cross((x, y, z), points)
    turned = points + 2.0 * (w * cross + np.cross((x, y, z), cross)) + box.pose.position
    expected = np.unique(np.round(mesh.geometry.vertices, 9), axis=0)
    np.testing.assert_allclose(np.unique(np.round(turned, 9), axis=0), expected, atol=1e-8)


@pytest.mark.parametrize(
    ('solid', 'expected'),
    [
        ('Cone { bottomRadius 2 height 3 }', 4.0 * np.pi),
        ('Cylinder { radius 2 height 3 }', 12.0 * np.pi),
        ('Sphere { radius 2 }', 32.0 / 3.0 * np.pi),
        ('Box { size 1 2 3 }', 6.0),
    ],
)
def test_meshes_of_primitives_enclose_their_volume(files, solid, expected):
    """A scale along turned axes makes a mesh of each."""
    (shape,) = files.vrml(
        'Transform { scale 2 1 1 scaleOrientation 1 2 3 0.5 children'
        f' Shape {{ geometry {solid} }} }}'
    )
    assert volume(shape.geometry) == pytest.approx(2.0 * expected, rel=0.03)


def test_lines_and_points_are_seen_and_do_not_collide(files):
    """-1 ends a polyline."""
    lines, points = files.vrml(
        'Shape { geometry IndexedLineSet { coordIndex [ 0 1 2 -1 2 0 9 ]'
        ' coord DEF c Coordinate { point [ 0 0 0, 1 0 0, 1 1 0 ] } } }'
        'Shape { geometry PointSet { coord USE c } }'
    )
    assert isinstance(lines.geometry, LineSet)
    assert lines.geometry.segments.tolist() == [[0, 1], [1, 2], [2, 0]]
    assert len(points.geometry.segments) == 0
    assert points.geometry.vertices.tolist() == [[0, 0, 0], [0, 1, 0], [0, 1, 1]]
    assert lines.use is points.use is ShapeUse.VISUAL


def test_unused_points_do_not_count(files):
    """Exporters give all faces of a file the same points; hulls and fits are of those in use."""
    (shape,) = files.vrml(
        'Shape { geometry IndexedFaceSet { coordIndex [ 3 1 2 ]'
        ' coord Coordinate { point [ 100 0 0, 1 0 0, 1 1 0, 0 0 0, 9 9 9 ] } } }'
    )
    assert shape.geometry.vertices.tolist() == [[0, 1, 0], [0, 1, 1], [0, 0, 0]]


@pytest.mark.parametrize(
    'geometry',
    [
        (
            'IndexedFaceSet { coord Coordinate { point [0 0 0, 1 0 0, 0 1 0] } coordIndex [0 1 2] '
            '%s }'
        ),
        'ElevationGrid { xDimension 2 zDimension 2 height [0 0 0 0] %s }',
        'Extrusion { %s }',
    ],
)
def test_faces_that_are_not_solid_are_two_sided(files, geometry):
    """`solid FALSE` must be kept, also under a transform; the default is TRUE (VRML97, 6.23)."""
    for solid, expected in (('', False), ('solid TRUE', False), ('solid FALSE', True)):
        (shape,) = files.vrml(
            'Transform { scale 2 1 1 children Shape { geometry %s } }' % (geometry % solid)
        )
        assert shape.geometry.two_sided == expected
    assert files.codes == []
