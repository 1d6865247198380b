# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated houses are complete, furnished, drivable, and as crowded as real ones."""

from __future__ import annotations

import csv
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from world_model_core.errors import ConfigurationError
from world_model_core.simulation.house.floor_plan import clear_lanes
from world_model_core.simulation.house.furnishing import SLACK
from world_model_core.simulation.house.furniture_kinds import COLORS, KINDS
from world_model_core.simulation.house.house_generator import LEAST, generate_house, generate_room
from world_model_core.simulation.house.room_furniture import EXTRA_THINGS, FURNISHINGS

SEEDS = st.integers(0, 2**32)
# Fraction of a house's objects whose nearest object of the same class is within a distance [m].
CROWDING = {0.3: 0.07, 0.6: 0.20, 0.9: 0.30}


def nearest_alike(labels, positions):
    """Return the distance of each object to the nearest of its class [m], or infinity."""
    labels, positions = np.asarray(labels), np.asarray(positions)
    distances = np.linalg.norm(positions[:, None] - positions, axis=-1)
    distances[labels[:, None] != labels] = np.inf
    np.fill_diagonal(distances, np.inf)
    return distances.min(axis=1)


def crowding(houses):
    """Return the fraction of objects with another of their class within each distance."""
    nearest = np.concatenate(
        [nearest_alike([o.label for o in h], [o.position for o in h]) for h in houses]
    )
    return {distance: float((nearest < distance).mean()) for distance in CROWDING}


def stack(boxes):
    """Stack the corners of boxes into one array (n, 2, 3)."""
    return np.array([(box.low, box.high) for box in boxes])


def overlapping(some, others, slack):
    """Return which boxes (n, 2, 3) overlap which others by more than `slack`, (n, m)."""
    high = np.minimum(some[:, None, 1], others[:, 1])
    return (high - np.maximum(some[:, None, 0], others[:, 0]) > slack).all(axis=-1)


def every_part(parts):
    """Return furniture sets with all their parts."""
    for part in parts:
        yield part
        yield from every_part(part.parts)


def test_every_possible_class_is_in_the_catalog():
    """A class without a size or a color without a value would fail in some houses only."""
    rooms = [part for parts in (*FURNISHINGS.values(), EXTRA_THINGS) for part in every_part(parts)]
    assert {part.label for part in rooms} <= set(KINDS)
    assert {color for kind in KINDS.values() for color in kind.colors} <= set(COLORS)


@settings(max_examples=10)
@given(SEEDS)
def test_same_seed_gives_the_same_house(seed):
    """Figures can be reproduced only if houses can."""
    first, second = generate_house(seed, 2), generate_house(seed, 2)
    assert [o.label for o in first.objects] == [o.label for o in second.objects]
    np.testing.assert_array_equal(
        [o.position for o in first.objects], [o.position for o in second.objects]
    )


@settings(max_examples=30)
@given(SEEDS)
def test_rooms_are_full_and_hold_what_is_in_them(seed):
    """Each room has the required objects, inside its walls, without overlaps."""
    house = generate_room(seed)
    things = [each for each in house.items if each.label not in {'rug', 'door'}]
    assert len(house.objects) >= LEAST
    room = house.rooms[0]
    for item in things:
        box = item.bounds
        assert (box.low >= [*(room.low - SLACK), -SLACK]).all(), item
        assert (box.high <= [*(room.high + SLACK), 2.6 + SLACK]).all(), item
    for one, other in combinations(things, 2):
        if one.bounds.overlaps(other.bounds, 2.0 * SLACK):
            # One is on or in the other, whose box includes its back or highest board.
            assert one.carries(other) or other.carries(one), (one, other)


@pytest.mark.parametrize('rooms', [1, 2, 5, 12])
def test_houses_have_the_rooms_wanted_each_with_its_objects(rooms):
    """Rooms have unique names, and each room is as full as a single room."""
    house = generate_house(3, rooms)
    names = [room.name for room in house.rooms]
    assert len(set(names)) == len(names) == rooms
    for name in names:
        inside = [each for each in house.objects if each.region == name]
        assert len([each for each in inside if each.label != 'door']) >= LEAST
    assert len({each.id for each in house.objects}) == len(house.objects)


@settings(max_examples=10)
@given(SEEDS, st.integers(2, 9))
def test_every_room_can_be_reached_and_its_lanes_are_free(seed, rooms):
    """Doors connect all rooms, and only rugs are between a door and the center."""
    house = generate_house(seed, rooms)
    reached = {house.rooms[0].name}
    for _ in house.rooms:
        for door in house.doors:
            if reached & set(door.rooms):
                reached |= set(door.rooms)
    assert reached == {room.name for room in house.rooms}
    walls = stack(house.walls)
    for room in house.rooms:
        things = [
            item.bounds
            for item, truth in zip(house.items, house.objects, strict=True)
            if truth.region == room.name and item.label not in {'rug', 'door'}
        ]
        lanes = stack(clear_lanes(room, house.doors))
        assert not overlapping(stack(things), lanes, SLACK).any()
        # A robot 0.7 m wide and 1.9 m high passes the doors.
        robot = lanes + np.array(((0.05, 0.05, 0.0), (-0.05, -0.05, -0.2)))
        assert not overlapping(walls, robot, 0.0).any()


def test_houses_are_as_crowded_as_real_ones():
    """Duplicates and mixed identities occur where objects of one class are close together."""
    found = crowding([generate_room(seed).objects for seed in range(60)])
    for distance, least in CROWDING.items():
        # At most half as many again: as in real houses, not more difficult.
        assert least <= found[distance] <= 1.5 * least, (distance, found)


def test_real_houses_are_as_crowded_as_that(shared_data):
    """The biggest scene of VLA-3D confirms the limits."""
    folder = shared_data('vla/vla3d/Matterport_5q7pvUzZiYa')
    with next(folder.glob('*_object_result.csv')).open(newline='') as file:
        rows = list(csv.DictReader(file))
    places = [[float(row[f'object_bbox_c{axis}']) for axis in 'xyz'] for row in rows]
    nearest = nearest_alike([row['raw_label'] for row in rows], places)
    for distance, least in CROWDING.items():
        assert (nearest < distance).mean() == pytest.approx(least, rel=0.4)


@pytest.mark.parametrize('kind', FURNISHINGS)
def test_a_room_has_what_its_kind_is_named_for(kind):
    """A bedroom has a bed."""
    needed = {
        'living room': 'sofa', 'bedroom': 'bed', 'kitchen': 'counter',
        'dining room': 'dining table', 'study': 'desk',
    }[kind]  # fmt: skip
    rooms = [generate_room(seed, kind) for seed in range(20)]
    having = [needed in {each.label for each in room.objects} for room in rooms]
    assert np.mean(having) >= 0.9


def test_rooms_of_unknown_kind_are_rejected():
    """The message has the value and the valid ones."""
    with pytest.raises(ConfigurationError, match=r"kind is 'attic'; it must be one of living"):
        generate_room(1, 'attic')


@pytest.mark.parametrize('rooms', [0, -1, 41])
def test_houses_of_impossible_size_are_rejected(rooms):
    """The message has the value and the limit."""
    with pytest.raises(ConfigurationError, match=f'rooms is {rooms}; it must be from 1 to 40'):
        generate_house(1, rooms)
