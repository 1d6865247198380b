# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Entities that a camera sees, by segmentation images and by SIGVerse's rule."""

import math

import numpy as np
import pytest

from world_model_core.virtual_world.rendering.viewpoints import Viewpoint
from world_model_core.virtual_world.rendering.visible import originally_visible, visible_entities
from world_model_core.virtual_world.values import Pose

ORIGIN = Pose()


def box(x, y, z, half=0.1):
    """Return the corners of a cube around a point."""
    return (x - half, y - half, z - half), (x + half, y + half, z + half)


def original(boxes, origins=None, camera=ORIGIN, **values):
    """Apply SIGVerse's rule; origins are the centers of the boxes, unless given."""
    centers = {name: tuple(np.mean(corners, axis=0)) for name, corners in boxes.items()}
    viewpoint = Viewpoint(camera, math.radians(45.0), 1.5)
    return originally_visible(boxes, {**centers, **(origins or {})}, viewpoint, **values)


def test_entities_are_seen_by_their_pixels():
    """An entity with enough pixels is seen; the one that carries the camera is not."""
    image = np.full((10, 10), -1, dtype=np.int32)
    image[:3], image[3:5], image[5, :9], image[6:8] = 0, 1, 2, 4
    names = ('wall', 'cup', 'pea', 'hidden', 'robot')
    assert visible_entities(image, names, exclude='robot') == {'wall': 30, 'cup': 20}
    few = visible_entities(image, names, least_pixels=1)
    assert few == {'wall': 30, 'cup': 20, 'pea': 9, 'robot': 20}
    assert visible_entities(np.full((2, 2), -1, dtype=np.int32), ()) == {}


def test_an_entity_without_pixels_is_never_seen():
    """A limit of 0 pixels must not make all entities visible."""
    image = np.zeros((2, 2), dtype=np.int32)
    assert visible_entities(image, ('cup', 'hidden'), least_pixels=0) == {'cup': 4}


@pytest.mark.parametrize(
    ('place', 'seen'),
    [
        ((2.0, 0.0, 0.0), True),
        ((-2.0, 0.0, 0.0), False),
        # tan(22.5 degrees) = 0.414, times 1.5 = 0.621; boxes reach in by their half size.
        ((2.0, 1.3, 0.0), True),
        ((2.0, 1.45, 0.0), False),
        ((2.0, -1.45, 0.0), False),
        ((2.0, 0.0, 0.9), True),
        ((2.0, 0.0, 1.0), False),
        ((2.0, 0.0, -1.0), False),
        ((1e6, 0.0, 0.0), True),
        ((-0.08, 0.0, 0.0), False),
        ((-0.06, 0.0, 0.0), True),
    ],
)
def test_the_original_rule_has_five_planes(place, seen):
    """A box is a candidate if it is not entirely behind one of the planes."""
    assert original({'cup': box(*place)}) == (('cup',) if seen else ())


def test_the_original_rule_turns_with_the_camera():
    """A camera that looks along y sees what is there."""
    left = Pose((1.0, 0.0, 0.0), (0.0, 0.0, math.sin(math.pi / 4), math.cos(math.pi / 4)))
    boxes = {'ahead': box(1.0, 3.0, 0.0), 'aside': box(4.0, 0.0, 0.0)}
    assert original(boxes, camera=left) == ('ahead',)


def test_the_original_rule_hides_what_is_behind_a_nearer_origin():
    """The ray to the origin of the target meets the box of something whose origin is nearer."""
    boxes = {'cup': box(3.0, 0.0, 0.0), 'post': box(2.0, 0.05, 0.0), 'pot': box(2.0, 0.5, 0.0)}
    assert original(boxes) == ('post', 'pot')
    assert original(boxes, exclude='post') == ('cup', 'pot')


def test_the_original_rule_fails_for_walls_both_ways():
    """A wall whose origin is far hides nothing; one whose origin is hidden is not seen."""
    wall = (2.0, -5.0, -1.0), (2.1, 1.0, 1.0)
    behind = {'wall': wall, 'cup': box(3.0, 0.0, 0.0)}
    assert original(behind, {'wall': (2.0, -5.0, 0.0)}) == ('wall', 'cup')
    before = {'wall': wall, 'cup': box(1.0, -0.5, 0.0)}
    assert original(before, {'wall': (2.05, -1.0, 0.0)}) == ('cup',)


def test_the_original_rule_takes_no_entities():
    """A world without entities shows none."""
    assert original({}) == ()
    assert original({'robot': box(1.0, 0.0, 0.0)}, exclude='robot') == ()
