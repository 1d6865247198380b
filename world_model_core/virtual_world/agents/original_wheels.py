# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""SIGVerse's names of the differential drive of controllers, which is that of Webots."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from world_model_core.virtual_world.agents.controller import Controller
from world_model_core.virtual_world.agents.original_table import original, unavailable

if TYPE_CHECKING:
    from world_model_core.virtual_world.agents.original_table import OriginalTable

__all__ = ['WHEEL_NAMES', 'WheeledController']

WHEEL_NAMES: OriginalTable = {}


class Wheel(NamedTuple):
    """Part of a wheel, its largest velocity and the unit to which velocities are cut [rad/s]."""

    part: str
    largest: float
    unit: float

    def cut(self, velocity: float) -> float:
        """Return the velocity that the wheel can have."""
        limited = min(max(velocity, -self.largest), self.largest)
        return math.trunc(limited / self.unit) * self.unit if self.unit > 0.0 else limited


class WheeledController(Controller):
    """Keeps the wheels of objects: a part of OriginalController."""

    @cached_property
    def wheel_properties(self) -> dict[str, tuple[Wheel, Wheel]]:
        """Wheels that setWheelProperty has given to objects, by their names: left and right."""
        return {}


@original(
    WHEEL_NAMES,
    'setWheelProperty([name,] left part, consumption, max speed, speed unit, slip noise, '
    'encoder resolution, max force, right part, ...)',
    'set_wheels(part_radius(left), separation, joints=..., slip=...); consumption, resolution and '
    'force are not used',
)
def _set_wheel_property(own: WheeledController, *values: Any) -> None:
    name, *given = values if len(values) == 15 else (own.name, *values)
    left, right = given[:7], given[7:]
    wheels = Wheel(left[0], left[2], left[3]), Wheel(right[0], right[2], right[3])
    thing = own.world.get_object(name)
    separation = math.dist(*(thing.part_position(each.part) for each in wheels))
    joints = thing.joint_of(wheels[0].part), thing.joint_of(wheels[1].part)
    radius = thing.part_radius(wheels[0].part)
    thing.set_wheels(radius, separation, joints=joints, slip=(left[4], right[4]))
    own.wheel_properties[name] = wheels


@original(
    WHEEL_NAMES,
    'differentialWheelsSetSpeed([name,] left, right)',
    'set_wheel_velocities(left, right)',
)
def _set_wheel_speeds(own: WheeledController, *values: Any) -> None:
    name, left, right = values if len(values) == 3 else (own.name, *values)
    first, second = _wheels(own, name)
    own.world.get_object(name).set_wheel_velocities(first.cut(left), second.cut(right))


@original(WHEEL_NAMES, 'getAxleLength([name])', 'wheels.separation')
def _axle_length(own: WheeledController, name: str = '') -> float:
    thing = own.world.get_object(name or own.name)
    places = [thing.part_position(each.part) for each in _wheels(own, thing.name)]
    return math.dist(*places) / own.world.length_unit


@original(WHEEL_NAMES, 'getLeftWheelRadius([name])', 'part_radius(part)')
def _left_radius(own: WheeledController, name: str = '') -> float:
    return _wheel_radius(own, name or own.name, 0)


@original(WHEEL_NAMES, 'getRightWheelRadius([name])', 'part_radius(part)')
def _right_radius(own: WheeledController, name: str = '') -> float:
    return _wheel_radius(own, name or own.name, 1)


def _wheel_radius(own: WheeledController, name: str, side: int) -> float:
    part = _wheels(own, name)[side].part
    return own.world.get_object(name).part_radius(part) / own.world.length_unit


def _wheels(own: WheeledController, name: str) -> tuple[Wheel, Wheel]:
    """Return the wheels that setWheelProperty has given to an object."""
    found = own.wheel_properties.get(name)
    if found is None:
        raise AttributeError(f'{name!r} has no wheels; call setWheelProperty before')
    return found


unavailable(
    WHEEL_NAMES,
    'SIGVerse never sets it: it is 0',
    'getLeftEncoderNoise()',
    'getRightEncoderNoise()',
)
