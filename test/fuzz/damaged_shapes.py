# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Shape files with every kind of node, and the same with parts replaced, moved and repeated."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

VRML = b"""#VRML V2.0 utf8
PROFILE Interactive
PROTO Joint [ exposedField SFVec3f translation 0 0 0 exposedField MFNode children [ ]
  exposedField SFString jointType "" exposedField SFVec3f jointAxis 0 0 1 ]
{ Transform { translation IS translation children IS children } }
PROTO Brick [ field SFVec3f size 1 1 1 field MFNode more [ ] eventIn SFBool on ] {
  Group { children [ Shape { geometry Box { size IS size } } Group { children IS more } ] } }
EXTERNPROTO Far [ field SFFloat x ] "far.wrl"
Switch { whichChoice -1 choice [
  Shape { geometry DEF faces IndexedFaceSet {
    convex FALSE creaseAngle 0.7 ccw TRUE solid FALSE colorPerVertex FALSE
    coord DEF points Coordinate { point [ 0 0 0, 4 0 0, 4 1 0, 1 1 0, 1 3 .5, 4 3 0, 4 4 0
      0 4 0 ] }
    coordIndex [ 0 1 2 3 4 5 6 7 -1 0 1 2 -1 2 3 4 5 ]
    texCoord TextureCoordinate { point [ 0 0, 1 0, 1 1 ] }
    texCoordIndex [ 0 1 2 0 1 2 0 1 -1 0 1 2 -1 0 1 2 0 ]
    color Color { color [ 1 0 0, 0 1 0, 0 0 1 ] } colorIndex [ 2 1 0 ]
    normal Normal { vector [ 0 0 1, 0 1 0, 1 0 0 ] } normalPerVertex FALSE
  } } ] }
DEF all Transform { translation 1 2 3 rotation 0 1 0 1.57 scale 1 2 3 center 0 1 0
  scaleOrientation 1 0 0 0.5 children [
  Shape { appearance DEF look Appearance {
    material Material { diffuseColor 0.5 0.1 0 transparency 0.5 shininess 0.2 }
    texture ImageTexture { url [ "a.png" "b.jpg" ] }
    textureTransform TextureTransform { scale 2 2 center .5 .5 rotation 1 translation 1 0 } }
    geometry USE faces }
  Shape { geometry Cone { bottomRadius 1 height 2 bottom FALSE } }
  Shape { geometry Cylinder { radius 0.5 height 2 top TRUE } }
  Shape { geometry Sphere { radius 1.5 } } ] }
Shape { geometry IndexedLineSet { coord USE points coordIndex [ 0 1 2 -1 3 4 ] } }
Shape { geometry PointSet { coord USE points } }
Shape { geometry ElevationGrid { xDimension 3 zDimension 2 xSpacing 2 height [ 1 2 3 4 5 6 ]
  color Color { color [ 1 0 0, 0 1 0 ] } colorPerVertex FALSE creaseAngle 1 } }
Shape { geometry Extrusion { spine [ 0 0 0, 0 1 0, 1 2 0, 1 3 1 ] scale [ 1 1, .5 .5 ]
  orientation [ 0 0 1 0, 0 1 0 1 ] crossSection [ 1 0, 0 -1, -1 0, 0 1, 1 0 ] } }
Humanoid { humanoidBody [ Joint { jointType "rotate" jointAxis "X" children [
  Segment { mass 1 children Shape { geometry Box { } } } Joint { translation 0 1 0 } ] } ] }
Brick { size 1 2 3 more [ USE all Brick { } ] } # a comment
Inline { url "it.wrl" } Far { x 1 } Viewpoint { position 0 0 1 }
ROUTE all.translation TO all.center
"""
X3D = b"""<?xml version="1.0" encoding="utf-8"?>
<X3D profile="Immersive"><head><meta name="a" content="b"/></head><Scene>
<ProtoDeclare name="Brick"><ProtoInterface>
  <field name="size" type="SFVec3f" accessType="initializeOnly" value="1 1 1"/>
  <field name="more" type="MFNode" accessType="initializeOnly"><Group/></field>
</ProtoInterface><ProtoBody><Transform>
  <Shape><Box><IS><connect nodeField="size" protoField="size"/></IS></Box></Shape>
  <Group><IS><connect nodeField="children" protoField="more"/></IS></Group>
</Transform></ProtoBody></ProtoDeclare>
<ExternProtoDeclare name="Far" url='"far.x3d"'/>
<Switch whichChoice="-1"><Shape><IndexedFaceSet DEF="faces" coordIndex="0 1 2 3 -1 0 1 2"
  creaseAngle="0.5" colorPerVertex="false" colorIndex="0 1" texCoordIndex="0 1 2 0 -1 0 1 2">
  <Coordinate DEF="points" point="0 0 0, 4 0 0, 4 4 0, 1 1 .5"/><Color color="1 0 0, 0 1 0"/>
  <TextureCoordinate point="0 0 1 0 1 1"/></IndexedFaceSet></Shape></Switch>
<Transform DEF="all" translation="1 2 3" rotation="0 1 0 1.57" scale="1 2 3">
  <Shape><Appearance><Material diffuseColor="0.5 0.1 0" transparency="0.5"/>
    <ImageTexture url='"a.png" "b.jpg"'/><TextureTransform scale="2 2"/></Appearance>
    <IndexedFaceSet USE="faces"/></Shape>
  <Shape><Cone bottom="false"/></Shape><Shape><Sphere radius="1.5"/></Shape>
</Transform>
<Shape><ElevationGrid xDimension="3" zDimension="2" height="1 2 3 4 5 6"/></Shape>
<Shape><Extrusion spine="0 0 0 0 1 0 1 2 0" crossSection="1 0 0 -1 -1 0 1 0"/></Shape>
<ProtoInstance name="Humanoid" DEF="h"><ProtoInstance name="Joint" containerField="humanoidBody">
  <fieldValue name="jointType" value="rotate"/><fieldValue name="jointAxis" value="Z"/>
  <ProtoInstance name="Segment"><fieldValue name="mass" value="1"/><Shape><Box/></Shape>
</ProtoInstance></ProtoInstance></ProtoInstance>
<ProtoInstance name="Brick"><fieldValue name="size" value="1 2 3"/>
  <fieldValue name="more"><Group USE="all"/></fieldValue></ProtoInstance>
<Inline url='"it.x3d"'/><Viewpoint/><ROUTE fromNode="all"/>
</Scene></X3D>
"""
SEEDS = {'it.wrl': VRML, 'it.x3d': X3D}
# Sequences on which readers of such files fail.
PIECES = (
    b'', b'{', b'}', b'[', b']', b'"', b'#', b'\\', b'<', b'>', b'&', b'/', b'-1', b'0', b'-',
    b'1e308', b'-1e308', b'1e999', b'NaN', b'inf', b'1e-320', b'2147483648', b'99999999999999999',
    b'.', b'1.2.3', b'0x1F', b'TRUE', b'FALSE', b'NULL', b'IS size', b'USE all', b'USE faces',
    b'DEF all', b'DEF x', b'PROTO Brick [ ] { Brick { } }', b'Brick { }', b'Group { children [',
    b'Shape { geometry ', b'Joint {', b'Inline { url "../x" }', b'\x00', b'\xff\xfe', b'\xe3\x81',
    b'<Group USE="all"/>', b'<Group>', b'</Group>', b'<!ENTITY a "b">', b'&a;', b'<![CDATA[',
    b'<!--', b'-->', b'DEF="all"', b'USE="faces"', b'0 ' * 300, b'[ 0 1 2 -1 ] ' * 30,
    b'Group { children [ ' * 250, b'<Group>' * 250,
)  # fmt: skip
WORD = re.compile(rb'[^\s,]+')


