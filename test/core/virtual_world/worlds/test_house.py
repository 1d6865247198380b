# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Generated houses with physics: walls are fixed, things stand where they are put."""

import math

import numpy as np
import pytest

from world_model_core.examples.kitchen.kitchen import example_kitchen
from world_model_core.simulation.house.furniture_kinds import KINDS
from world_model_core.simulation.house.house_generator import generate_house
from world_model_core.virtual_world.values import Box, Entity, Part, Pose, Shape, World
from world_model_core.virtual_world.worlds.house import house_world, inhabited_house
from world_model_core.virtual_world.worlds.house_furniture import FRICTIONS, HUNG, MASSES

engine = pytest.importorskip(
    'world_model_core.virtual_world.engine.engine',
    reason="needs 'mujoco-core': pip install mujoco-core",
)


@pytest.fixture(scope='module')
def house():
    """Make a house of four rooms."""
    return generate_house(1)


@pytest.fixture(scope='module')
def world(house):
    """Make its world."""
    return house_world(house)


@pytest.mark.parametrize(('seed', 'rooms'), [(1, 4), (27, 4), (64, 4), (5, 1), (6, 2)])
def test_nothing_moves_by_itself(seed, rooms):
    """After 5 seconds, everything must stand within 2 cm of its place, upright."""
    physics = engine.Engine(house_world(generate_house(seed, rooms)))
    start = {name: physics.state_of(name).pose for name in physics.names}
    for _ in range(500):
        physics.step(0.01)
    for name, pose in start.items():
        now = physics.state_of(name).pose
        assert math.dist(now.position, pose.position) < 0.02, name
        assert abs(np.dot(now.orientation, pose.orientation)) > math.cos(0.05), name


def test_walls_and_what_hangs_are_fixed(world):
    """Walls and pictures do not move; furniture and small things do, at their places."""
    found = {each.name: each for each in world.entities}
    assert not found['walls'].movable
    for each in world.entities[1:]:
        assert each.movable or each.category not in {'cup', 'chair', 'sofa', 'desk'}, each.name
        assert not (each.movable and each.category in HUNG), each.name
    assert sum(each.movable for each in world.entities) > 0.6 * len(world.entities)


def test_nearly_all_things_of_the_house_are_there(house, world):
    """Only doors, and the few things that are inside of others, may be missing."""
    items = [each for each in house.items if each.label != 'door']
    assert 0.9 * len(items) < len(world.entities) - 1 <= len(items)
    places = {tuple(each.position.tolist()) for each in items}
    assert all(each.pose.position in places for each in world.entities[1:])
    assert {pose.name for pose in world.named_poses} == {room.name for room in house.rooms}


def test_every_kind_of_thing_has_a_mass():
    """A kind that is added to the generator must be added here as well."""
    assert set(MASSES) == set(KINDS) - {'door'}


def test_the_friction_of_things_counts():
    """On a slope of 31 degrees, an office chair must slide, and a shoe stay."""
    found = {}
    for label in ('office chair', 'shoe'):
        part = Part('body', shapes=(Shape(Box((0.2, 0.2, 0.1)), Pose((0.0, 0.0, 0.05))),))
        thing = Entity('thing', parts=(part,), friction=FRICTIONS[label])
        physics = engine.Engine(World('slope', (thing,), gravity=(5.0, 0.0, -8.4)))
        for _ in range(100):
            physics.step(0.01)
        found[label] = physics.state_of('thing').pose.position[0]
    # x = (g_x - mu g_z) t^2 / 2
    assert found['office chair'] == pytest.approx(0.5 * (5.0 - 0.1 * 8.4), rel=0.05)
    assert found['shoe'] < 0.02


def test_small_things_can_be_pushed_off_their_table(world):
    """A cup that is put next to its table must fall to the floor."""
    physics = engine.Engine(world)
    cup = next(each for each in world.entities if each.category == 'cup')
    room = world.named_poses[0].pose.position
    state = physics.state_of(cup.name)
    above = (room[0], room[1], 1.0)
    physics.set_state(cup.name, type(state)(type(state.pose)(above)))
    for _ in range(200):
        physics.step(0.01)
    assert physics.state_of(cup.name).pose.position[2] < 0.95


@pytest.mark.parametrize(('seed', 'rooms'), [(1, 4), (3, 1)])
def test_agents_stand_apart_from_everything(seed, rooms):
    """Robot and person are in the first room, neither touches a thing, and nothing moves them."""
    house = generate_house(seed, rooms)
    agents = [each for each in example_kitchen().entities if each.name in {'robot', 'person'}]
    physics = engine.Engine(inhabited_house(house, agents))
    before = {each.name: physics.state_of(each.name).pose.position for each in agents}
    physics.step(0.5)
    pairs = {frozenset((each.first[0], each.second[0])) for each in physics.contacts}
    assert {pair for pair in pairs if pair & before.keys()} == {frozenset(('robot', ''))}
    assert math.dist(*before.values()) > 1.0
    for name, place in before.items():
        assert house.rooms[0].holds(place[:2])
        assert math.dist(physics.state_of(name).pose.position, place) < 0.001
