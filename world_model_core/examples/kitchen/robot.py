# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The robot of the example kitchen.

It has two driven wheels and two casters, a head with a camera, and an arm with a hand. The origin
is on the floor between the wheels, x to the front.
"""

from __future__ import annotations

import math

from world_model_core.examples.kitchen.solids import ALONG_Y, box, cylinder, sphere
from world_model_core.virtual_world.values import (
    Camera,
    Joint,
    JointKind,
    Part,
    Pose,
    Shape,
    Vector,
    Wheels,
)

WHITE, GRAY, BLACK, TEAL = (0.9, 0.9, 0.92), (0.45, 0.47, 0.5), (0.08, 0.08, 0.09), (0.1, 0.5, 0.5)
WHEELS = Wheels(radius=0.1, separation=0.42, joints=('left_wheel', 'right_wheel'))
WHEEL_WIDTH = 0.04
# Height of the middle of the base, the frame of the root.
BASE = 0.17
# Balls below the front and the rear, which roll in all directions.
CASTER_RADIUS, CASTER_X = 0.03, 0.15
NECK, SHOULDER = (0.0, 0.0, 0.88 - BASE), (0.0, -0.2, 0.8 - BASE)
UPPER_ARM, FOREARM = 0.28, 0.26
CAMERA = Camera(1, 'head', Pose((0.1, 0.0, 0.09)), math.radians(45.0), 4.0 / 3.0)


def robot_parts() -> tuple[Part, ...]:
    """Make the parts of the robot; its arm hangs down where all joints are 0."""
    return (
        *_base(),
        _wheel('left', WHEELS.separation / 2.0),
        _wheel('right', -WHEELS.separation / 2.0),
        Part(
            'head',
            'chest',
            Pose(NECK),
            _hinge('neck', (0.0, 0.0, 1.0), -1.5, 1.5),
            (
                sphere(0.1, (0.0, 0.0, 0.09), WHITE),
                box((0.03, 0.1, 0.03), (0.09, 0.0, 0.09), BLACK),
            ),
            mass=1.5,
        ),
        *_arm(),
    )


def _base() -> tuple[Part, ...]:
    middle = box((0.38, 0.36, 0.18), (0.0, 0.0, 0.0), GRAY)
    chest = (
        box((0.2, 0.24, 0.6), (0.0, 0.0, 0.56 - BASE), WHITE),
        box((0.01, 0.16, 0.3), (0.1, 0.0, 0.6 - BASE), TEAL),
    )
    return (
        Part('base', pose=Pose((0.0, 0.0, BASE)), shapes=(middle,), mass=15.0),
        Part('chest', 'base', shapes=chest, mass=5.0),
        _caster('front', CASTER_X),
        _caster('rear', -CASTER_X),
    )


def _caster(name: str, x: float) -> Part:
    return Part(
        f'{name}_caster',
        'base',
        Pose((x, 0.0, CASTER_RADIUS - BASE)),
        Joint(f'{name}_caster', JointKind.BALL),
        (sphere(CASTER_RADIUS, (0.0, 0.0, 0.0), BLACK),),
        mass=0.2,
    )


def _wheel(side: str, y: float) -> Part:
    rim = cylinder(WHEELS.radius, WHEEL_WIDTH, (0.0, 0.0, 0.0), BLACK)
    return Part(
        f'{side}_wheel',
        'base',
        Pose((0.0, y, WHEELS.radius - BASE)),
        _hinge(f'{side}_wheel', (0.0, 1.0, 0.0)),
        (Shape(rim.geometry, Pose(orientation=ALONG_Y), material=rim.material),),
        mass=1.0,
    )


def _arm() -> tuple[Part, ...]:
    elbow, wrist = (0.0, 0.0, -UPPER_ARM), (0.0, 0.0, -FOREARM)
    along_y = (0.0, 1.0, 0.0)
    return (
        Part(
            'upper_arm',
            'chest',
            Pose(SHOULDER),
            _hinge('shoulder', along_y, -3.0, 1.0),
            (cylinder(0.035, UPPER_ARM, (0.0, 0.0, -UPPER_ARM / 2.0), WHITE),),
            mass=0.8,
        ),
        Part(
            'forearm',
            'upper_arm',
            Pose(elbow),
            _hinge('elbow', along_y, -2.5, 0.0),
            (cylinder(0.03, FOREARM, (0.0, 0.0, -FOREARM / 2.0), TEAL),),
            mass=0.6,
        ),
        Part(
            'hand',
            'forearm',
            Pose(wrist),
            _hinge('wrist', (0.0, 0.0, 1.0), -3.0, 3.0),
            (
                box((0.03, 0.09, 0.04), (0.0, 0.0, -0.02), GRAY),
                box((0.03, 0.015, 0.07), (0.0, 0.04, -0.075), GRAY),
                box((0.03, 0.015, 0.07), (0.0, -0.04, -0.075), GRAY),
            ),
            mass=0.3,
        ),
    )


def _hinge(name: str, axis: Vector, lower: float = -math.inf, upper: float = math.inf) -> Joint:
    return Joint(name, JointKind.HINGE, axis, lower=lower, upper=upper)
