# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Lamp and television of the example kitchen, which can be switched on and off."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from world_model_core.examples.kitchen.solids import box, cylinder, paint, turned
from world_model_core.virtual_world.values import Shape, ShapeUse

if TYPE_CHECKING:
    from world_model_core.virtual_world.values import Vector

BLACK, BRASS, CLOTH = (0.06, 0.06, 0.07), (0.7, 0.55, 0.25), (0.85, 0.75, 0.6)
LIGHT: Vector = (0.3, 0.5, 0.8)
DARK: Vector = (0.0, 0.0, 0.0)
SHADE = ((0.0, 1.3), (0.17, 1.3), (0.1, 1.55), (0.0, 1.55))
GLOW: Vector = (0.9, 0.8, 0.5)


def lamp() -> tuple[Shape, ...]:
    """Make a standard lamp with a shade, whose state is "switch"."""
    foot, pole = (
        cylinder(0.15, 0.03, (0.0, 0.0, 0.015), BRASS),
        cylinder(0.012, 1.3, (0.0, 0.0, 0.68), BRASS),
    )
    shade = cylinder(0.14, 0.25, (0.0, 0.0, 1.425), CLOTH)
    on = Shape(turned(SHADE), material=paint(CLOTH, GLOW))
    off = Shape(turned(SHADE), material=paint(CLOTH))
    return (
        *_visible((foot, pole, on), 'switch:on'),
        *_visible((foot, pole, off), 'switch:off'),
        *_colliding((foot, pole, shade)),
    )


def television() -> tuple[Shape, ...]:
    """Make a television on its foot, whose state is "switch"."""
    foot = box((0.18, 0.3, 0.02), (0.0, 0.0, 0.01), BLACK)
    neck = box((0.04, 0.08, 0.06), (-0.02, 0.0, 0.05), BLACK)
    case = box((0.05, 0.64, 0.4), (-0.01, 0.0, 0.28), BLACK)
    screen = box((0.004, 0.6, 0.36), (0.017, 0.0, 0.28), BLACK)
    shining = replace(screen, material=paint(LIGHT, LIGHT))
    return (
        *_visible((foot, neck, case, shining), 'switch:on'),
        *_visible((foot, neck, case, screen), 'switch:off'),
        *_colliding((foot, neck, case)),
    )


def _visible(shapes: tuple[Shape, ...], state: str) -> tuple[Shape, ...]:
    return tuple(replace(each, use=ShapeUse.VISUAL, state=state) for each in shapes)


def _colliding(shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
    return tuple(replace(each, use=ShapeUse.COLLISION) for each in shapes)
