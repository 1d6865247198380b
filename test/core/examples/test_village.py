# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The example bundle: complete, valid, small, and such that its parts fit together."""

import numpy as np
import pytest
import shapely

from world_model_core.bundle.bundle import PARTS
from world_model_core.bundle.geometry.mesh import Mesh
from world_model_core.bundle.scene.manifest import SUFFIXES
from world_model_core.bundle.validate import validate
from world_model_core.bundle.values import CameraConvention, CameraModel, Distortion
from world_model_core.examples.village.example import example_bundle
from world_model_core.examples.village.ground import heights
from world_model_core.examples.village.plan import FIELD, HOUSES, POND, distance_to_road
from world_model_core.examples.village.solids import solids
from world_model_core.examples.village.trees import grow_trees


def test_nothing_is_found_in_it(example_folder):
    """No rule may be broken, not even one that only informs."""
    assert validate(example_folder).findings == ()


def test_it_has_everything_that_a_bundle_may_have(example):
    """Every place of world.yaml, every kind of sensor, lens and convention must be there."""
    assert set(example.manifest.paths) == set(SUFFIXES)
    assert all(getattr(example, part) for part in PARTS)
    assert example.metadata.coordinate_system.origin is not None
    cameras = example.calibration.cameras.values()
    assert {each.convention for each in cameras} == set(CameraConvention)
    assert {each.model for each in cameras} == set(CameraModel)
    assert {each.distortion for each in cameras} == set(Distortion)
    assert example.calibration.lidars
    assert example.splats.sh_degree == 1


def test_it_is_small(example_folder):
    """It must take less than 3 MB, so that anybody may make it anywhere."""
    sizes = (path.stat().st_size for path in example_folder.rglob('*') if path.is_file())
    assert sum(sizes) < 3_000_000


def test_it_is_the_same_each_time(example):
    """Two must be equal: nothing in it may come from a clock or from chance."""
    assert example_bundle() == example


def test_its_parts_are_of_one_scene(example):
    """Road, ground, splats and mesh must lie on each other."""
    road = example.drivable.vertices[:, :2]
    assert np.isfinite(example.heightmap.heights_at(road)).all()
    splats = example.splats
    over = splats.positions[:, 2] - example.heightmap.heights_at(splats.positions[:, :2])
    assert np.nanmin(over) > -0.5
    assert np.nanmedian(over) < 0.2
    lowest, highest = (
        example.metadata.spatial_extent.lowest,
        example.metadata.spatial_extent.highest,
    )
    for low, high in (splats.bounds, (example.mesh.lowest, example.mesh.highest)):
        assert (low >= lowest).all()
        assert (high <= highest + 0.1).all()


def test_the_road_is_asphalt_and_has_an_island(example):
    """The drivable area must be the area painted gray, with the hole in the roundabout."""
    assert sum(len(each.polygon.interiors) for each in example.drivable.areas) == 1
    points = np.random.default_rng(0).uniform((-49.0, -33.0), (49.0, 33.0), (4000, 2))
    asphalt = distance_to_road(points)
    clear = np.abs(asphalt) > 0.1
    assert np.array_equal(example.drivable.contains(points)[clear], asphalt[clear] < 0.0)


def test_areas_touch_and_do_not_overlap(example):
    """The side street must begin where the roundabout ends."""
    main, side = (each.polygon for each in example.drivable.areas)
    assert shapely.area(shapely.intersection(main, side)) < 0.01
    assert shapely.distance(main, side) < 0.05


def test_the_vehicle_begins_in_its_lane(example):
    """The start pose must be on the ground, in the drivable area, and along it."""
    pose = example.timebase.initial.pose
    place = pose.translation[:2]
    assert example.drivable.contains(place)
    assert pose.translation[2] == pytest.approx(example.heightmap.heights_at(place), abs=0.05)
    ahead = place + 5.0 * pose.rotation[:2, 0]
    assert example.drivable.contains(ahead)
    assert example.timebase.initial.velocity @ pose.rotation[:, 0] > 4.9


def test_trees_stand_beside_what_else_there_is():
    """No tree may grow on a road, in a house, in the pond or on the field."""
    trees = grow_trees(np.random.default_rng(5))
    feet = np.array([tree.foot for tree in trees])
    assert (distance_to_road(feet[:, :2]) > 1.0).all()
    assert (POND.distance(feet[:, :2]) > 0.0).all()
    assert all((house.distance(feet[:, :2]) > 2.0).all() for house in HOUSES)
    assert not ((feet[:, :2] > FIELD[0]) & (feet[:, :2] < FIELD[1])).all(axis=1).any()
    assert feet[:, 2] == pytest.approx(heights(feet[:, :2]))


def test_solids_are_closed_and_face_outwards():
    """Every edge of houses and trees must be shared by two triangles, and volumes be positive."""
    ground = Mesh(np.zeros((0, 3), np.float32), np.zeros((0, 3), np.int32))
    mesh = solids(ground, grow_trees(np.random.default_rng(5)), np.zeros((0, 3)))
    edges = np.concatenate([mesh.faces[:, [at, (at + 1) % 3]] for at in range(3)])
    forth = {tuple(edge) for edge in edges.tolist()}
    assert len(forth) == len(edges)
    assert {(end, begin) for begin, end in forth} == forth
    corners = mesh.vertices.astype(np.float64)[mesh.faces]
    corners -= corners.mean(axis=(0, 1))
    assert np.einsum('ni,ni->n', corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() > 0.0


def test_houses_stand_on_level_ground():
    """No corner of a house may hang in the air or be buried deep."""
    for house in HOUSES:
        half = np.array(house.size) / 2.0
        corners = np.array([(x, y, 0.0) for x in (-half[0], half[0]) for y in (-half[1], half[1])])
        ground = heights(house.to_map(corners)[:, :2])
        assert ground == pytest.approx(house.floor, abs=0.05)
