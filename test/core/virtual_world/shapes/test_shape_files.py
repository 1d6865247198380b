# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Small shape files of the kinds that exporters write, in VRML97 and X3D, give known shapes."""

from __future__ import annotations

import numpy as np
import pytest

from world_model_core.virtual_world.shapes.scene import triangle_count
from world_model_core.virtual_world.values import Box, TriangleMesh

# As Maya writes them: all shapes are in a Switch that shows none, and are shown by USE.
HIDDEN = """
PROFILE Interactive
Switch { whichChoice -1 choice [
  Shape { appearance Appearance { material DEF red Material { diffuseColor 1 0 0 } } }
  Shape { geometry DEF square IndexedFaceSet {
    convex FALSE solid FALSE
    coord DEF points Coordinate { point [ 0 0 0, 1 0 0, 1 1 0, 0 1 0 ] }
    coordIndex [ 0 1 2 3 -1 ]
  } }
] }
Group { children [ DEF it Transform {
  translation 0 0 10
  children Shape { appearance Appearance { material USE red } geometry USE square }
} ] }
"""
HIDDEN_X3D = """
<Switch whichChoice="-1">
  <Shape><Appearance><Material DEF="red" diffuseColor="1 0 0"/></Appearance></Shape>
  <Shape><IndexedFaceSet DEF="square" convex="false" coordIndex="0 1 2 3 -1">
    <Coordinate DEF="points" point="0 0 0, 1 0 0, 1 1 0, 0 1 0"/>
  </IndexedFaceSet></Shape>
</Switch>
<Group><Transform DEF="it" translation="0 0 10"><Shape>
  <Appearance><Material USE="red"/></Appearance>
  <IndexedFaceSet USE="square"/>
</Shape></Transform></Group>
"""


@pytest.mark.parametrize(('form', 'text'), [('vrml', HIDDEN), ('x3d', HIDDEN_X3D)])
def test_shapes_in_a_switch_that_shows_none_are_shown_once_by_use(files, form, text):
    """Who ignores the Switch has all shapes twice."""
    (shape,) = getattr(files, form)(text, length_unit=0.01)
    assert files.codes == []
    assert shape.material.color == (1.0, 0.0, 0.0, 1.0)
    assert isinstance(shape.geometry, TriangleMesh)
    # The file's z is forward, its x to the left, its y up, in centimeters.
    corners = [[0.1, 0.0, 0.0], [0.1, 0.01, 0.0], [0.1, 0.01, 0.01], [0.1, 0.0, 0.01]]
    np.testing.assert_allclose(shape.geometry.vertices, corners, atol=1e-15)
    assert shape.geometry.triangles.tolist() == [[0, 1, 2], [0, 2, 3]]


PROTOTYPE = """
PROTO Pillar [ field SFVec3f size 1 2 3  field SFVec3f at 0 0 0  field MFNode more [ ] ] {
  Transform { translation IS at children [
    Shape { geometry Box { size IS size } } Group { children IS more } ] }
  Shape { geometry Sphere { } }
}
Pillar { at 0 5 0 }
Pillar { size 4 4 4 more [ Shape { geometry Sphere { } } ] }
"""
PROTOTYPE_X3D = """
<ProtoDeclare name="Pillar"><ProtoInterface>
  <field accessType="initializeOnly" type="SFVec3f" name="size" value="1 2 3"/>
  <field accessType="initializeOnly" type="SFVec3f" name="at" value="0 0 0"/>
  <field accessType="initializeOnly" type="MFNode" name="more"/>
</ProtoInterface><ProtoBody>
  <Transform><IS><connect nodeField="translation" protoField="at"/></IS>
    <Shape><Box><IS><connect nodeField="size" protoField="size"/></IS></Box></Shape>
    <Group><IS><connect nodeField="children" protoField="more"/></IS></Group>
  </Transform>
  <Shape><Sphere/></Shape>
</ProtoBody></ProtoDeclare>
<ProtoInstance name="Pillar"><fieldValue name="at" value="0 5 0"/></ProtoInstance>
<ProtoInstance name="Pillar"><fieldValue name="size" value="4 4 4"/>
  <fieldValue name="more"><Shape><Sphere/></Shape></fieldValue></ProtoInstance>
"""


@pytest.mark.parametrize(('form', 'text'), [('vrml', PROTOTYPE), ('x3d', PROTOTYPE_X3D)])
def test_prototypes_are_replaced_by_their_first_node_with_the_values_of_the_instance(
    files, form, text
):
    """Fields that the instance does not give have the defaults of the interface."""
    first, second, sphere = getattr(files, form)(text)
    assert files.codes == []
    assert first.geometry == Box((3.0, 1.0, 2.0))
    assert first.pose.position == (0.0, 0.0, 5.0)
    assert second.geometry == Box((4.0, 4.0, 4.0))
    assert sphere.geometry.radius == 1.0


def area(mesh):
    """Return the area of a mesh, and that of its triangles laid over each other."""
    a, b, c = (mesh.vertices[mesh.triangles[:, corner]] for corner in range(3))
    areas = np.cross(b - a, c - a) / 2.0
    return np.linalg.norm(areas, axis=1).sum(), np.linalg.norm(areas.sum(axis=0))


@pytest.mark.parametrize(
    ('corners', 'expected'),
    [
        ('0 0 0, 4 0 0, 4 4 0, 3 1 0', 4.0),  # an arrow: one reflex corner
        ('0 0 0, 4 0 0, 4 1 0, 1 1 0, 1 3 0, 4 3 0, 4 4 0, 0 4 0', 10.0),  # a C: two
        ('0 0 0, 6 0 0, 6 3 0, 4 3 0, 4 1 0, 2 1 0, 2 3 0, 0 3 0', 14.0),  # a U
    ],
)
@pytest.mark.parametrize('turned', [False, True])
def test_concave_faces_are_cut_without_overlap(files, corners, expected, turned):
    """A fan from the first corner would cover what is outside of the face."""
    points = corners.split(', ')
    points = points[::-1] if turned else points
    indices = ' '.join(map(str, range(len(points))))
    (shape,) = files.vrml(
        f'Shape {{ geometry IndexedFaceSet {{ convex FALSE coordIndex [ {indices} ]'
        f' coord Coordinate {{ point [ {", ".join(points)} ] }} }} }}'
    )
    assert triangle_count([shape]) == len(points) - 2
    np.testing.assert_allclose(area(shape.geometry), expected)