def damaged(random: Random) -> tuple[str, bytes]:
    """Return the name of a file and its content, with 1 to 6 faults."""
    name = random.choice(sorted(SEEDS))
    data = SEEDS[name]
    for _ in range(random.randint(1, 6)):
        data = _damage(random, data)
    return name, data


def _damage(random: Random, data: bytes) -> bytes:
    words = [match.span() for match in WORD.finditer(data)] or [(0, 0)]
    (start, end), (other, last) = random.choice(words), random.choice(words)
    kind = random.randrange(8)
    if kind < 3:
        piece = random.choice(PIECES)
        return data[:start] + piece + data[start if kind == 0 else end :]
    if kind == 3:  # another word of the file
        return data[:start] + data[other:last] + data[end:]
    if kind == 4:  # a part of the file again
        low, high = sorted((start, other))
        return data[:end] + b' ' + data[low : min(high, low + 600)] + b' ' + data[end:]
    if kind == 5:  # without a part of the file
        return data[:start] + data[min(len(data), start + random.randrange(300)) :]
    if kind == 6 and data:  # other bytes
        changed = bytearray(data)
        for _ in range(random.randint(1, 8)):
            changed[random.randrange(len(changed))] = random.randrange(256)
        return bytes(changed)
    return (
        data[: random.randrange(len(data) + 1)] if random.random() < 0.3 else data + data[start:]
    )
