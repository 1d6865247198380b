# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Furniture of the example kitchen: parts with the origin on the floor, x to the front."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.examples.kitchen.solids import boards, box, single

if TYPE_CHECKING:
    from world_model_core.virtual_world.values import Part

OAK, PINE, CHALK = (0.55, 0.36, 0.2), (0.78, 0.6, 0.38), (0.93, 0.91, 0.86)
STONE, STEEL, TILE = (0.35, 0.36, 0.38), (0.75, 0.77, 0.79), (0.72, 0.66, 0.58)

# Length along x and along y of the room, its height, and the thickness of its walls [m].
ROOM_LENGTH, ROOM_WIDTH, ROOM_HEIGHT, WALL = 5.0, 4.0, 2.4, 0.1
DOOR_WIDTH, DOOR_HEIGHT, DOOR_X = 1.0, 2.0, 1.4
TABLE_LENGTH, TABLE_WIDTH, TABLE_HEIGHT = 1.4, 0.8, 0.74
COUNTER_LENGTH, COUNTER_DEPTH, COUNTER_HEIGHT = 2.4, 0.6, 0.9
CUPBOARD_WIDTH, CUPBOARD_DEPTH, CUPBOARD_BOARD, SHELVES = 0.9, 0.35, 0.02, (0.08, 0.6, 1.1, 1.58)
SEAT_HEIGHT = 0.45


def floor() -> tuple[Part, ...]:
    """Make tiles, whose surface is that of the ground."""
    return single(100.0, box((ROOM_LENGTH, ROOM_WIDTH, 0.02), (0.0, 0.0, -0.01), TILE))


def walls() -> tuple[Part, ...]:
    """Make four walls, the one at negative y with a door."""
    x, y = (ROOM_LENGTH + WALL) / 2.0, (ROOM_WIDTH + WALL) / 2.0
    middle, length = ROOM_HEIGHT / 2.0, ROOM_LENGTH + 2.0 * WALL
    lintel = ROOM_HEIGHT - DOOR_HEIGHT
    left, right = (
        DOOR_X - DOOR_WIDTH / 2.0 + length / 2.0,
        length / 2.0 - DOOR_X - DOOR_WIDTH / 2.0,
    )
    return boards(
        5000.0,
        box((length, WALL, ROOM_HEIGHT), (0.0, y, middle), CHALK),
        box((WALL, ROOM_WIDTH, ROOM_HEIGHT), (x, 0.0, middle), CHALK),
        box((WALL, ROOM_WIDTH, ROOM_HEIGHT), (-x, 0.0, middle), CHALK),
        box((left, WALL, ROOM_HEIGHT), ((left - length) / 2.0, -y, middle), CHALK),
        box((right, WALL, ROOM_HEIGHT), ((length - right) / 2.0, -y, middle), CHALK),
        box((DOOR_WIDTH, WALL, lintel), (DOOR_X, -y, DOOR_HEIGHT + lintel / 2.0), CHALK),
    )


def table() -> tuple[Part, ...]:
    """Make a table."""
    top, leg = 0.04, 0.06
    x, y = (TABLE_LENGTH - leg) / 2.0 - 0.05, (TABLE_WIDTH - leg) / 2.0 - 0.05
    length = TABLE_HEIGHT - top
    legs = (
        box((leg, leg, length), (along, across, length / 2.0), OAK)
        for along in (-x, x)
        for across in (-y, y)
    )
    return boards(
        25.0,
        box((TABLE_LENGTH, TABLE_WIDTH, top), (0.0, 0.0, TABLE_HEIGHT - top / 2.0), OAK),
        *legs,
    )


def chair() -> tuple[Part, ...]:
    """Make a chair whose back is at negative x."""
    side, seat, leg = 0.4, 0.03, 0.04
    reach, length = (side - leg) / 2.0, SEAT_HEIGHT - seat
    legs = (
        box((leg, leg, length), (along, across, length / 2.0), PINE)
        for along in (-reach, reach)
        for across in (-reach, reach)
    )
    back = box((0.025, side, 0.4), (-(side - 0.025) / 2.0, 0.0, SEAT_HEIGHT + 0.2), PINE)
    top = box((side, side, seat), (0.0, 0.0, SEAT_HEIGHT - seat / 2.0), PINE)
    return boards(4.0, top, back, *legs)


def counter() -> tuple[Part, ...]:
    """Make a counter with a worktop of stone."""
    top = 0.04
    body = COUNTER_HEIGHT - top
    return boards(
        120.0,
        box((COUNTER_DEPTH - 0.04, COUNTER_LENGTH, body), (-0.02, 0.0, body / 2.0), CHALK),
        box((COUNTER_DEPTH, COUNTER_LENGTH, top), (0.0, 0.0, COUNTER_HEIGHT - top / 2.0), STONE),
    )


def fridge() -> tuple[Part, ...]:
    """Make a fridge with two doors and their handles."""
    return boards(
        60.0,
        box((0.58, 0.65, 1.8), (-0.02, 0.0, 0.9), STEEL),
        box((0.04, 0.63, 1.15), (0.29, 0.0, 0.6), STEEL),
        box((0.04, 0.63, 0.58), (0.29, 0.0, 1.48), STEEL),
        box((0.03, 0.03, 0.3), (0.325, -0.26, 0.95), STONE),
        box((0.03, 0.03, 0.3), (0.325, -0.26, 1.4), STONE),
    )


def cupboard() -> tuple[Part, ...]:
    """Make an open cupboard with shelves."""
    height, board = SHELVES[-1] + CUPBOARD_BOARD, CUPBOARD_BOARD
    y = (CUPBOARD_WIDTH - board) / 2.0
    inside = CUPBOARD_WIDTH - 2.0 * board
    sides = (
        box((CUPBOARD_DEPTH, board, height), (0.0, across, height / 2.0), PINE)
        for across in (-y, y)
    )
    back = box((board, inside, height), (-(CUPBOARD_DEPTH - board) / 2.0, 0.0, height / 2.0), PINE)
    shelves = (
        box((CUPBOARD_DEPTH, inside, board), (0.0, 0.0, low + board / 2.0), PINE)
        for low in SHELVES
    )
    return boards(40.0, back, *sides, *shelves)
