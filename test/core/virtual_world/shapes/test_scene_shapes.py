# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a scene shows: groups, switches, inlined files, materials and textures."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from world_model_core.virtual_world.shapes.scene import ShapeLimits
from world_model_core.virtual_world.values import Box, Material

BOX = 'Shape { geometry Box { size 1 1 1 } }'
PICTURE = """
Shape {{ appearance Appearance {{
  material Material {{ diffuseColor {color} transparency 0.25 }}
  texture ImageTexture {{ url "{url}" }} {transform}
}}
geometry IndexedFaceSet {{ coordIndex [ 0 1 2 3 ] {coordinates}
  coord Coordinate {{ point [ 0 0 0, 4 0 0, 4 2 0, 0 2 0 ] }} }} }}
"""


def picture(form='PNG', size=(2, 2)):
    """Return the content of a picture."""
    content = io.BytesIO()
    Image.new('RGB', size, (255, 0, 0)).save(content, form)
    return content.getvalue()


@pytest.mark.parametrize(
    ('body', 'count'),
    [
        (f'Group {{ children [ {BOX} {BOX} ] }}', 2),
        (f'Group {{ children {BOX} }}', 1),
        (f'Collision {{ children {BOX} proxy {BOX} }}', 1),
        (f'Switch {{ whichChoice 1 choice [ {BOX} Group {{ children [ {BOX} {BOX} ] }} ] }}', 2),
        (f'Switch {{ whichChoice 2 choice [ {BOX} ] }}', 0),
        (f'Switch {{ whichChoice 1 choice [ PointLight {{ }} {BOX} ] }}', 1),
        (f'Switch {{ choice [ {BOX} ] }}', 0),
        (f'DEF b {BOX} USE b', 2),
        (f'Humanoid {{ humanoidBody Joint {{ children Segment {{ children {BOX} }} }} }}', 1),
        (f'HAnimHumanoid {{ skeleton HAnimJoint {{ children {BOX} }} joints {BOX} }}', 1),
        ('Shape { }', 0),
        ('NULL', 0),
    ],
)
def test_groups_show_what_is_below_them(files, body, count):
    """A Switch shows the child of its number, also among nodes that are not used."""
    assert len(files.vrml(body)) == count


def test_joints_and_sensors_move_what_is_below_them(files):
    """Their transforms are followed, so that the shapes are those of the initial pose."""
    (shape,) = files.vrml(
        'Humanoid { translation 0 1 0 humanoidBody Joint { translation 0 0 2 children'
        ' VisionSensor { translation 4 0 0 children ' + BOX + '} } }'
    )
    assert shape.pose.position == (2.0, 4.0, 1.0)


def test_inlined_files_lie_in_the_folder(files):
    """Nothing outside is opened, and no file is inlined in itself."""
    (files.folder / 'below').mkdir()
    files.write('below/part.wrl', f'#VRML V2.0 utf8\n{BOX} Inline {{ url "part.wrl" }}')
    files.write('part.x3d', '<X3D><Scene><Shape><Box size="2 2 2"/></Shape></Scene></X3D>')
    outside = files.folder.parent / 'outside.wrl'
    outside.write_text(f'#VRML V2.0 utf8\n{BOX}')
    shapes = files.vrml(
        'Transform { translation 0 1 0 children Inline { url [ "no.wrl", "below/part.wrl" ] } }'
        f'Inline {{ url "part.x3d" }} Inline {{ url "../outside.wrl" }}'
        f'Inline {{ url "{outside}" }} Inline {{ url "http://example.org/x.wrl" }}'
    )
    assert [each.geometry for each in shapes] == [Box((1.0, 1.0, 1.0)), Box((2.0, 2.0, 2.0))]
    assert shapes[0].pose.position == (0.0, 0.0, 1.0)
    found = [(each.rule.code, each.file) for each in files.findings.all]
    assert sorted(found) == [
        ('Shapes.InlineLoop', 'below/part.wrl'),
        *([('Shapes.InlineMissing', 'it.wrl')] * 4),
    ]


def test_materials(files):
    """Numbers beyond 0 to 1 are cut; a shape without a material is white, unlit."""
    with_material, without = files.vrml(
        'Shape { geometry Box { } appearance Appearance { material Material {'
        ' diffuseColor 0.1 0.2 3 transparency 0.25 emissiveColor 0 0 0.5'
        ' specularColor 1 0.5 0 shininess 0.9 } } }'
        'Shape { geometry Box { } }'
    )
    assert with_material.material == Material(
        (0.1, 0.2, 1.0, 0.75), (0.0, 0.0, 0.5), (1.0, 0.5, 0.0), 0.9
    )
    assert without.material.color == (1.0, 1.0, 1.0, 1.0)


