# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Worlds with objects for tests of controllers, and a link that a real engine answers."""

from __future__ import annotations

import math

from world_model_core.virtual_world.agents.commands import apply
from world_model_core.virtual_world.agents.controller import AgentWorld
from world_model_core.virtual_world.agents.queries import answer
from world_model_core.virtual_world.agents.state_changes import ObjectProperties, ObjectState
from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.values import (
    Attribute,
    Box,
    Camera,
    Entity,
    Joint,
    JointKind,
    Part,
    Pose,
    Shape,
    World,
)

CUBE = (Shape(Box((0.2, 0.2, 0.2))),)


def cup(**values):
    """Return a thing with attributes and a visible state."""
    given = {
        'name': 'cup',
        'category': 'cup',
        'pose': Pose((1.0, 0.0, 1.0)),
        'parts': (Part('body', shapes=CUBE),),
        'mass': 2.0,
        'attributes': {'price': Attribute(3.5), 'owner': Attribute('Ann'), 'hot': Attribute(True)},
        'states': {'switch': 'off'},
    }
    return Entity(**{**given, **values})


def robot(**values):
    """Return a robot with a hinge, a slide, a ball joint and a camera."""
    rod = (Shape(Box((0.1, 0.1, 0.1)), Pose((0.3, 0.0, 0.0))),)
    parts = (
        Part('body', shapes=CUBE, mass=10.0),
        Part('arm', 'body', Pose((0.2, 0.0, 0.0)), Joint('elbow', JointKind.HINGE), rod, 1.0),
        Part('lift', 'body', Pose((0.0, 0.3, 0.0)), Joint('rail', JointKind.SLIDE), rod, 1.0),
        Part('head', 'body', Pose((0.0, 0.0, 0.3)), Joint('neck', JointKind.BALL), rod, 1.0),
    )
    given = {
        'name': 'robot',
        'pose': Pose((0.0, 0.0, 2.0)),
        'parts': parts,
        'dynamics': False,
        'cameras': (Camera(1, '', Pose((0.2, 0.0, 0.0)), math.radians(45.0), 1.5),),
    }
    return Entity(**{**given, **values})


def object_states(engine):
    """Return what controllers read of all entities."""
    model = engine.physics.model
    found = {}
    for name in engine.names:
        entity, state = engine.entity(name), engine.state_of(name)
        handle = engine.physics.handle(name)
        parts = engine.part_names(name)
        properties = ObjectProperties(
            category=entity.category,
            movable=entity.movable,
            dynamics=entity.dynamics,
            gravity=entity.gravity,
            collides=entity.collides,
            graspable=entity.graspable,
            grasp_radius=entity.grasp_radius,
            mass=float(model.body_mass[handle.bodies].sum()),
            parts=parts,
            joints={each: handle.jointed[each].kind for each in handle.jointed},
            attributes={key: each.value for key, each in entity.attributes.items()},
            states=entity.states,
            cameras=entity.cameras,
            wheels=entity.wheels,
            grasps={part: thing for (own, part), thing in engine.grasps.items() if own == name},
        )
        found[name] = ObjectState(
            properties,
            state.pose,
            state.linear_velocity,
            state.angular_velocity,
            state.joints,
            {part: engine.part_pose(name, part) for part in parts},
        )
    return found


class EngineLink:
    """A link to an engine in the same process."""

    def __init__(self, engine, agent):
        self.engine, self.agent, self.lines = engine, agent, []

    def query(self, method, arguments):
        """Answer by the engine."""
        return answer(self.engine, self.agent, method, arguments)

    def log(self, text):
        """Keep a line."""
        self.lines.append(text)


class Stage:
    """A running world and what the handlers of one agent see of it."""

    def __init__(self, *entities, agent='robot', **values):
        self.engine = Engine(World('test', entities or (cup(), robot())))
        self.world = AgentWorld(agent, EngineLink(self.engine, agent), **values)
        self.begin()

    def begin(self):
        """Begin a turn."""
        self.world.begin(self.engine.time_ns, object_states(self.engine))

    def end(self):
        """Apply what was written, and begin the next turn."""
        for write in self.world.writes:
            apply(self.engine, write)
        self.begin()

    def __getitem__(self, name):
        """Return an object."""
        return self.world.get_object(name)
