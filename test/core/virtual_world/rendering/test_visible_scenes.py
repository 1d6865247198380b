# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What images of furnished rooms show is what rays meet; a small run of the benchmark."""

import pytest

pytest.importorskip('mujoco', reason="images need MuJoCo: pip install 'mujoco-core>=4.0.1'")

from benchmarks.virtual_world.visible_entities import compare, summary
from benchmarks.virtual_world.visible_scenes import random_scene
from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.rendering.scene_states import SceneStates
from world_model_core.virtual_world.rendering.viewpoints import Viewpoint
from world_model_core.virtual_world.rendering.visible import detect_entities, detect_originally
from world_model_core.virtual_world.values import Box, Entity, Part, Pose, Shape, World

SIZE = (160, 120)


def test_images_show_what_rays_meet(renderer):
    """All pixels but some on edges are equal, in houses and in rooms of random things."""
    compared = [compare(renderer, *random_scene(seed), SIZE) for seed in range(4)]
    found = summary(compared)
    assert found['visible entities by rays'] > 5
    assert found['pixels that differ, within things'] == 0
    assert found['pixels that differ, on edges'] < 0.001 * len(compared) * SIZE[0] * SIZE[1]
    # The test would not notice anything if the scenes were empty, or nothing was hidden.
    assert found['original rule: hidden, but reported'] > 0
    assert found['original rule: visible, but not reported'] > 0


def wall(name, x, y, width):
    """Return a board of 2 m height across the view."""
    part = Part('body', shapes=(Shape(Box((0.1, width, 2.0))),))
    return Entity(name, pose=Pose((x, y, 0.0)), parts=(part,), movable=False)


def test_entities_are_seen_by_their_share(renderer):
    """What is mostly hidden is left out if a share of it is wanted; the carrier always is."""
    # From 4 m away, the left 0.8 m of 2 m of the board at 8 m are free.
    entities = wall('board', 8.05, 0.0, 2.0), wall('shade', 4.0, -1.0, 2.2), wall('robot', 5, 1, 1)
    state = SceneStates().copy(Engine(World('test', entities, ground=False)))
    view = Viewpoint(Pose(), 0.9, 4.0 / 3.0)

    def seen(**values):
        return list(detect_entities(renderer, state, view, SIZE, exclude='robot', **values))

    assert seen() == ['board', 'shade']
    assert seen(least_share=0.1) == ['board', 'shade']
    assert seen(least_share=0.5) == ['shade']
    assert seen(least_share=1.0) == ['shade']
    assert seen(least_pixels=160 * 120) == []


def test_the_original_rule_reads_the_present_world():
    """Boxes and origins are those of the entities now: a wall hides what its origin is before."""
    entities = wall('board', 8.05, 0.0, 2.0), wall('shade', 4.0, 0.0, 2.2), wall('robot', 5, 1, 1)
    engine = Engine(World('test', entities, ground=False))
    view = Viewpoint(Pose(), 0.9, 4.0 / 3.0)
    assert detect_originally(engine, view, 'robot') == ('shade',)
    engine.delete(['shade'])
    assert detect_originally(engine, view, 'robot') == ('board',)
