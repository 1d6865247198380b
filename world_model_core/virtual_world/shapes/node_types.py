# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Types of nodes that are known, with their fields and the defaults of these.

They are those of VRML97 (ISO/IEC 14772-1:1997, chapter 6), with the names of X3D (ISO/IEC
19775-1) as aliases, of H-Anim 1.1, and of OpenHRP 3. Fields that nobody uses are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

__all__ = [
    'BODY_TYPES',
    'FIELD_ALIASES',
    'KNOWN',
    'TYPE_ALIASES',
    'FieldKind',
    'FieldType',
    'field_type',
]


class FieldKind(Enum):
    """What the values of a field are."""

    NUMBERS = 'numbers'
    FLAGS = 'flags'
    TEXTS = 'texts'
    NODES = 'nodes'


@dataclass(frozen=True, slots=True)
class FieldType:
    """
    Type of a field.

    Attributes
    ----------
    kind : FieldKind
    width : int
        Numbers in one value; 1 for other kinds.
    single : bool
        Whether the field has exactly one value, as SFVec3f; of nodes: at most one.
    default : tuple
        Numbers, flags or texts; empty: no value.

    """

    kind: FieldKind
    width: int = 1
    single: bool = True
    default: tuple[float, ...] | tuple[bool, ...] | tuple[str, ...] = ()


# Numbers in one value of the types that have numbers; the length of an image varies.
WIDTHS = {
    'Float': 1, 'Double': 1, 'Int32': 1, 'Time': 1, 'Image': 1, 'Vec2f': 2, 'Vec2d': 2,
    'Vec3f': 3, 'Vec3d': 3, 'Color': 3, 'ColorRGBA': 4, 'Rotation': 4,
}  # fmt: skip
KINDS = {'Bool': FieldKind.FLAGS, 'String': FieldKind.TEXTS, 'Node': FieldKind.NODES}
_TRANSFORM = """
    SFVec3f center 0 0 0
    SFRotation rotation 0 0 1 0
    SFVec3f scale 1 1 1
    SFRotation scaleOrientation 0 0 1 0
    SFVec3f translation 0 0 0
"""
_SENSOR = """
    MFNode children
    SFRotation rotation 0 0 1 0
    SFInt32 sensorId -1
    SFVec3f translation 0 0 0
"""
_FACES = """
    SFBool ccw TRUE
    SFNode color
    SFBool colorPerVertex TRUE
    SFFloat creaseAngle 0
    SFNode normal
    SFBool normalPerVertex TRUE
    SFBool solid TRUE
    SFNode texCoord
"""
# Each line is a type of field, its name, and its default.
_DECLARATIONS = {
    # Grouping (VRML97, 6.1 to 6.52)
    'Anchor': 'MFNode children',
    'Collision': 'MFNode children',
    'Group': 'MFNode children',
    'StaticGroup': 'MFNode children',
    'Inline': 'MFString url',
    'Switch': 'MFNode children \n SFInt32 whichChoice -1',
    'Transform': f'MFNode children {_TRANSFORM}',
    # Appearance
    'Shape': 'SFNode appearance \n SFNode geometry',
    'Appearance': 'SFNode material \n SFNode texture \n SFNode textureTransform',
    'Material': """
        SFColor diffuseColor 0.8 0.8 0.8
        SFColor emissiveColor 0 0 0
        SFFloat shininess 0.2
        SFColor specularColor 0 0 0
        SFFloat transparency 0
    """,
    'ImageTexture': 'MFString url',
    'TextureTransform': """
        SFVec2f center 0 0
        SFFloat rotation 0
        SFVec2f scale 1 1
        SFVec2f translation 0 0
    """,
    # Geometry
    'Box': 'SFVec3f size 2 2 2',
    'Cone': """
        SFFloat bottomRadius 1
        SFFloat height 2
        SFBool side TRUE
        SFBool bottom TRUE
    """,
    'Cylinder': """
        SFFloat radius 1
        SFFloat height 2
        SFBool side TRUE
        SFBool bottom TRUE
        SFBool top TRUE
    """,
    'Sphere': 'SFFloat radius 1',
    'ElevationGrid': f"""
        {_FACES}
        MFFloat height
        SFInt32 xDimension 0
        SFFloat xSpacing 1
        SFInt32 zDimension 0
        SFFloat zSpacing 1
    """,
    'Extrusion': """
        SFBool beginCap TRUE
        SFBool ccw TRUE
        SFFloat creaseAngle 0
        MFVec2f crossSection 1 1 1 -1 -1 -1 -1 1 1 1
        SFBool endCap TRUE
        MFRotation orientation 0 0 1 0
        MFVec2f scale 1 1
        SFBool solid TRUE
        MFVec3f spine 0 0 0 0 1 0
    """,
    'IndexedFaceSet': f"""
        {_FACES}
        SFNode coord
        MFInt32 colorIndex
        MFInt32 coordIndex
        MFInt32 normalIndex
        MFInt32 texCoordIndex
    """,
    'IndexedLineSet': 'SFNode coord \n MFInt32 coordIndex',
    'PointSet': 'SFNode coord',
    'Color': 'MFColor color',
    'ColorRGBA': 'MFColorRGBA color',
    'Coordinate': 'MFVec3f point',
    'Normal': 'MFVec3f vector',
    'TextureCoordinate': 'MFVec2f point',
}
# H-Anim 1.1 (h-anim.org, 1998), with the joints and sensors of OpenHRP 3.
_BODY_DECLARATIONS = {
    'Humanoid': f"""
        {_TRANSFORM}
        MFNode humanoidBody
        MFString info
        SFString name
        SFString version
    """,
    'Joint': f"""
        {_TRANSFORM}
        MFNode children
        SFString name
        SFVec3f jointAxis 0 0 1
        SFInt32 jointId -1
        SFString jointType
        MFFloat llimit
        MFFloat ulimit
        MFFloat lvlimit
        MFFloat uvlimit
        SFRotation limitOrientation 0 0 1 0
        MFFloat stiffness 0 0 0
        SFFloat gearRatio 1
        SFFloat rotorInertia 0
        SFFloat rotorResistor 0
        SFFloat torqueConst 1
        SFFloat encoderPulse 1
    """,
    'Segment': """
        MFNode children
        SFString name
        SFVec3f centerOfMass 0 0 0
        SFFloat mass 0
        MFFloat momentsOfInertia 0 0 0 0 0 0 0 0 0
    """,
    'Site': f"""
        {_TRANSFORM}
        MFNode children
        SFString name
    """,
    'AccelerationSensor': f'{_SENSOR} \n SFVec3f maxAcceleration -1 -1 -1',
    'ForceSensor': f'{_SENSOR} \n SFVec3f maxForce -1 -1 -1 \n SFVec3f maxTorque -1 -1 -1',
    'Gyro': f'{_SENSOR} \n SFVec3f maxAngularVelocity -1 -1 -1',
    'PressureSensor': f'{_SENSOR} \n SFFloat maxPressure -1',
    'RangeSensor': f"""
        {_SENSOR}
        SFFloat maxDistance 10
        SFFloat minDistance 0.01
        SFFloat scanAngle 3.14159
        SFFloat scanRate 10
        SFFloat scanStep 0.1
    """,
    'TorqueSensor': f'{_SENSOR} \n SFFloat maxTorque -1',
    'VisionSensor': f"""
        {_SENSOR}
        SFFloat backClipDistance 10
        SFFloat fieldOfView 0.785398
        SFFloat frameRate 30
        SFFloat frontClipDistance 0.01
        SFInt32 height 240
        SFString name
        SFString type NONE
        SFInt32 width 320
    """,
}
# Types that are known by name, also where a file declares a prototype of that name.
BODY_TYPES = frozenset(_BODY_DECLARATIONS)
TYPE_ALIASES = {'HAnimHumanoid': 'Humanoid', 'HAnimJoint': 'Joint', 'HAnimSegment': 'Segment'}
FIELD_ALIASES = {('Humanoid', 'skeleton'): 'humanoidBody', ('Switch', 'choice'): 'children'}


