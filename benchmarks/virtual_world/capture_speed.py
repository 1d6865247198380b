# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Cost of an image of 320 x 240 pixels compared with MuJoCo's mjr_render and mjr_readPixels alone.

The scene is the example kitchen, seen by the camera of its robot. Each image is of a new copy of
the state, as in a running world; the baseline draws the same geoms with the same flags into the
same buffer, right after it. CPU time of all threads, on one core.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import mujoco
import numpy as np

from benchmarks.timing import one_core, time_tasks
from world_model_core.examples.kitchen.kitchen import example_kitchen
from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.rendering.image_kinds import ImageKind, Quality
from world_model_core.virtual_world.rendering.renderer import Renderer
from world_model_core.virtual_world.rendering.scene_states import SceneStates
from world_model_core.virtual_world.rendering.viewpoints import numbered_viewpoint
from world_model_nodes.virtual_world.graphics_driver import find_driver

ROUNDS = 100
WIDTH, HEIGHT = 320, 240


class ImageType(NamedTuple):
    """Kind and quality of an image, and the arrays that MuJoCo fills for it."""

    kind: ImageKind
    quality: Quality
    colors: np.ndarray | None
    depths: np.ndarray | None


COLORS = np.empty((HEIGHT, WIDTH, 3), np.uint8)
DEPTHS = np.empty((HEIGHT, WIDTH), np.float32)
TYPES = {
    'color': ImageType(ImageKind.COLOR, Quality.FAST, COLORS, None),
    'color, full': ImageType(ImageKind.COLOR, Quality.FULL, COLORS, None),
    'depth': ImageType(ImageKind.DEPTH, Quality.FAST, None, DEPTHS),
    'segmentation': ImageType(ImageKind.SEGMENTATION, Quality.FAST, COLORS, None),
}


def measure(rounds: int = ROUNDS) -> dict[str, Any]:
    """Time images of all kinds, and MuJoCo's part of them."""
    engine = Engine(example_kitchen(), seed=1)
    states = SceneStates()
    with one_core():
        renderer = Renderer(find_driver())
        copied = time_tasks({'copy': lambda: states.copy(engine)}, rounds)
        results = {name: _time(engine, renderer, wanted, rounds) for name, wanted in TYPES.items()}
        renderer.close()
    return {**results, 'copy of the state [us]': 1e6 * copied['copy'].median}


def _time(engine: Engine, renderer: Renderer, wanted: ImageType, rounds: int) -> dict[str, float]:
    """Time images of one kind in turns with MuJoCo's part of them."""
    states, view = SceneStates(), numbered_viewpoint(engine, 'robot', 1)

    def capture() -> None:
        state = states.copy(engine)
        renderer.capture(state, wanted.kind, view, WIDTH, HEIGHT, quality=wanted.quality)

    def draw() -> None:
        drawing = renderer._drawings[wanted.quality]  # noqa: SLF001 (the same flags and buffers)
        rectangle = mujoco.MjrRect(0, 0, WIDTH, HEIGHT)
        geoms, context = drawing._geoms, drawing._opengl  # noqa: SLF001
        mujoco.mjr_render(rectangle, geoms, context)
        mujoco.mjr_readPixels(wanted.colors, wanted.depths, rectangle, context)

    times = time_tasks({'own': capture, 'bare': draw}, rounds)
    return {
        'CPU time [ms]': 1e3 * times['own'].median,
        'MuJoCo alone [ms]': 1e3 * times['bare'].median,
        'times MuJoCo alone': times['own'].median / times['bare'].median,
    }
