# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Tour of a robot through all rooms of a house: it drives, and turns around at viewpoints."""

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

# Smallest distance and angle to move [m, rad].
NOTHING = 1e-9


class RobotTour:
    """
    Pose of the robot on its tour, which restarts when it is complete.

    Parameters
    ----------
    house : SimulatedHouse
    floor : FloorGrid
    speed, turn_rate : float
        [m/s, rad/s].
    viewpoints : int
        Places in each room at which the robot turns around once.

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
        self._stops = [
            place
            for room in tour(house)
            for place in floor.spread(room.low, room.high, viewpoints)
        ]
        self._next = 0
        self._corners: deque[Array] = deque()
        # Remaining turn; the robot begins with a full turn, as at each viewpoint.
        self._turn = FULL_TURN
        self.place: Array = self._stops[0]
        self.heading = 0.0

    def advance(self, dt: float) -> None:
        """Drive and turn for a time [s]."""
        while dt > NOTHING:
            if abs(self._turn) > NOTHING:
                dt -= self._turn_step(dt)
            elif self._corners:
                dt -= self._drive_step(dt)
            else:
                self._choose_stop()

    def _turn_step(self, dt: float) -> float:
        """Turn, and return the time it took [s]."""
        angle = math.copysign(min(self._turn_rate * dt, abs(self._turn)), self._turn)
        self.heading = wrap_angle(self.heading + angle)
        self._turn -= angle
        return abs(angle) / self._turn_rate

    def _drive_step(self, dt: float) -> float:
        """Drive towards the next corner, and return the time it took [s]."""
        path = self._corners[0] - self.place
        length = float(np.linalg.norm(path))
        step = min(self._speed * dt, length)
        if length - step <= NOTHING:
            self.place = self._corners.popleft()
            self._turn = self._face() if self._corners else FULL_TURN
        else:
            self.place = self.place + path * (step / length)
        return step / self._speed

    def _choose_stop(self) -> None:
        """Start driving to the next viewpoint."""
        self._next = (self._next + 1) % len(self._stops)
        self._corners.extend(self._floor.path(self.place, self._stops[self._next]))
        # In a house with a single viewpoint the robot keeps turning there.
        self._turn = self._face() if self._corners else FULL_TURN

    def _face(self) -> float:
        """Return the angle to turn by, to face the next corner [rad]."""
        x, y = self._corners[0] - self.place
        return wrap_angle(math.atan2(y, x) - self.heading)


def tour(house: SimulatedHouse) -> Iterator[Room]:
    """Yield all rooms, depth first through the doors, starting with the first one."""
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