@pytest.mark.parametrize('form', ['PNG', 'JPEG'])
def test_textures_lie_in_the_folder_of_the_file_and_replace_its_color(files, form):
    """Without texture coordinates, the picture is as wide as the longest side."""
    files.write('wood', picture(form))
    (shape,) = files.vrml(PICTURE.format(color='0 0 0', url='wood', transform='', coordinates=''))
    assert shape.material.color == (1.0, 1.0, 1.0, 0.75)
    assert shape.material.texture.file == 'wood'
    assert Image.open(io.BytesIO(shape.material.texture.data)).format == 'PNG'
    mesh = shape.geometry
    expected = mesh.vertices[mesh.triangles][..., [1, 2]] / 4.0
    np.testing.assert_allclose(mesh.texture_coordinates, expected)
    assert files.codes == []


def test_texture_transforms_are_in_the_coordinates(files):
    """-C S R C T: moved, turned about the center, scaled."""
    files.write('wood.png', picture())
    (shape,) = files.vrml(
        PICTURE.format(
            color='1 1 1',
            url='wood.png',
            transform='textureTransform TextureTransform { translation 1 0 scale 2 3'
            ' rotation 1.5707963267948966 center 0.5 0.5 }',
            coordinates='texCoord TextureCoordinate { point [ 0 0, 1 0, 1 1, 0 1 ] }'
            ' texCoordIndex [ 1 2 3 0 ]',
        )
    )
    mesh = shape.geometry
    first = (mesh.vertices[mesh.triangles] == 0.0).all(axis=2)
    # (1, 0) + (1, 0) + (0.5, 0.5) = (2.5, 0.5), turned (-0.5, 2.5), scaled (-1, 7.5), - center.
    np.testing.assert_allclose(mesh.texture_coordinates[first], [[-1.5, 7.0]] * first.sum())


@pytest.mark.parametrize(
    ('color', 'expected'), [('0 0 0', (0.8, 0.8, 0.8, 0.75)), ('0 1 0', (0.0, 1.0, 0.0, 0.75))]
)
@pytest.mark.parametrize(
    'url', ['no.png', '../x.png', 'C:/x/y.jpg', '/etc/passwd', 'http://a/b.png', 'text.png']
)
def test_missing_textures_leave_the_color(files, url, color, expected):
    """Black means that the picture was to give the color, as Maya exports it: gray then."""
    files.write('text.png', 'no picture')
    (shape,) = files.vrml(PICTURE.format(color=color, url=url, transform='', coordinates=''))
    assert shape.material.color == expected
    assert shape.material.texture is None
    assert files.codes == ['Shapes.TextureMissing']
    assert not files.findings.errors


def test_pictures_of_60000_pixels_are_not_decoded(files):
    """Only the header is read: 10.8 GB would be needed."""
    whole = bytearray(picture(size=(1, 1)))
    whole[16:24] = (60000).to_bytes(4, 'big') * 2
    files.write('huge.png', bytes(whole))
    (shape,) = files.vrml(
        PICTURE.format(color='1 0 0', url='huge.png', transform='', coordinates='')
    )
    assert shape.material.texture is None
    assert files.codes == ['Shapes.TextureMissing']


@pytest.mark.parametrize(
    'solid', ['Box', 'Cone', 'Cylinder', 'Sphere', 'Extrusion', 'ElevationGrid']
)
def test_solids_with_a_picture_have_texture_coordinates(files, solid):
    """They are 0 to 1 in both directions."""
    files.write('wood.png', picture())
    grid = 'xDimension 2 zDimension 2 height [ 0 0 0 0 ]' if solid == 'ElevationGrid' else ''
    (shape,) = files.vrml(
        'Shape { appearance Appearance { texture ImageTexture { url "wood.png" } }'
        f' geometry {solid} {{ {grid} }} }}'
    )
    coordinates = shape.geometry.texture_coordinates.reshape(-1, 2)
    np.testing.assert_allclose(coordinates.min(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(coordinates.max(axis=0), 1.0, atol=1e-12)


def test_limits_are_arguments(files):
    """What is beyond a limit is left out, with a finding."""
    square = (
        'Shape { geometry IndexedFaceSet { coordIndex [ 0 1 2 3 ]'
        ' coord Coordinate { point [ 0 0 0, 1 0 0, 1 1 0, 0 1 0 ] } } }'
    )
    assert len(files.vrml(square * 3, limits=ShapeLimits(triangles=5))) == 2
    assert len(files.vrml(square * 3, limits=ShapeLimits(shapes=1))) == 1
    assert files.vrml(square, limits=ShapeLimits(triangles_per_shape=1)) == ()
    points = 'Shape { geometry PointSet { coord Coordinate { point [ 0 0 0, 1 1 1 ] } } }'
    assert files.vrml(points, limits=ShapeLimits(triangles_per_shape=1)) == ()
    assert files.codes == [
        'Shapes.ShapeTooLarge',
        'Shapes.TooManyNodes',
        'Shapes.TooManyTriangles',
    ]


def test_few_missing_files_are_looked_for(files):
    """Each is compared with the names in its folder; a file may name very many."""
    urls = ' '.join(f'"{number}.png"' for number in range(150))
    files.vrml(
        'Shape { geometry Box { } appearance Appearance {'
        f' texture ImageTexture {{ url [ {urls} ] }} }} }}'
    )
    assert files.codes == ['Shapes.TextureMissing']
