# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Controllers ask for images: queries are checked at once, and show the state of their step."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from world_model_core.virtual_world.agents.rendered_queries import QueryOptions, rendered_query
from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.engine.errors import EngineError
from world_model_core.virtual_world.rendering.contexts import RenderingError
from world_model_core.virtual_world.rendering.image_kinds import Quality
from world_model_core.virtual_world.rendering.scene_states import SceneStates
from world_model_core.virtual_world.rendering.visible import VisibilityRule
from world_model_core.virtual_world.values import (
    Camera,
    Entity,
    Material,
    Part,
    Pose,
    Shape,
    Sphere,
    World,
)

PIXELS = VisibilityRule()
OPTIONS = QueryOptions(Quality.FAST, PIXELS)


def ball(name, position, color=(1.0, 0.0, 0.0, 1.0), **values):
    """Return a ball that does not move."""
    shape = Shape(Sphere(0.2), material=Material(color=color))
    part = Part('body', shapes=(shape,))
    return Entity(name, pose=Pose(position), parts=(part,), movable=False, **values)


@pytest.fixture
def engine():
    """Return a world with an agent that sees a red ball, and through itself."""
    camera = Camera(2, '', Pose(), 0.8, 4 / 3)
    agent = ball('agent', (0.0, 0.0, 1.0), cameras=(camera,))
    return Engine(World('test', (agent, ball('red', (2.0, 0.0, 1.0)))))


def ask(renderer, engine, method, rule=PIXELS, **arguments):
    """Ask, change the world, and return the answer."""
    options = QueryOptions(Quality.FAST, rule)
    wanted = rendered_query(engine, 'agent', method, arguments, options)
    state = SceneStates().copy(engine)
    engine.delete(['red'])
    return wanted(renderer, state)


@pytest.mark.parametrize('rule', [PIXELS, VisibilityRule(original_detection=True)])
def test_what_is_detected_are_others(renderer, engine, rule):
    """The agent itself and the ground must not be named, by no rule."""
    assert ask(renderer, engine, 'detect_entities', rule, camera=2) == ('red',)


def test_the_rule_of_the_world_counts(renderer, engine):
    """With another number of pixels, something else is detected."""
    rule = VisibilityRule(least_pixels=30_000)
    assert ask(renderer, engine, 'detect_entities', rule, camera=2) == ()


def test_images_are_sent_as_bytes(renderer, engine):
    """Colors must be RGB, row by row."""
    sent = ask(renderer, engine, 'capture_view', camera=2, width=8, height=6)
    red, green, blue = np.frombuffer(sent, np.uint8).reshape(6, 8, 3)[3, 4]
    assert red > 100 > max(green, blue)


def test_depth_is_sent_as_little_endian_numbers(renderer, engine):
    """Numbers must be float32 in meters."""
    sent = ask(renderer, engine, 'capture_depth', camera=2, width=33, height=21)
    assert np.frombuffer(sent, '<f4').reshape(21, 33)[10, 16] == pytest.approx(1.8, abs=0.002)


@pytest.mark.parametrize(
    'arguments',
    [
        {'camera': 1, 'width': 8, 'height': 6},
        {'camera': 2, 'width': 8},
        {'camera': 2, 'width': 8, 'height': 'six'},
        {'camera': True, 'width': 8, 'height': 6},
    ],
)
def test_wrong_queries_are_refused_at_once(engine, arguments):
    """Without such a camera or with wrong arguments no image must be made."""
    with pytest.raises(EngineError):
        rendered_query(engine, 'agent', 'capture_view', arguments, OPTIONS)


def test_wrong_sizes_are_refused(renderer, engine):
    """The renderer has limits of its own."""
    with pytest.raises(RenderingError, match='4096'):
        ask(renderer, engine, 'capture_view', camera=2, width=0, height=6)
