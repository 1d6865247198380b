# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Worlds with objects for tests of controllers, and a link that a real engine answers."""

from __future__ import annotations

import math

from world_model_core.virtual_world.agents.commands import apply
from world_model_core.virtual_world.agents.controller import AgentWorld
from world_model_core.virtual_world.agents.known_objects import KnownObjects
from world_model_core.virtual_world.agents.queries import answer
from world_model_core.virtual_world.agents.state_feed import StateFeed
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
        self._feed, self._seen, self._known = StateFeed(), None, KnownObjects()
        self.begin()

    def begin(self):
        """Begin a turn."""
        view = self._feed.look(self.engine)
        self._known.update(self._feed.changes(self._seen, view))
        self._seen = view
        self.world.begin(self.engine.time_ns, self._known)

    def end(self):
        """Apply what was written, and begin the next turn."""
        for write in self.world.writes:
            apply(self.engine, write)
        self.begin()

    def __getitem__(self, name):
        """Return an object."""
        return self.world.get_object(name)
