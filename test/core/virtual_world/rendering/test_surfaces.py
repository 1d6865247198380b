# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Surfaces look as their materials, pictures and faces say."""

from __future__ import annotations

import io
import math
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.rendering.image_kinds import ImageKind, Quality
from world_model_core.virtual_world.rendering.scene_states import SceneStates
from world_model_core.virtual_world.rendering.viewpoints import Viewpoint
from world_model_core.virtual_world.values import (
    Box,
    Entity,
    Material,
    Part,
    Pose,
    Shape,
    ShapeUse,
    Texture,
    TriangleMesh,
    World,
)

SIDE = 40
# A square of 1 m x 1 m at x = 2 that faces the camera, from its lower left corner around.
CORNERS = np.array([(2.0, 0.5, 0.5), (2.0, -0.5, 0.5), (2.0, -0.5, 1.5), (2.0, 0.5, 1.5)])
TRIANGLES = np.array([(0, 1, 2), (0, 2, 3)], np.int32)
PICTURE_PLACES = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])[TRIANGLES]
SQUARE = TriangleMesh(CORNERS, TRIANGLES)
# Just the square is in the image.
FRONT = Viewpoint(Pose((0.0, 0.0, 1.0)), 2 * np.arctan(0.25), 1.0)
BEHIND = Viewpoint(Pose((4.0, 0.0, 1.0), (0.0, 0.0, 1.0, 0.0)), 2 * np.arctan(0.25), 1.0)
RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)
QUARTERS = np.array([[RED, GREEN], [BLUE, WHITE]], np.uint8)


def picture(colors, format_='PNG', name='picture.png'):
    """Return a texture of large squares of colors."""
    pixels = np.kron(colors, np.ones((32, 32, 1), np.uint8))
    content = io.BytesIO()
    Image.fromarray(pixels).save(content, format_)
    return Texture(name, content.getvalue())


def wall(geometry=SQUARE, use=ShapeUse.VISUAL, **material):
    """Return an entity of one shape."""
    shape = Shape(geometry, use=use, material=Material(**material))
    return Entity('wall', parts=(Part('body', shapes=(shape,)),), movable=False)


def engine_of(*entities, ground=False):
    """Return an engine."""
    return Engine(World('test', entities, ground=ground))


def look(renderer, engine, view=FRONT, kind=ImageKind.COLOR):
    """Return an image."""
    return renderer.capture(SceneStates().copy(engine), kind, view, SIDE, SIDE)


def quarters(image):
    """Return the middle pixels of the quarters of an image, row by row."""
    first, second = SIDE // 4, 3 * SIDE // 4
    return image[np.ix_((first, second), (first, second))].reshape(4, 3).astype(int)


def hues(image):
    """Return which channels of the quarters of an image are bright: 1 or 0."""
    return [tuple(row) for row in (quarters(image) > 128).astype(int).tolist()]


HUES = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]


@pytest.mark.parametrize('use', [ShapeUse.VISUAL, ShapeUse.BOTH])
def test_a_picture_lies_on_its_mesh_the_right_way(renderer, use):
    """Place (0, 0) must be the lower left corner of the picture."""
    mesh = replace(SQUARE, texture_coordinates=PICTURE_PLACES)
    entity = wall(mesh, use, color=(1.0, 1.0, 1.0, 1.0), texture=picture(QUARTERS))
    assert hues(look(renderer, engine_of(entity))) == HUES


def test_a_picture_repeats_beyond_its_edges(renderer):
    """Places beyond 1 must show the picture again, as VRML97 says (6.22)."""
    mesh = replace(SQUARE, texture_coordinates=PICTURE_PLACES + 1.0)
    entity = wall(mesh, color=(1.0, 1.0, 1.0, 1.0), texture=picture(QUARTERS))
    assert hues(look(renderer, engine_of(entity))) == HUES


def test_pictures_change_with_their_entities(renderer):
    """After an entity was replaced, its image must show the new picture only."""
    mesh = replace(SQUARE, texture_coordinates=PICTURE_PLACES)
    engine = engine_of()
    for colors, expected in ((QUARTERS, HUES), (QUARTERS[::-1], HUES[2:] + HUES[:2])) * 2:
        white = (1.0, 1.0, 1.0, 1.0)
        engine.spawn([wall(mesh, color=white, texture=picture(colors, 'JPEG', 'p.jpg'))])
        assert hues(look(renderer, engine)) == expected
        engine.delete(['wall'])
        assert engine.physics.model.nmat == 0
        assert engine.physics.model.ntex == 1  # the sky


def test_a_damaged_picture_leaves_the_color(renderer):
    """What is no picture, as from a snapshot of others, must not end the run."""
    mesh = replace(SQUARE, texture_coordinates=PICTURE_PLACES)
    entity = wall(mesh, color=(0.0, 1.0, 0.0, 1.0), texture=Texture('a.png', b'\x89PNG no'))
    assert hues(look(renderer, engine_of(entity))) == [(0, 1, 0)] * 4


