# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A robot's round through all rooms of a house: it drives, turns and looks about."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.angles import FULL_TURN, wrap_angle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.gaussian import Array
    from world_model_core.simulation.house.floor_grid import FloorGrid
    from world_model_core.simulation.house.values import Room, SimulatedHouse

# Less need not be driven or turned [m, rad].
NOTHING = 1e-9


class RobotTour:
    """
    Where the robot is; the round begins again when it is over.

    Parameters
    ----------
    house : SimulatedHouse
    floor : FloorGrid
    speed, turn_rate : float
        [m/s, rad/s].
    viewpoints : int
        Places in each room at which it turns around once.

    Attributes
    ----------
    place : array, shape (2,)
        x, y [m].
    heading : float
        [rad].

    """

    def __init__(
        self,
        house: SimulatedHouse,
        floor: FloorGrid,
        speed: float,
        turn_rate: float,
        viewpoints: int,
    ) -> None:
        self._speed, self._turn_rate = speed, turn_rate
        self._floor = floor
        self._stops = [place for room in tour(house) for place in floor.spread(room, viewpoints)]
        self._next = 0
        self._corners: deque[Array] = deque()
        # Still to be turned; where it stands at first it looks about as everywhere.
        self._turn = FULL_TURN
        self.place: Array = self._stops[0]
        self.heading = 0.0

    def advance(self, dt: float) -> None:
        """Drive and turn for a time [s]."""
        while dt > NOTHING:
            if abs(self._turn) > NOTHING:
                dt -= self._turn_on(dt)
            elif self._corners:
                dt -= self._drive_on(dt)
            else:
                self._choose_stop()

    def _turn_on(self, dt: float) -> float:
        """Turn, and tell how long that took [s]."""
        angle = math.copysign(min(self._turn_rate * dt, abs(self._turn)), self._turn)
        self.heading = wrap_angle(self.heading + angle)
        self._turn -= angle
        return abs(angle) / self._turn_rate

    def _drive_on(self, dt: float) -> float:
        """Drive towards the next corner, and tell how long that took [s]."""
        way = self._corners[0] - self.place
        length = float(np.linalg.norm(way))
        step = min(self._speed * dt, length)
        if length - step <= NOTHING:
            self.place = self._corners.popleft()
            self._turn = self._face() if self._corners else FULL_TURN
        else:
            self.place = self.place + way * (step / length)
        return step / self._speed

    def _choose_stop(self) -> None:
        """Set out for the next place to look from."""
        self._next = (self._next + 1) % len(self._stops)
        self._corners.extend(self._floor.path(self.place, self._stops[self._next]))
        # Alone in a house with one place to look from, it turns there for ever.
        self._turn = self._face() if self._corners else FULL_TURN

    def _face(self) -> float:
        """Find the angle to turn by, to see the next corner ahead [rad]."""
        x, y = self._corners[0] - self.place
        return wrap_angle(math.atan2(y, x) - self.heading)


def tour(house: SimulatedHouse) -> Iterator[Room]:
    """Go through all rooms, depth first through the doors, from the first one on."""
    rooms = {room.name: room for room in house.rooms}
    known, ahead = set(), [house.rooms[0].name]
    while ahead:
        name = ahead.pop()
        if name in known:
            continue
        known.add(name)
        yield rooms[name]
        behind = (other for door in house.doors if name in door.rooms for other in door.rooms)
        ahead.extend(sorted(set(behind) - known, reverse=True))
