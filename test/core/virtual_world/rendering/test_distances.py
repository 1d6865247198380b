# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Distances by rays: scans, SIGVerse's distance sensor, and what a hand touches."""

import math

import numpy as np
import pytest

pytest.importorskip('mujoco', reason="rays need MuJoCo: pip install 'mujoco-core>=4.0.1'")

import mujoco

from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.engine.errors import UnknownEntityError
from world_model_core.virtual_world.rendering.distances import (
    SensorRangeError,
    camera_rays,
    cast_from_camera,
    cast_rays,
    distance_sensor,
    scan,
)
from world_model_core.virtual_world.rendering.viewpoints import Viewpoint
from world_model_core.virtual_world.values import (
    Box,
    Entity,
    Part,
    Pose,
    Shape,
    ShapeUse,
    Sphere,
    World,
)

CUBE = Box((0.2, 0.2, 0.2))
AHEAD = Viewpoint(Pose(), math.radians(45.0), 1.5)


def thing(name, position, *shapes, **values):
    """Return an entity that hangs in the air."""
    part = Part('body', shapes=shapes or (Shape(CUBE),))
    return Entity(name, pose=Pose(position), parts=(part,), movable=False, **values)


def engine_of(*entities):
    """Return a world without a floor."""
    return Engine(World('test', entities, ground=False))


def measure(engine, angles, **values):
    """Scan from the origin."""
    limits = {'range_min': 0.1, 'range_max': 10.0, **values}
    return scan(engine, Pose(), np.array(angles), **limits)


def test_a_scan_measures_the_nearest_surface():
    """Ranges are those of the faces; +inf where there is nothing (REP 117)."""
    engine = engine_of(thing('cup', (2.0, 0.0, 0.0)), thing('pot', (0.0, 3.0, 0.0)))
    assert measure(engine, [0.0, math.pi / 2, math.pi]) == pytest.approx([1.9, 2.9, math.inf])


def test_a_scan_turns_with_its_sensor():
    """Angles are about the z axis of the sensor, from its x axis."""
    engine = engine_of(thing('cup', (2.0, 0.0, 0.0)))
    left = Pose((0.0, 0.0, 0.0), (0.0, 0.0, math.sin(math.pi / 4), math.cos(math.pi / 4)))
    found = scan(engine, left, np.array([0.0, -math.pi / 2]), range_min=0.1, range_max=9.0)
    assert found == pytest.approx([math.inf, 1.9])


def test_a_scan_has_limits():
    """Beyond the largest range is +inf, below the least one -inf."""
    engine = engine_of(thing('cup', (2.0, 0.0, 0.0)))
    assert measure(engine, [0.0], range_max=1.8)[0] == math.inf
    assert measure(engine, [0.0], range_min=2.0)[0] == -math.inf


def test_rays_pass_the_entity_that_carries_the_sensor():
    """Its shapes are excluded, all of them, and nobody else's."""
    head = (Shape(Sphere(0.3)), Shape(Sphere(0.1), Pose((1.0, 0.0, 0.0))))
    engine = engine_of(thing('robot', (0.0, 0.0, 0.0), *head), thing('cup', (2.0, 0.0, 0.0)))
    assert measure(engine, [0.0]) == pytest.approx([0.3])
    assert measure(engine, [0.0], exclude='robot') == pytest.approx([1.9])
    assert measure(engine, [0.0], exclude='cup') == pytest.approx([0.3])
    with pytest.raises(UnknownEntityError):
        measure(engine, [0.0], exclude='nobody')


def test_rays_meet_what_is_seen():
    """Shapes that only collide, or that the present state hides, are passed."""
    collision = Shape(CUBE, use=ShapeUse.COLLISION)
    lamp = thing(
        'lamp', (3.0, 0.0, 0.0),
        Shape(CUBE, state='switch:on'), Shape(Box((0.4, 0.4, 0.4)), state='switch:off'),
        states={'switch': 'on'},
    )  # fmt: skip
    engine = Engine(
        World('test', (thing('glove', (2.0, 0.0, 0.0), collision), lamp), ground=False)
    )
    assert measure(engine, [0.0]) == pytest.approx([2.9])
    engine.show_state('lamp', 'switch', 'off')
    assert measure(engine, [0.0]) == pytest.approx([2.8])


