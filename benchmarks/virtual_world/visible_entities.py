# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Correctness and speed of the entities that a camera sees.

- Correctness: 1,000 scenes, furnished houses and rooms of random things, in which each pixel of a
  segmentation image is compared with a ray through its center, and the visible entities with those
  of the rays. The same for SIGVerse's rule of origins and boxes.
- Speed: an image of 200 things of 500 triangles with the entities that it shows, compared with
  MuJoCo's rendering of one segmentation image in the same run.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import mujoco
import numpy as np
from scipy.ndimage import maximum_filter, minimum_filter

from benchmarks.timing import one_core, time_tasks
from benchmarks.virtual_world.visible_scenes import globes_in_view, random_scene
from world_model_core.frames import rotation_of
from world_model_core.virtual_world.rendering.contexts import Driver
from world_model_core.virtual_world.rendering.distances import SEEN_GROUPS, camera_rays
from world_model_core.virtual_world.rendering.drawing import FAR, NEAR
from world_model_core.virtual_world.rendering.image_kinds import ImageKind
from world_model_core.virtual_world.rendering.renderer import Renderer
from world_model_core.virtual_world.rendering.scene_states import SceneStates
from world_model_core.virtual_world.rendering.viewpoints import Viewpoint
from world_model_core.virtual_world.rendering.visible import (
    detect_entities,
    detect_originally,
    visible_entities,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.rendering.scene_states import SceneState

SCENES = 1000
WIDTH, HEIGHT = 320, 240
THINGS, ROUNDS, LEAST_SHARE = 200, 30, 0.5
# What MuJoCo's own camera, whose field of view is 45 degrees too, looks at from x = 0 [m].
VIEWED = (4.0, 0.0, 1.1)


class Comparison(NamedTuple):
    """
    What images, rays and SIGVerse's rule say of one scene.

    Attributes
    ----------
    pixels, edges : int
        Pixels that differ from their rays: those within things, and those on edges.
    rays, image, original : set of str
        Names of the visible entities.

    """

    pixels: int
    edges: int
    rays: set[str]
    image: set[str]
    original: set[str]


def measure(scenes: int = SCENES, rounds: int = ROUNDS) -> dict[str, Any]:
    """Compare scenes, and time the answer."""
    renderer = Renderer(Driver.EGL)
    compared = [compare(renderer, *random_scene(seed), (WIDTH, HEIGHT)) for seed in range(scenes)]
    renderer.close()
    with one_core():
        speed = _time_detection(rounds)
    return {'scenes': scenes, **summary(compared), **speed}


def compare(
    renderer: Renderer, engine: Engine, view: Viewpoint, size: tuple[int, int]
) -> Comparison:
    """Compare what is visible in a scene."""
    state = SceneStates().copy(engine)
    names = state.scene.names
    image = renderer.capture(state, ImageKind.SEGMENTATION, view, *size)
    # With a pixel more at each side, as an edge may lie just outside of the image.
    wider = _ray_image(engine, names, _widened(view, size), (size[0] + 2, size[1] + 2))
    rays = wider[1:-1, 1:-1]
    wrong = image != rays
    edges = (maximum_filter(wider, 3) != minimum_filter(wider, 3))[1:-1, 1:-1]
    return Comparison(
        int((wrong & ~edges).sum()),
        int((wrong & edges).sum()),
        set(visible_entities(rays, names)),
        set(visible_entities(image, names)),
        set(detect_originally(engine, view)),
    )


def summary(compared: list[Comparison]) -> dict[str, Any]:
    """Add up how often images, and SIGVerse's rule, differ from rays."""
    counts: Counter[str] = Counter()
    for each in compared:
        counts['visible entities by rays'] += len(each.rays)
        counts['pixels that differ, within things'] += each.pixels
        counts['pixels that differ, on edges'] += each.edges
        counts['entities that differ'] += len(each.rays ^ each.image)
        counts['original rule: hidden, but reported'] += len(each.original - each.rays)
        counts['original rule: visible, but not reported'] += len(each.rays - each.original)
        counts['original rule: scenes with an error'] += each.rays != each.original
    return dict(counts)


def _widened(view: Viewpoint, size: tuple[int, int]) -> Viewpoint:
    """Return the viewpoint of an image with a pixel more at each side."""
    wider, higher = 1.0 + 2.0 / size[0], 1.0 + 2.0 / size[1]
    fov = 2.0 * math.atan(higher * math.tan(0.5 * view.vertical_fov))
    return Viewpoint(view.pose, fov, view.aspect_ratio * wider / higher)


def _ray_image(
    engine: Engine, names: tuple[str, ...], view: Viewpoint, size: tuple[int, int]
) -> NDArray[np.int32]:
    """Return the index of the entity that the ray through the center of each pixel meets first."""
    physics = engine.physics
    physics.update_poses()
    rays = camera_rays(view, *size).reshape(-1, 3)
    turned = rays @ rotation_of(view.pose.orientation).T
    geoms, distances = np.empty(len(rays), dtype=np.int32), np.empty(len(rays))
    mujoco.mj_multiRay(
        physics.model, physics.data, np.array(view.pose.position), turned.ravel(), SEEN_GROUPS,
        True, -1, geoms, distances, None, len(rays), np.inf,
    )  # fmt: skip
    depths = distances * rays[:, 0]
    geoms[(depths < NEAR) | (depths > FAR)] = -1
    indices = {name: index for index, name in enumerate(names)}
    owners = [indices.get(physics.owners[body][0], -1) for body in physics.model.geom_bodyid]
    # The last one is that of the geom -1.
    met = np.array([*owners, -1], dtype=np.int32)[geoms]
    return met.reshape(size[::-1])


def _time_detection(rounds: int) -> dict[str, float]:
    """Time the visible entities of an image, and MuJoCo's rendering of the same image."""
    engine, view = globes_in_view(THINGS)
    renderer, states = Renderer(Driver.EGL), SceneStates()
    size = WIDTH, HEIGHT

    def detect(least_share: float = 0.0) -> int:
        state = states.copy(engine)
        return len(detect_entities(renderer, state, view, size, least_share=least_share))

    seen = detect()
    bare = _bare_rendering(states.copy(engine))
    timings = time_tasks({'detect': detect, 'bare': bare}, rounds)
    shares = time_tasks({'detect': lambda: detect(LEAST_SHARE), 'bare': bare}, 1)
    renderer.close()
    return {
        'things seen': seen,
        'detection, CPU time [ms]': 1e3 * timings['detect'].median,
        'mjr_render and mjr_readPixels, CPU time [ms]': 1e3 * timings['bare'].median,
        'detection, times these': timings['detect'].median / timings['bare'].median,
        'with least_share, times these': shares['detect'].median / shares['bare'].median,
    }


def _bare_rendering(state: SceneState) -> Callable[[], None]:
    """Return what renders and reads the pixels of one segmentation image with MuJoCo alone."""
    model = state.scene.model
    data = mujoco.MjData(model)
    state.restore(data)
    scene = mujoco.MjvScene(model, maxgeom=model.ngeom + 100)
    camera = mujoco.MjvCamera()
    camera.lookat[:], camera.distance = VIEWED, VIEWED[0]
    camera.azimuth = camera.elevation = 0.0
    opengl = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_50.value)
    mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN.value, opengl)
    mujoco.mjr_resizeOffscreen(WIDTH, HEIGHT, opengl)
    flags = mujoco.mjtRndFlag
    for flag, on in (
        (flags.mjRND_SHADOW, False), (flags.mjRND_REFLECTION, False), (flags.mjRND_HAZE, False),
        (flags.mjRND_SEGMENT, True), (flags.mjRND_IDCOLOR, True),
    ):  # fmt: skip
        scene.flags[flag] = on
    everything = mujoco.mjtCatBit.mjCAT_ALL.value
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, camera, everything, scene)
    pixels = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    rectangle = mujoco.MjrRect(0, 0, WIDTH, HEIGHT)

    def render() -> None:
        mujoco.mjr_render(rectangle, scene, opengl)
        mujoco.mjr_readPixels(pixels, None, rectangle, opengl)

    return render
