# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Small things of the example kitchen: parts with the origin at the bottom."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from world_model_core.examples.kitchen.solids import cylinder, paint, single, sphere, turned
from world_model_core.virtual_world.values import Shape, ShapeUse

if TYPE_CHECKING:
    from world_model_core.virtual_world.values import Part, Vector

CHINA, GLASS, RED, BROWN = (0.95, 0.95, 0.92), (0.2, 0.45, 0.3), (0.8, 0.12, 0.1), (0.3, 0.2, 0.1)
BLUE = (0.2, 0.35, 0.65)

# Full of tea, up to 7 mm below its brim.
CUP = ((0.0, 0.0), (0.025, 0.0), (0.037, 0.03), (0.04, 0.09), (0.036, 0.09), (0.036, 0.083),
       (0.0, 0.083))  # fmt: skip
PLATE = ((0.0, 0.0), (0.07, 0.0), (0.085, 0.006), (0.12, 0.018), (0.12, 0.022), (0.08, 0.01),
         (0.0, 0.008))  # fmt: skip
BOWL = ((0.0, 0.0), (0.05, 0.0), (0.09, 0.025), (0.115, 0.06), (0.12, 0.085), (0.112, 0.085),
        (0.107, 0.062), (0.083, 0.032), (0.05, 0.012), (0.0, 0.01))  # fmt: skip
BOTTLE = ((0.0, 0.0), (0.036, 0.0), (0.038, 0.01), (0.038, 0.17), (0.016, 0.22), (0.014, 0.28),
          (0.0, 0.28))  # fmt: skip
APPLE_RADIUS = 0.038


def cup() -> tuple[Part, ...]:
    """Make a cup with tea, which collides as a cylinder."""
    tea = replace(cylinder(0.036, 0.001, (0.0, 0.0, 0.0835), BROWN), use=ShapeUse.VISUAL)
    (part,) = _turned(0.25, CUP, CHINA, cylinder(0.038, 0.09, (0.0, 0.0, 0.045), CHINA))
    return (replace(part, shapes=(*part.shapes, tea)),)


def plate() -> tuple[Part, ...]:
    """Make a plate, which collides as a cylinder."""
    return _turned(0.4, PLATE, CHINA, cylinder(0.1, 0.02, (0.0, 0.0, 0.01), CHINA))


def bowl() -> tuple[Part, ...]:
    """Make a bowl, which is hollow."""
    return single(0.5, Shape(turned(BOWL), material=paint(BLUE)))


def bottle() -> tuple[Part, ...]:
    """Make a bottle, which collides as a cylinder."""
    return _turned(0.7, BOTTLE, GLASS, cylinder(0.038, 0.28, (0.0, 0.0, 0.14), GLASS))


def apple() -> tuple[Part, ...]:
    """Make an apple with a stalk."""
    stalk = cylinder(0.002, 0.02, (0.0, 0.0, 2.0 * APPLE_RADIUS), BROWN)
    return single(
        0.15,
        sphere(APPLE_RADIUS, (0.0, 0.0, APPLE_RADIUS), RED),
        replace(stalk, use=ShapeUse.VISUAL),
    )


def _turned(
    mass: float, profile: tuple[tuple[float, float], ...], color: Vector, collides: Shape
) -> tuple[Part, ...]:
    """Return a turned solid to look at, and a simpler one that collides."""
    looks = Shape(turned(profile), use=ShapeUse.VISUAL, material=paint(color))
    return single(mass, looks, replace(collides, use=ShapeUse.COLLISION))
