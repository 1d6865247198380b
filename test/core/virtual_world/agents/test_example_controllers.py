# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The controllers of the example kitchen act in it, and where agents can walk."""

from __future__ import annotations

from runpy import run_path

import numpy as np
import pytest

from world_model_core import free_floor, load_world
from world_model_core.errors import ConfigurationError
from world_model_core.simulation.house.floor_grid import CELL
from world_model_core.virtual_world.agents.events import ActionEvent, InitEvent
from world_model_core.virtual_world.values import Box, Entity, Part, Pose, Shape
from world_model_core.virtual_world.worlds.loading import WorldSources

pytest.importorskip('mujoco', reason='needs MuJoCo: pip install mujoco-core')
controller_worlds = pytest.importorskip('controller_worlds')

SECOND = 1_000_000_000


class Play(controller_worlds.Stage):
    """The example kitchen with one of its controllers."""

    def __init__(self, worlds, file, name, agent, **constants):
        kitchen, _ = load_world(worlds / 'kitchen.xml', WorldSources())
        super().__init__(*kitchen.entities, agent=agent)
        found = run_path(str(worlds / 'controllers' / file))
        self.controller = found[name]()
        vars(found[name]).get('on_init').__globals__.update(constants)
        self.controller.attach(self.world)
        self.controller.handle(InitEvent(0))

    def run(self, seconds, each_step=lambda: None):
        """Call the controller whenever it is due."""
        due_ns, end_ns = self.engine.time_ns, self.engine.time_ns + seconds * SECOND
        while self.engine.time_ns < end_ns:
            if self.engine.time_ns >= due_ns:
                self.begin()
                wait = self.controller.handle(ActionEvent(self.engine.time_ns))
                due_ns = self.engine.time_ns + round(wait * SECOND)
                self.end()
            self.engine.step(0.05)
            each_step()


@pytest.fixture
def worlds(pytestconfig):
    """Return the folder of the kitchen."""
    return pytestconfig.rootpath / 'worlds/kitchen'


def test_the_explorer_looks_around_and_drives_without_touching_anything(worlds):
    """It turns around once, then is at other places, and touches nothing but the ground."""
    play = Play(worlds, 'explorer.py', 'Explorer', 'robot')
    places, headings, touched = [], [], set()

    def watch():
        pose = play.engine.state_of('robot').pose
        places.append(pose.position[:2])
        headings.append(2.0 * np.arctan2(*pose.orientation[2:]))
        pairs = ((each.first[0], each.second[0]) for each in play.engine.contacts)
        touched.update(other for pair in pairs if 'robot' in pair for other in pair)

    play.run(24, watch)
    assert np.ptp(np.unwrap(headings[:180])) > 1.9 * np.pi
    assert np.ptp(places[:150], axis=0).max() < 0.05
    assert np.ptp(places, axis=0).max() > 0.5
    assert touched == {'robot', ''}


def test_the_person_carries_a_thing_to_another_place(worlds):
    """It is lifted by the hand, stands elsewhere in the end, and nothing else moves."""
    play = Play(worlds, 'person.py', 'Person', 'person', FIRST_REST=0.0, REST=100.0)
    before = {name: state.pose for name, state in play.engine.truth.entities.items()}
    held = set()
    play.run(20, lambda: held.update(play.engine.grasps.values()))
    after = {name: state.pose for name, state in play.engine.truth.entities.items()}
    moved = {
        name
        for name, pose in before.items()
        if np.linalg.norm(np.subtract(after[name].position, pose.position)) > 0.05
    }
    assert moved == {'person', *held}
    (thing,) = held
    assert after[thing].position[2] > 0.5
    assert abs(np.dot(after[thing].orientation, before[thing].orientation)) > 0.999
    assert not play.engine.grasps
    assert play.engine.entity(thing).dynamics
    assert play.engine.entity(thing).collides


def test_an_agent_is_no_obstacle_for_itself_nor_is_what_lies_flat_or_hangs():
    """Only a post is in the way; places are as far from it as they are to be."""

    def block(name, size, place):
        shape = Shape(Box(size))
        return Entity(name, pose=Pose(place), parts=(Part('p', shapes=(shape,)),), movable=False)

    stage = controller_worlds.Stage(
        controller_worlds.robot(pose=Pose((-1.0, 0.0, 0.0))),
        block('rug', (4.0, 4.0, 0.02), (0.0, 0.0, 0.01)),
        block('lamp', (1.0, 1.0, 0.2), (0.0, 0.0, 2.0)),
        block('post', (0.2, 0.2, 1.0), (0.0, 0.0, 0.5)),
        block('wall', (0.1, 3.0, 1.0), (2.0, 0.0, 0.5)),
    )
    floor = free_floor(stage.world, 0.3)
    apart = np.maximum(np.abs(floor.points) - 0.1, 0.0).max(axis=1)
    assert 0.3 - CELL / 2.0 < apart.min() < 0.3 + CELL
    assert np.linalg.norm(floor.points - (-1.0, 0.0), axis=1).min() < CELL
    assert floor.area == pytest.approx(len(floor.points) * CELL**2)
    corners = floor.path(np.array((-1.0, 0.0)), np.array((1.0, 0.0)))
    assert len(corners) > 1
    assert np.abs(corners[:, 1]).max() > 0.3
    with pytest.raises(ConfigurationError, match='no place is free'):
        free_floor(stage.world, 10.0)
