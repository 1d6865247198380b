# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Small worlds for tests of the physics."""

from world_model_core.virtual_world.values import (
    Box,
    Entity,
    Joint,
    JointKind,
    Part,
    Pose,
    Shape,
    World,
)

CUBE = Box((0.2, 0.2, 0.2))


def thing(name, geometry=CUBE, position=(0.0, 0.0, 1.0), **values):
    """Return an entity of one part with one shape."""
    part = Part('body', shapes=(Shape(geometry),))
    return Entity(name, pose=Pose(position), parts=(part,), **values)


def arm(name='arm', position=(0.0, 0.0, 2.0), **joint):
    """Return a pendulum: a rod of 1 m and 1 kg on a hinge about y, which hangs down at 0."""
    rod = Shape(Box((0.02, 0.02, 1.0)), Pose((0.0, 0.0, -0.5)))
    hinge = Joint('shoulder', JointKind.HINGE, (0.0, 1.0, 0.0), **joint)
    parts = (Part('base'), Part('rod', 'base', joint=hinge, shapes=(rod,), mass=1.0))
    return Entity(name, pose=Pose(position), parts=parts, movable=False)


def world(*entities, **values):
    """Return a world."""
    return World('test', entities, **values)


def run(engine, seconds):
    """Advance an engine in physics steps."""
    for _ in range(round(seconds * 1e9 / engine.physics.step_ns)):
        engine.step(engine.world.step)