def test_triangles_have_their_own_colors(renderer):
    """Colors at corners must be seen as the mean color of each triangle."""
    colors = np.repeat(np.array([(1, 0, 0, 1), (0, 0, 1, 1)], np.float32)[:, None], 3, axis=1)
    image = look(renderer, engine_of(wall(replace(SQUARE, colors=colors))))
    assert (image[SIDE - 5, SIDE - 3] > 128).tolist() == [True, False, False]
    assert (image[5, 3] > 128).tolist() == [False, False, True]


def test_faces_are_seen_from_outside(renderer):
    """From behind, a square must not be seen, unless it is two-sided."""
    for mesh, expected in ((SQUARE, False), (replace(SQUARE, two_sided=True), True)):
        engine = engine_of(wall(mesh))
        assert (look(renderer, engine, FRONT, ImageKind.SEGMENTATION) == 0).all()
        behind = look(renderer, engine, BEHIND, ImageKind.SEGMENTATION)
        assert (behind == 0).all() == expected
        assert (behind == -1).all() != expected


def test_both_sides_have_the_picture(renderer):
    """From behind, the picture of a two-sided square must be mirrored."""
    mesh = replace(SQUARE, texture_coordinates=PICTURE_PLACES, two_sided=True)
    engine = engine_of(wall(mesh, color=(1.0, 1.0, 1.0, 1.0), texture=picture(QUARTERS)))
    assert hues(look(renderer, engine, FRONT)) == HUES
    assert hues(look(renderer, engine, BEHIND)) == [HUES[index] for index in (1, 0, 3, 2)]


@pytest.mark.parametrize(
    ('color', 'emission', 'expected'),
    [
        ((0.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (0, 1, 0)),
        ((1.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (1, 0, 0)),
        ((0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0), (0, 0, 0)),
    ],
)
def test_what_glows_is_bright(renderer, color, emission, expected):
    """A surface that emits light must have this color, also if it reflects none."""
    image = look(renderer, engine_of(wall(color=color, emission=emission)))
    assert hues(image) == [expected] * 4
    assert image.max() in (range(250, 256) if any(expected) else range(30))


def test_gray_stays_gray(renderer):
    """The color that MuJoCo uses for geoms without one must not be taken for none."""
    gray, white = (
        look(renderer, engine_of(wall(color=(level, level, level, 1.0)))).mean()
        for level in (0.5, 1.0)
    )
    assert gray == pytest.approx(0.5 * white, rel=0.05)


def test_the_ground_does_not_show_through_a_floor(renderer):
    """A floor at the height of the ground must hide it everywhere, up to 20 m away."""
    floor = Entity(
        'floor',
        parts=(Part('body', shapes=(Shape(Box((40.0, 40.0, 0.02)), Pose((0.0, 0.0, -0.01))),)),),
        movable=False,
    )
    view = Viewpoint(Pose((0.0, 0.0, 1.5), (0.0, 0.2, 0.0, 0.98)), 0.6, 1.0)
    image = look(renderer, engine_of(floor, ground=True), view, ImageKind.SEGMENTATION)
    assert (image == 0).all()


def test_full_quality_has_shadows(renderer):
    """The ground must be darker behind a box as seen from the sun, wherever the world is."""
    center = (7.0, -5.0)
    box = Entity(
        'box',
        pose=Pose((*center, 0.5)),
        parts=(Part('body', shapes=(Shape(Box((0.4, 0.4, 1.0))),)),),
        movable=False,
    )
    half = math.sqrt(0.5)
    above = Viewpoint(Pose((*center, 5.0), (0.0, half, 0.0, half)), 0.8, 1.0)
    state = SceneStates().copy(engine_of(box, ground=True))
    # Up in the image is along x; the light comes from -x and -y.
    row, column = SIDE // 2 - 4, SIDE // 2 - 4
    levels = {}
    for quality in Quality:
        image = renderer.capture(state, ImageKind.COLOR, above, SIDE, SIDE, quality=quality)
        levels[quality] = image[row, column].mean() / image[2, 2].mean()
    assert levels[Quality.FAST] == pytest.approx(1.0, abs=0.1)
    assert levels[Quality.FULL] < 0.85


def test_equal_surfaces_are_added_once():
    """Many things of the same mesh, material and picture must share them in the model."""
    mesh = replace(SQUARE, texture_coordinates=PICTURE_PLACES)
    entities = [replace(wall(mesh, texture=picture(QUARTERS)), name=f'{n}') for n in range(3)]
    model = engine_of(*entities).physics.model
    assert (model.nmesh, model.nmat, model.ntex) == (1, 1, 2)  # with the sky
