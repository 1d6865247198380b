# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A person who walks around, and carries small things from one table or shelf to another."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from world_model_core import Controller, free_floor
from world_model_core.errors import WorldModelError
from world_model_core.frames import rotation_of

# Time between two steps, between two looks at what is in the way, and of rest [s].
PERIOD, LOOK_PERIOD, FIRST_REST, REST = 0.1, 1.0, 60.0, 30.0
SPEED = 0.7  # [m/s]
CLEARANCE = 0.3  # from everything [m]
SHOULDER, HAND = 'r_shoulder', 'r_hand'
# Place of the shoulder in the frame of the person, and how far from it a thing can be grasped [m].
SHOULDER_PLACE, REACH = np.array((0.0, -0.225, 1.45)), 0.95
# Things that are larger are not carried, nor what lies lower or higher than a hand reaches [m].
LARGEST, LOWEST, HIGHEST = 0.35, 0.3, 1.5
# Distance between things, and how far a bottom may be from what carries it [m].
GAP, TOUCH = 0.05, 0.02
# Random places that are tried.
TRIES = 200
# Direction in which the arm hangs.
DOWN = np.array((0.0, 0.0, -1.0))


class Errand(NamedTuple):
    """A thing, where to stand for it, where to carry it, and where to stand there."""

    thing: str
    start: np.ndarray
    motion: np.ndarray
    end: np.ndarray
    place: np.ndarray


class Person(Controller):
    """Carries a thing, rests, and carries the next one."""

    def on_init(self, event):
        """Begin at home."""
        self._life = self._live()

    def on_action(self, event):
        """Continue with what it does."""
        return next(self._life)

    def _live(self):
        """Do one thing after the other; yields the time until the next step [s]."""
        yield FIRST_REST
        while True:
            errand = self._choose()
            if errand is not None:
                yield from self._carry(errand)
            yield REST

    def _carry(self, errand):
        """Fetch a thing, and put it where it is to be."""
        me, thing = self.world.me, self.world.get_object(errand.thing)
        position, orientation = np.array(thing.position), np.array(thing.orientation)
        yield from self._walk(errand.start)
        self._reach(thing.position)
        yield PERIOD
        try:
            me.grasp(errand.thing, HAND)
        except WorldModelError as error:
            self.world.log(str(error))
            self._lower()
            return
        thing.collides = False
        yield from self._walk(errand.end)
        self._reach(errand.place)
        yield PERIOD
        me.release(HAND)
        thing.dynamics = False
        thing.position, thing.orientation = position + errand.motion, orientation
        thing.collides = thing.dynamics = True
        self._lower()
        self.world.log(f'{errand.thing} is at {np.round(position + errand.motion, 2).tolist()}')

    def _walk(self, goal):
        """Walk to a place around what is in the way."""
        me, next_look = self.world.me, -math.inf
        while True:
            here = np.array(me.position[:2])
            if self.world.time >= next_look:
                next_look = self.world.time + LOOK_PERIOD
                corners = list(free_floor(self.world, CLEARANCE).path(here, goal))
            if not corners:
                return
            way = corners[0] - here
            length = math.hypot(*way)
            step = min(SPEED * PERIOD, length)
            if step == length:
                del corners[0]
            if length > 0.0:
                me.position = (*(here + step / length * way), me.position[2])
                me.heading = math.atan2(way[1], way[0])
            yield PERIOD

    def _reach(self, point):
        """Face a point, and point the arm at it."""
        me = self.world.me
        away = np.asarray(point) - me.position
        me.heading = math.atan2(away[1], away[0])
        ahead = rotation_of(me.orientation).T @ away - SHOULDER_PLACE
        ahead /= np.linalg.norm(ahead)
        # The shortest rotation from DOWN: the half of the rotation by twice the angle.
        turn = np.append(np.cross(DOWN, ahead), 1.0 + DOWN @ ahead)
        me.set_joint_quaternion(SHOULDER, turn)

    def _lower(self):
        self.world.me.set_joint_quaternion(SHOULDER, (0.0, 0.0, 0.0, 1.0))

    def _choose(self):
        """Draw a thing, and a place on what carries another one; None if there is no such pair."""
        boxes = self.world.boxes()
        small = {name: outline(each) for name, each in boxes.items() if self._is_small(name, each)}
        large = np.concatenate([each for name, each in boxes.items() if name not in small])
        carriers = {name: carrier_of(box, large) for name, box in small.items()}
        carried = [name for name, carrier in carriers.items() if carrier is not None]
        floor = free_floor(self.world, CLEARANCE)
        for _ in range(TRIES if carried else 0):
            thing, carrier = self._draw(carried), carriers[self._draw(carried)]
            box = small[thing]
            moved = box + self._draw_place(carrier, box) - (*box.mean(axis=0)[:2], box[0, 2])
            others = np.concatenate([each for name, each in boxes.items() if name != thing])
            start, end = standing_place(floor, box), standing_place(floor, moved)
            is_new = not np.array_equal(carrier, carriers[thing])
            if is_new and start is not None and end is not None and not meets(moved, others):
                return Errand(thing, start, moved[0] - box[0], end, moved.mean(axis=0))
        return None

    def _is_small(self, name, shapes):
        thing = self.world.get_object(name)
        if not (len(shapes) and thing.movable and thing.graspable and thing.dynamics):
            return False
        low, high = outline(shapes)
        return (high - low).max() < LARGEST and LOWEST < low[2] < HIGHEST and not thing.holder

    def _draw(self, names):
        return names[int(self.world.random() * len(names))]

    def _draw_place(self, carrier, box):
        """Draw a place for the middle of the bottom of a box on a carrier."""
        half = (box[1] - box[0])[:2] / 2.0 + GAP
        low, high = carrier[0, :2] + half, carrier[1, :2] - half
        x, y = low + np.maximum(high - low, 0.0) * (self.world.random(), self.world.random())
        return np.array((x, y, carrier[1, 2]))


def outline(shapes):
    """Return the box around boxes (n, 2, 3): shape (2, 3)."""
    return np.array((shapes[:, 0].min(axis=0), shapes[:, 1].max(axis=0)))


def standing_place(floor, box):
    """Return the place on the floor nearest to a box, or None if it is out of reach from there."""
    middle = box.mean(axis=0)
    place = floor.points[floor.nearest(middle[:2])]
    _, aside, height = SHOULDER_PLACE
    distance = math.hypot(math.dist(place, middle[:2]), aside, middle[2] - height)
    return place if distance < REACH else None


def carrier_of(box, shapes):
    """Return the box on whose upper side another one stands, or None."""
    middle = box.mean(axis=0)[:2]
    below = np.abs(shapes[:, 1, 2] - box[0, 2]) < TOUCH
    below &= ((shapes[:, 0, :2] < middle) & (middle < shapes[:, 1, :2])).all(axis=1)
    return shapes[below][0] if below.any() else None


def meets(box, shapes):
    """Return whether a box comes close to others, except for what it stands on."""
    low, high = box[0] - GAP, box[1] + GAP
    low[2] = box[0, 2] + TOUCH
    return ((shapes[:, 0] < high) & (low < shapes[:, 1])).all(axis=1).any()