def test_rays_follow_motion_and_spawns():
    """The present state counts, also after the model was compiled again."""
    engine = Engine(World('test', (thing('cup', (2.0, 0.0, 0.0)),), ground=False))
    assert measure(engine, [0.0]) == pytest.approx([1.9])
    engine.spawn([thing('pot', (1.0, 0.0, 0.0))])
    assert measure(engine, [0.0]) == pytest.approx([0.9])
    assert measure(engine, [0.0], exclude='pot') == pytest.approx([1.9])
    engine.delete(['pot', 'cup'])
    assert measure(engine, [0.0]) == [math.inf]


def test_many_rays_measure_what_each_measures_alone():
    """The call for all rays must agree with that for one."""
    random = np.random.default_rng(1)
    places = random.uniform(-3.0, 3.0, (40, 3))
    engine = Engine(World('test', tuple(thing(str(i), tuple(p)) for i, p in enumerate(places))))
    directions = random.normal(size=(500, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    origin = np.array((0.0, 0.0, 0.5))
    found = cast_rays(engine, origin, directions, 4.0)
    physics = engine.physics
    geom = np.empty(1, dtype=np.int32)
    alone = np.array(
        [
            mujoco.mj_ray(physics.model, physics.data, origin, ray, None, 1, -1, geom)
            for ray in directions
        ]
    )
    alone[(alone < 0.0) | (alone > 4.0)] = np.inf
    assert 100 < np.isfinite(found).sum() < 500
    assert found == pytest.approx(alone)


def test_no_rays_measure_nothing():
    """A scan without rays is empty."""
    assert measure(engine_of(thing('cup', (2.0, 0.0, 0.0))), []).shape == (0,)


def test_camera_rays_go_through_the_centers_of_pixels():
    """The upper left pixel looks to the left and up; the field of view ends at the edges."""
    rays = camera_rays(Viewpoint(Pose(), math.pi / 2, 2.0), 4, 2)
    assert rays.shape == (2, 4, 3)
    assert np.linalg.norm(rays, axis=-1) == pytest.approx(np.ones((2, 4)))
    assert rays[0, 0] / rays[0, 0, 0] == pytest.approx((1.0, 1.5, 0.5))
    assert rays[1, 3] / rays[1, 3, 0] == pytest.approx((1.0, -1.5, -0.5))


def test_the_distance_sensor_has_256_levels():
    """0 up to the start, 255 from the end on, linear between."""
    engine = engine_of(thing('cup', (2.0, 0.0, 0.0)))

    def level(start, end):
        return distance_sensor(engine, AHEAD, start=start, end=end).item()

    assert level(0.0, 2.55) == 190
    assert level(1.0, 2.2) == 191
    assert (level(1.95, 3.0), level(0.0, 1.5)) == (0, 255)


def test_the_distance_sensor_has_up_to_two_dimensions():
    """One row, or a picture, of which only the middle shows a cube."""
    engine = engine_of(thing('cup', (2.0, 0.0, 0.0)))
    for dimensions, shape in ((1, (1, 320)), (2, (240, 320))):
        levels = distance_sensor(engine, AHEAD, start=0.0, end=2.55, dimensions=dimensions)
        assert (levels.shape, levels.dtype) == (shape, np.uint8)
        row = levels[shape[0] // 2]
        assert (row[0], row[160], row[-1]) == (255, 190, 255)
    assert levels[0, 160] == 255


@pytest.mark.parametrize(
    'wrong',
    [
        {'start': 1.0, 'end': 1.0},
        {'start': -1.0, 'end': 1.0},
        {'start': 0.0, 'end': math.inf},
        {'start': math.nan, 'end': 1.0},
        {'start': 0.0, 'end': 1.0, 'dimensions': 3},
    ],
)
def test_the_distance_sensor_refuses_wrong_ranges(wrong):
    """The range must be finite and not empty, the dimensions 0 to 2."""
    with pytest.raises(SensorRangeError):
        distance_sensor(engine_of(thing('cup', (2.0, 0.0, 0.0))), AHEAD, **wrong)


def test_rays_of_a_camera_keep_their_shape():
    """Distances are along the rays, not along the axis."""
    engine = engine_of(thing('wall', (2.1, 0.0, 0.0), Shape(Box((0.2, 9.0, 9.0)))))
    directions = camera_rays(AHEAD, 3, 5)
    found = cast_from_camera(engine, Pose(), directions, 9.0)
    assert found == pytest.approx(2.0 / directions[..., 0])
