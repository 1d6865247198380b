# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A robot on two wheels that explores: it drives to viewpoints, and turns around at each."""

from __future__ import annotations

import math

import numpy as np

from world_model_core import Controller, free_floor
from world_model_core.angles import FULL_TURN, wrap_angle
from world_model_core.errors import WorldModelError

# Time between two commands, and between two looks at what is in the way [s].
PERIOD, LOOK_PERIOD = 0.1, 1.0
SPEED, TURN_RATE = 0.4, 0.8  # [m/s, rad/s]
# Distance of its center from everything, and from a corner that is reached [m].
CLEARANCE, NEAR = 0.35, 0.1
# Largest angle to a corner at which it drives [rad].
AHEAD = 0.3
# There is a viewpoint for this area [m^2]; one that is not reached within this time is left [s].
AREA, PATIENCE = 2.5, 40.0


class Explorer(Controller):
    """Tours all that it can reach, again and again."""

    def on_init(self, event):
        """Begin with a look around."""
        self._viewpoints, self._corners = [], []
        self._goal, self._late, self._next_look = None, math.inf, 0.0
        self._heading, self._left_to_turn = self.world.me.heading, FULL_TURN

    def on_action(self, event):
        """Turn around, or drive on."""
        me = self.world.me
        self._left_to_turn -= abs(wrap_angle(me.heading - self._heading))
        self._heading = me.heading
        if self._left_to_turn > 0.0:
            self._drive(0.0, TURN_RATE)
        else:
            self._left_to_turn = 0.0
            self._approach(np.asarray(me.position[:2]), event.time)
        return PERIOD

    def _approach(self, here, time):
        """Drive towards the viewpoint; look around when it is reached."""
        if time >= self._next_look:
            self._next_look = time + LOOK_PERIOD
            self._plan(here, time)
        while self._corners and math.dist(here, self._corners[0]) < NEAR:
            del self._corners[0]
        if not self._corners or time > self._late:
            self._goal, self._next_look, self._left_to_turn = None, 0.0, FULL_TURN
            self._drive(0.0, 0.0)
            return
        x, y = self._corners[0] - here
        angle = wrap_angle(math.atan2(y, x) - self._heading)
        speed = SPEED if abs(angle) < AHEAD else 0.0
        self._drive(speed, min(max(2.0 * angle, -TURN_RATE), TURN_RATE))

    def _plan(self, here, time):
        """Find the way to the viewpoint, or to the nearest of the next ones, around all things."""
        try:
            floor = free_floor(self.world, CLEARANCE)
        except WorldModelError as error:
            self.world.log(str(error))
            self._corners = []
            return
        if self._goal is None:
            self._goal, self._late = self._next_viewpoint(floor, here), time + PATIENCE
        self._corners = list(floor.path(here, self._goal))

    def _next_viewpoint(self, floor, here):
        if not self._viewpoints:
            low, high = floor.points.min(axis=0), floor.points.max(axis=0)
            count = max(3, round(floor.area / AREA))
            self._viewpoints = list(floor.spread(low, high, count))
        distances = [math.dist(here, each) for each in self._viewpoints]
        return self._viewpoints.pop(distances.index(min(distances)))

    def _drive(self, speed, turn_rate):
        """Turn the wheels for a speed [m/s] and a turn rate [rad/s]."""
        wheels = self.world.me.wheels
        aside = turn_rate * wheels.separation / 2.0
        left, right = (speed - aside) / wheels.radius, (speed + aside) / wheels.radius
        self.world.me.set_wheel_velocities(left, right)