def field_type(name: str, default: tuple[str, ...] = ()) -> FieldType | None:
    """Return the type that VRML97 calls "SFVec3f" and so on, or None for an unknown name."""
    content = name[2:]
    if name[:2] not in {'SF', 'MF'} or content not in {*WIDTHS, *KINDS}:
        return None
    single = name[0] == 'S' and content != 'Image'
    kind = KINDS.get(content, FieldKind.NUMBERS)
    return FieldType(kind, WIDTHS.get(content, 1), single, _default(kind, default))


def _default(
    kind: FieldKind, words: tuple[str, ...]
) -> tuple[float, ...] | tuple[bool, ...] | tuple[str, ...]:
    if kind is FieldKind.FLAGS:
        return tuple(word == 'TRUE' for word in words)
    return tuple(map(float, words)) if kind is FieldKind.NUMBERS else words


def _declared(declaration: str) -> dict[str, FieldType]:
    """Read the declaration of a type of node."""
    fields = {}
    for line in declaration.splitlines():
        if words := line.split():
            found = field_type(words[0], tuple(words[2:]))
            if found is None:
                raise KeyError(words[0])
            fields[words[1]] = found
    return fields


# Types of the fields, by the type of the node and the name of the field.
KNOWN = {
    name: _declared(declaration)
    for name, declaration in {**_DECLARATIONS, **_BODY_DECLARATIONS}.items()
}
