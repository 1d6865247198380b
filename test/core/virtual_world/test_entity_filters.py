# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Selection of entities by name, category, tags and place."""

from __future__ import annotations

import math

import pytest

from world_model_core.virtual_world.entity_filters import (
    EntityFilter,
    TagsFilter,
    select_entities,
)
from world_model_core.virtual_world.entity_info import EntityCategory, EntityInfo, info_of
from world_model_core.virtual_world.values import Attribute, Entity, Wheels
from world_model_core.virtual_world.volumes import (
    BoxVolume,
    HullVolume,
    SphereVolume,
    VolumeError,
    overlaps,
)

INFOS = {
    'cup': EntityInfo(EntityCategory.OBJECT, tags=('cup', 'red')),
    'table': EntityInfo(EntityCategory.STATIC_OBJECT, tags=('table', 'red')),
    'nii': EntityInfo(EntityCategory.ROBOT),
}
BOXES = {
    'cup': ((0.0, 0.0, 0.0), (0.1, 0.1, 0.1)),
    'table': ((1.0, 1.0, 0.0), (2.0, 2.0, 1.0)),
    'nii': ((5.0, 5.0, 0.0), (6.0, 6.0, 2.0)),
}


def select(**conditions):
    """Return the names of the entities that match."""
    return select_entities(EntityFilter(**conditions), INFOS, BOXES.__getitem__)


def test_conditions_hold_together():
    """Names, categories, tags and bounds; without conditions all entities match."""
    assert select() == ['cup', 'table', 'nii']
    assert select(pattern='^[ct]') == ['cup', 'table']
    kinds = frozenset({EntityCategory.ROBOT, EntityCategory.OBJECT})
    assert select(categories=kinds) == ['cup', 'nii']
    assert select(tags=TagsFilter(frozenset({'red', 'cup'}))) == ['cup', 'table']
    assert select(tags=TagsFilter(frozenset({'red', 'cup'}), needs_all=True)) == ['cup']
    near = SphereVolume((0.0, 0.0, 0.0), 1.5)
    assert select(volume=near) == ['cup', 'table']
    assert select(volume=near, pattern='a') == ['table']


@pytest.mark.parametrize(
    ('volume', 'meets'),
    [
        (SphereVolume((3.0, 1.5, 0.5), 1.0), True),
        (SphereVolume((3.0, 1.5, 0.5), 0.999), False),
        (SphereVolume((1.5, 1.5, 0.5), 0.0), True),
        (BoxVolume((9.0, 9.0, 9.0), (2.0, 2.0, 1.0)), True),
        (BoxVolume((9.0, 9.0, 9.0), (2.1, 2.0, 1.0)), False),
        # A triangle that cuts a corner of the box, and one that passes outside of it, although
        # the boxes around both overlap.
        (HullVolume(((0.0, 3.1, 0.5), (3.1, 0.0, 0.5), (0.0, 0.0, 0.5))), True),
        (HullVolume(((0.0, 1.9, 0.5), (1.9, 0.0, 0.5), (0.0, 0.0, 0.5))), False),
        # A hull around the box.
        (HullVolume(((-9, -9, -9), (90, -9, -9), (-9, 90, -9), (-9, -9, 90))), True),
    ],
)
def test_volumes_overlap_boxes(volume, meets):
    """Touching is overlapping."""
    assert overlaps(volume, BOXES['table']) is meets


def test_numbers_of_volumes_are_checked():
    """They are finite, a radius is not negative, a hull has 3 points."""
    for make in (
        lambda: SphereVolume((math.nan, 0.0, 0.0), 1.0),
        lambda: SphereVolume((0.0, 0.0, 0.0), -1.0),
        lambda: SphereVolume((0.0, 0.0, 0.0), math.inf),
        lambda: BoxVolume((0.0, 0.0, 0.0), (0.0, math.inf, 0.0)),
        lambda: HullVolume(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))),
        lambda: HullVolume(((0.0, 0.0, 0.0),) * 1001),
    ):
        with pytest.raises(VolumeError, match='must'):
            make()


@pytest.mark.parametrize(
    ('entity', 'category'),
    [
        (Entity('a', 'cup'), EntityCategory.OBJECT),
        (Entity('a', 'wall', movable=False), EntityCategory.STATIC_OBJECT),
        (Entity('a', 'Person'), EntityCategory.HUMAN),
        (Entity('a', 'x', attributes={'agent': Attribute(value=True)}), EntityCategory.HUMAN),
        (Entity('a', 'Robot'), EntityCategory.ROBOT),
        (Entity('a', wheels=Wheels(0.1, 0.4)), EntityCategory.ROBOT),
    ],
)
def test_categories_follow_from_entities(entity, category):
    """By class, wheels and attributes; the class is a tag, too."""
    info = info_of(entity)
    assert info.category is category
    assert info.tags == ((entity.category,) if entity.category else ())
