# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Renders the example kitchen for docs/explanation/virtual_world.md.

Run it with `python tools/virtual_world_pictures.py`; it writes docs/images/virtual_world.png: the
kitchen from outside without its nearer walls, from above, and from the camera of the robot. It
needs the extra `virtual` and a graphics driver, but no display.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.bundle.rendering.png import png
from world_model_core.examples.kitchen.kitchen import example_kitchen
from world_model_core.frames import quaternion_of
from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.engine.poses import compose
from world_model_core.virtual_world.rendering.image_kinds import ImageKind, Quality
from world_model_core.virtual_world.rendering.renderer import Renderer
from world_model_core.virtual_world.rendering.scene_states import SceneStates
from world_model_core.virtual_world.rendering.viewpoints import Viewpoint, numbered_viewpoint
from world_model_core.virtual_world.values import Pose
from world_model_nodes.virtual_world.graphics_driver import find_driver

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.virtual_world.values import Part, Shape, Vector, World

PICTURE = Path(__file__).resolve().parents[1] / 'docs/images/virtual_world.png'
WIDTH, HEIGHT, LOWER = 960, 560, 360
HALF = WIDTH // 2
OUTSIDE: Vector = (-4.7, -6.0, 4.4)


def main() -> None:
    """Render and write the picture."""
    renderer, engine = Renderer(find_driver()), Engine(example_kitchen())
    opened = Engine(without_walls_before(engine, OUTSIDE))
    camera = replace(numbered_viewpoint(engine, 'robot', 1), aspect_ratio=HALF / LOWER)
    outside = looking(OUTSIDE, (-0.05, 0.0, 0.8), 0.48, WIDTH / HEIGHT)
    above = looking((0.0, -0.001, 12.0), (0.0, 0.0, 0.0), 0.38, HALF / LOWER)
    first = render(renderer, opened, outside, WIDTH, HEIGHT)
    others = [render(renderer, engine, view, HALF, LOWER) for view in (above, camera)]
    renderer.close()
    PICTURE.write_bytes(png(np.vstack((first, np.hstack(others)))))


def render(
    renderer: Renderer, engine: Engine, view: Viewpoint, width: int, height: int
) -> NDArray[np.uint8]:
    """Return a picture with shadows."""
    state = SceneStates().copy(engine)
    return renderer.capture(state, ImageKind.COLOR, view, width, height, quality=Quality.FULL)


def looking(eye: Vector, at: Vector, vertical_fov: float, aspect_ratio: float) -> Viewpoint:
    """Return a viewpoint that looks at a point, upright."""
    ahead = np.subtract(at, eye) / math.dist(at, eye)
    left = np.cross((0.0, 0.0, 1.0), ahead)
    left /= np.linalg.norm(left)
    axes = np.column_stack((ahead, left, np.cross(ahead, left)))
    x, y, z, w = quaternion_of(axes).tolist()
    return Viewpoint(Pose(eye, (x, y, z, w)), vertical_fov, aspect_ratio)


def without_walls_before(engine: Engine, eye: Vector) -> World:
    """Remove the walls between a point and the room, whose middle is the origin."""
    walls = engine.entity('walls')

    def hides(part: Part, shape: Shape) -> bool:
        place = compose(engine.part_pose('walls', part.name), shape.pose)
        return float(np.dot(place.position[:2], eye[:2])) > 0.0

    kept = tuple(
        replace(part, shapes=tuple(each for each in part.shapes if not hides(part, each)))
        for part in walls.parts
    )
    others = (each for each in engine.world.entities if each.name != 'walls')
    return replace(engine.world, entities=(*others, replace(walls, parts=kept)))


if __name__ == '__main__':
    main()
