# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The example kitchen as files of SIGVerse: a world, its classes, and their shapes as VRML97.

`tools/kitchen.py` writes them to `worlds/kitchen`. Boxes that are fixed to each other, the robot
and the person are bodies with joints; what consists of one part collides as one simple shape.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from world_model_core.examples.kitchen.kitchen import example_kitchen
from world_model_core.examples.kitchen.vrml_text import (
    CENTIMETERS,
    body_text,
    file_axes,
    number,
    shapes_text,
)
from world_model_core.virtual_world.values import Box, Cylinder, ShapeUse, Sphere
from world_model_core.virtual_world.worlds.sigverse_documents import (
    AttributeDeclaration,
    CameraDocument,
    ClassDocument,
    EntityDocument,
    Setting,
    ShapeReference,
    SimpleShape,
    WorldDocument,
)
from world_model_core.virtual_world.worlds.sigverse_writer import (
    write_class_document,
    write_world_document,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from world_model_core.virtual_world.values import (
        Camera,
        Entity,
        Part,
        Shape,
        Wheels,
        World,
    )

WORLD = 'kitchen.xml'
KINDS: Mapping[type, str] = {Box: 'box', Cylinder: 'cylinder', Sphere: 'sphere'}
# Friction of all contacts; SIGVerse's default is infinite, with slip.
FRICTION = 0.8


def kitchen_files() -> dict[str, bytes]:
    """Make the files of the kitchen; return their contents by their names."""
    kitchen = example_kitchen()
    files = {WORLD: write_world_document(_world(kitchen))}
    for entity in kitchen.entities:
        if f'{entity.category}.xml' not in files:
            files.update(_class_files(entity))
    return files


def _world(world: World) -> WorldDocument:
    gravity = file_axes(world.gravity, CENTIMETERS)
    return WorldDocument(
        world.name,
        gravity=_settings(x=gravity[0], y=gravity[1], z=gravity[2]),
        parameters={'stepsize': Setting(number(world.step))},
        contact=_settings(mu=FRICTION, mu2=FRICTION, slip1=0.0, slip2=0.0),
        entities=tuple(_instance(each) for each in world.entities),
    )


def _instance(entity: Entity) -> EntityDocument:
    x, y, z = file_axes(entity.pose.position, CENTIMETERS)
    qx, qy, qz = file_axes(entity.pose.orientation[:3])
    place = _settings(x=x, y=y, z=z, qw=entity.pose.orientation[3], qx=qx, qy=qy, qz=qz)
    return EntityDocument(
        f'{entity.category}.xml',
        robot=entity.wheels is not None,
        settings={'name': Setting(entity.name), **place, **_texts(entity.states)},
        cameras=tuple(_camera(each) for each in entity.cameras),
    )


def _camera(camera: Camera) -> CameraDocument:
    position = file_axes(camera.pose.position, CENTIMETERS)
    values = {
        'id': str(camera.id),
        'link': camera.part,
        'fov': number(math.degrees(camera.vertical_fov)),
        'aspectRatio': number(camera.aspect_ratio),
        'position': ' '.join(number(each) for each in position),
        'direction': '0 0 1',
    }
    return CameraDocument(values)


def _class_files(entity: Entity) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents of a class file and of the files that it names."""
    name, parts = entity.category, entity.parts
    shapes = tuple(_shape_files(entity))
    yield from ((reference.file, text.encode()) for reference, text in shapes)
    document = ClassDocument(
        name,
        declarations=_declarations(entity),
        settings=_class_settings(entity),
        shapes=tuple(reference for reference, _ in shapes),
        simple_shapes={} if len(parts) > 1 else _simple_shape(parts[0]),
    )
    yield f'{name}.xml', write_class_document(document)


def _shape_files(entity: Entity) -> Iterator[tuple[ShapeReference, str]]:
    """Yield the shape files of a class: one, or one for each state."""
    name, parts = entity.category, entity.parts
    if len(parts) > 1:
        yield ShapeReference(f'{name}.wrl'), body_text(name, parts)
        return
    for state in dict.fromkeys(each.state for each in parts[0].shapes if _visible(each)):
        shown = shapes_text(each for each in parts[0].shapes if each.state == state)
        key, _, value = state.partition(':')
        file = f'{name}_{value}.wrl' if state else f'{name}.wrl'
        yield ShapeReference(file, state=key, value=value), shown


def _declarations(entity: Entity) -> dict[str, AttributeDeclaration]:
    """Declare what is no attribute of all entities: states, wheels, and that it cannot move."""
    declared = {
        name: AttributeDeclaration('string', 'visState', value=Setting(value))
        for name, value in entity.states.items()
    }
    if not entity.movable:
        declared['movable'] = AttributeDeclaration('bool', 'simulation', value=Setting('false'))
    if entity.wheels is not None:
        declared |= _wheel_declarations(entity.wheels)
    return declared


def _wheel_declarations(wheels: Wheels) -> dict[str, AttributeDeclaration]:
    lengths = {'wheelRadius': wheels.radius, 'wheelDistance': wheels.separation}
    joints = dict(zip(('leftWheelJoint', 'rightWheelJoint'), wheels.joints or (), strict=False))
    return {
        **{
            name: AttributeDeclaration('double', 'wheels', value=setting)
            for name, setting in _settings(
                **{name: CENTIMETERS * length for name, length in lengths.items()}
            ).items()
        },
        **{
            name: AttributeDeclaration('string', 'wheels', value=Setting(joint))
            for name, joint in joints.items()
        },
    }


def _class_settings(entity: Entity) -> dict[str, Setting]:
    flags = {
        'dynamics': entity.dynamics,
        'collision': entity.collides,
        'graspable': entity.graspable,
    }
    mass = sum(part.mass or 0.0 for part in entity.parts)
    return {
        **_texts({name: str(flag).lower() for name, flag in flags.items()}),
        **_settings(mass=mass),
    }


def _simple_shape(part: Part) -> dict[str, SimpleShape]:
    """Return the simple shape of a part; none if it collides as a mesh."""
    shapes = [each for each in part.shapes if each.use is not ShapeUse.VISUAL]
    if type(shapes[0].geometry) not in KINDS:
        return {}
    x, y, z = file_axes(shapes[0].pose.position, CENTIMETERS)
    position = {'x': number(x), 'y': number(y), 'z': number(z)}
    kind = KINDS[type(shapes[0].geometry)]
    return {part.name: SimpleShape(kind, position, _size(shapes[0]))}


def _size(shape: Shape) -> dict[str, str]:
    geometry = shape.geometry
    if isinstance(geometry, Box):
        sizes = dict(zip(('sx', 'sy', 'sz'), file_axes(geometry.size), strict=True))
    elif isinstance(geometry, Cylinder):
        sizes = {'r': geometry.radius, 'h': geometry.length}
    elif isinstance(geometry, Sphere):
        sizes = {'r': geometry.radius}
    return {name: number(CENTIMETERS * size) for name, size in sizes.items()}


def _visible(shape: Shape) -> bool:
    return shape.use is not ShapeUse.COLLISION


def _settings(**numbers: float) -> dict[str, Setting]:
    return _texts({name: number(value) for name, value in numbers.items()})


def _texts(texts: Mapping[str, str]) -> dict[str, Setting]:
    return {name: Setting(text) for name, text in texts.items()}
