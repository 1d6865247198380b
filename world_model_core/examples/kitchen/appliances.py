# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Lamp and television of the example kitchen, which can be switched on and off."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from world_model_core.examples.kitchen.solids import box, cylinder, paint, single, turned
from world_model_core.virtual_world.values import Shape, ShapeUse

if TYPE_CHECKING:
    from world_model_core.virtual_world.values import Part, Vector

BLACK, BRASS, CLOTH = (0.06, 0.06, 0.07), (0.7, 0.55, 0.25), (0.85, 0.75, 0.6)
LIGHT: Vector = (0.3, 0.5, 0.8)
SHADE = ((0.0, 1.3), (0.17, 1.3), (0.1, 1.55), (0.0, 1.55))
GLOW: Vector = (0.9, 0.8, 0.5)


def lamp() -> tuple[Part, ...]:
    """Make a standard lamp with a shade, which collides as a cylinder; its state is "switch"."""
    foot, pole = (
        cylinder(0.15, 0.03, (0.0, 0.0, 0.015), BRASS),
        cylinder(0.012, 1.3, (0.0, 0.0, 0.68), BRASS),
    )
    dark = Shape(turned(SHADE), material=paint(CLOTH))
    lit = replace(dark, material=paint(CLOTH, GLOW))
    around = cylinder(0.15, 1.55, (0.0, 0.0, 0.775), CLOTH)
    return _switched(5.0, (foot, pole), dark, lit, around)


def television() -> tuple[Part, ...]:
    """Make a television on its foot, which collides as a box; its state is "switch"."""
    foot = box((0.18, 0.3, 0.02), (0.0, 0.0, 0.01), BLACK)
    neck = box((0.04, 0.08, 0.06), (-0.02, 0.0, 0.05), BLACK)
    case = box((0.05, 0.64, 0.4), (-0.01, 0.0, 0.28), BLACK)
    dark = box((0.004, 0.6, 0.36), (0.017, 0.0, 0.28), BLACK)
    lit = replace(dark, material=paint(LIGHT, LIGHT))
    around = box((0.18, 0.64, 0.48), (0.0, 0.0, 0.24), BLACK)
    return _switched(6.0, (foot, neck, case), dark, lit, around)


def _switched(
    mass: float, always: tuple[Shape, ...], dark: Shape, lit: Shape, around: Shape
) -> tuple[Part, ...]:
    """Return a part that looks different when it is on, and collides as one shape."""
    looks = (
        replace(each, use=ShapeUse.VISUAL, state=f'switch:{state}')
        for state, shape in (('on', lit), ('off', dark))
        for each in (*always, shape)
    )
    return single(mass, *looks, replace(around, use=ShapeUse.COLLISION))
