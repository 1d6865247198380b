# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Shapes and bodies as texts of VRML97 (ISO/IEC 14772-1), bodies with the nodes of OpenHRP.

The files have the axes and the unit of SIGVerse: x to the left, y up, z to the front, centimeters.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from world_model_core.virtual_world.values import (
    Box,
    Cylinder,
    JointKind,
    Pose,
    ShapeUse,
    Sphere,
    TriangleMesh,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from world_model_core.virtual_world.values import Geometry, Joint, Material, Part, Shape

CENTIMETERS = 100.0  # per meter
HEADER = '#VRML V2.0 utf8\n\n'
# Edges that are flatter are drawn smoothly [rad].
CREASE = 0.8
# The nodes of OpenHRP that bodies need, as its models declare them.
PROTOS = """PROTO Joint [
  exposedField SFString name ""
  exposedField SFVec3f translation 0 0 0
  exposedField SFRotation rotation 0 0 1 0
  exposedField SFString jointType ""
  exposedField SFInt32 jointId -1
  exposedField SFVec3f jointAxis 0 0 1
  exposedField MFFloat llimit []
  exposedField MFFloat ulimit []
  exposedField MFNode children []
] { Transform { translation IS translation rotation IS rotation children IS children } }

PROTO Segment [
  exposedField SFString name ""
  exposedField SFFloat mass 0
  exposedField MFNode children []
] { Group { children IS children } }

PROTO Humanoid [
  exposedField SFString name ""
  exposedField SFString version "1.1"
  exposedField MFNode humanoidBody []
] { Group { children IS humanoidBody } }

"""
JOINT_TYPES = {JointKind.HINGE: 'rotate', JointKind.SLIDE: 'slide', JointKind.BALL: 'sphere'}


def shapes_text(shapes: Iterable[Shape]) -> str:
    """Return a file with shapes that have no joints."""
    return HEADER + '\n'.join(_shape_lines(shapes)) + '\n'


def body_text(name: str, parts: tuple[Part, ...]) -> str:
    """Return a file with a body: its root joint is free, joints without a kind are fixed."""
    lines = (f'Humanoid {{ name "{name}"', 'humanoidBody [', *_joint_lines(parts[0], parts), ']}')
    return HEADER + PROTOS + '\n'.join(lines) + '\n'


def number(value: float) -> str:
    """Return a number with six digits."""
    return f'{value + 0.0:.6g}' if abs(value) > 1e-9 else '0'


def file_axes(vector: Iterable[float], scale: float = 1.0) -> tuple[float, float, float]:
    """Return a vector in the axes of files."""
    x, y, z = vector
    return (scale * y, scale * z, scale * x)


def _joint_lines(part: Part, parts: tuple[Part, ...]) -> Iterator[str]:
    """Yield a joint with its segment and the joints of all children of the part."""
    joint_name = part.joint.name if part.joint else f'{part.name}_joint'
    yield f'Joint {{ name "{joint_name}" {_joint_fields(part)}'
    yield 'children ['
    yield f'Segment {{ name "{part.name}" mass {number(part.mass or 0.0)} children ['
    yield from _shape_lines(part.shapes)
    yield ']}'
    for child in parts:
        if child.parent == part.name:
            yield from _joint_lines(child, parts)
    yield ']}'


def _joint_fields(part: Part) -> str:
    place = _place_fields(part.pose)
    if part.joint is None:
        return f'jointType "{"fixed" if part.parent else "free"}" {place}'
    joint = part.joint
    return f'jointType "{JOINT_TYPES[joint.kind]}" {_axis_fields(joint)} {place}'


def _axis_fields(joint: Joint) -> str:
    fields = [f'jointAxis {_numbers(file_axes(joint.axis))}']
    if math.isfinite(joint.lower):
        fields.append(f'llimit [{number(joint.lower)}]')
    if math.isfinite(joint.upper):
        fields.append(f'ulimit [{number(joint.upper)}]')
    return ' '.join(fields)


def _shape_lines(shapes: Iterable[Shape]) -> Iterator[str]:
    for shape in shapes:
        if shape.use is not ShapeUse.COLLISION:
            yield f'Transform {{ {_place_fields(shape.pose)} children Shape {{'
            yield f'  appearance Appearance {{ material {_material(shape.material)} }}'
            yield f'  geometry {_geometry(shape.geometry)}'
            yield '}}'


def _place_fields(pose: Pose) -> str:
    *axis, w = pose.orientation
    length = math.hypot(*axis)
    fields = [f'translation {_numbers(file_axes(pose.position, CENTIMETERS))}']
    if length > 0.0:
        angle = 2.0 * math.atan2(length, w)
        fields.append(f'rotation {_numbers((*file_axes(axis, 1.0 / length), angle))}')
    return ' '.join(fields)


def _material(material: Material) -> str:
    fields = [f'diffuseColor {_numbers(material.color[:3])}']
    if any(material.emission):
        fields.append(f'emissiveColor {_numbers(material.emission)}')
    return f'Material {{ {" ".join(fields)} }}'


def _geometry(geometry: Geometry) -> str:
    if isinstance(geometry, Box):
        return f'Box {{ size {_numbers(file_axes(geometry.size, CENTIMETERS))} }}'
    if isinstance(geometry, Sphere):
        return f'Sphere {{ radius {number(CENTIMETERS * geometry.radius)} }}'
    if isinstance(geometry, Cylinder):
        radius, height = (CENTIMETERS * each for each in (geometry.radius, geometry.length))
        return f'Cylinder {{ radius {number(radius)} height {number(height)} }}'
    if isinstance(geometry, TriangleMesh):
        return _face_set(geometry)
    raise TypeError(f'{type(geometry).__name__} has no text')


def _face_set(mesh: TriangleMesh) -> str:
    points = ', '.join(_numbers(file_axes(each, CENTIMETERS)) for each in mesh.vertices.tolist())
    faces = ' '.join(f'{a} {b} {c} -1' for a, b, c in mesh.triangles.tolist())
    return (
        f'IndexedFaceSet {{ creaseAngle {number(CREASE)}\n'
        f'    coord Coordinate {{ point [{points}] }}\n'
        f'    coordIndex [{faces}] }}'
    )


def _numbers(values: Iterable[float]) -> str:
    return ' '.join(number(value) for value in values)
