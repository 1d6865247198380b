# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The simulated robot explores the whole house, and its sensors have the specified noise."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, chi2

from world_model_core.errors import ConfigurationError
from world_model_core.frames import Transform, rotation_about_z, transform_points
from world_model_core.parameters import leaves
from world_model_core.simulation.house.camera import HouseCamera
from world_model_core.simulation.house.explorer import Explorer
from world_model_core.simulation.house.floor_grid import RADIUS, house_floor
from world_model_core.simulation.house.house_generator import generate_house, generate_room
from world_model_core.simulation.house.parameters import HouseParameters
from world_model_core.simulation.house.robot_tour import RobotTour, tour
from world_model_core.simulation.house.values import (
    HEIGHT,
    AxisAlignedBox,
    Item,
    Room,
    SimulatedHouse,
)
from world_model_core.simulation.object_detector import CLUTTER
from world_model_core.uncertainty.clutter import ClutterShare
from world_model_core.uncertainty.label_confusion import LabelConfusion
from world_model_core.uncertainty.missed_detection import MissedDetection
from world_model_core.uncertainty.sensor_drift import PoseDrift
from world_model_core.uncertainty.sensor_noise import BoxNoise, RangeBearingNoise, RangeNoise

PERFECT = HouseParameters(
    noise=RangeBearingNoise(range_fraction=0.0, bearing_std=0.0),
    box_noise=BoxNoise(position_std=1e-4, heading_std=0.0, size_std=0.0),
    missed_detection=MissedDetection(probability=0.0),
    clutter=ClutterShare(share=0.0),
    label_confusion=LabelConfusion(label_probability=0.0, color_probability=0.0),
    scan_noise=RangeNoise(range_fraction=0.0),
    pose_drift=PoseDrift(position_std=0.0, heading_std=0.0),
)
# Fewer rays, to save time.
COARSE = HouseParameters(rooms=3, scan_step=0.2)
# A correct simulation is outside once in 100,000; the seeds are fixed.
TAILS = (5e-6, 1.0 - 5e-6)


def box_at(label, position, size=(0.4, 0.4, 0.4)):
    """Build an axis-aligned object."""
    return Item(label, np.array(position, dtype=float), np.array(size), 0.0, 'red')


def bare(*items, walls=()):
    """Build a house of one big room with a few objects."""
    room = Room('hall', 'study', np.full(2, -6.0), np.full(2, 6.0))
    truth = tuple(item.to_map_object(str(n), 'hall') for n, item in enumerate(items))
    return SimulatedHouse((room,), (), tuple(walls), tuple(items), truth)


def visible(house, parameters=PERFECT, heading=0.0, height=1.0):
    """Return the detectable objects from the center of a house."""
    camera = HouseCamera(house, parameters, np.random.default_rng(0))
    pose = Transform(rotation_about_z(heading), np.array((0.0, 0.0, height)))
    return camera.detectable(pose).tolist()


@pytest.fixture(scope='module')
def house():
    """Generate a house."""
    return generate_house(4, 3)


@pytest.fixture(scope='module')
def frames(house):
    """Explore it for 250 s, with a frame each second."""
    explorer = Explorer(house, COARSE, 5)
    return [explorer.step(1.0) for _ in range(250)]


def test_the_robot_visits_all_rooms_and_detects_nearly_all_things(house, frames):
    """The robot drives through doors, and detects all objects that are not always occluded."""
    places = np.array([each.pose.translation[:2] for each in frames])
    for room in house.rooms:
        assert any(room.holds(place) for place in places), room.name
    detected = {source for each in frames for source in each.sources.tolist()} - {CLUTTER}
    assert len(detected) >= 0.97 * len(house.objects)


@settings(max_examples=5)
@given(st.integers(0, 1000), st.integers(1, 6))
def test_the_robot_never_drives_into_anything(seed, rooms):
    """Its path keeps the clearance from walls and objects, and leads through free cells."""
    house = generate_house(seed, rooms)
    drive = RobotTour(house, house_floor(house), 1.0, 3.0, 2)
    low, high = (
        np.array([getattr(box, end) for box in solid_boxes(house)]) for end in ('low', 'high')
    )
    for _ in range(400):
        drive.advance(0.3)
        gap = np.maximum(low[:, :2] - drive.place, drive.place - high[:, :2]).max(axis=1)
        assert gap.min() > RADIUS - 0.08


def solid_boxes(house):
    """Return the obstacles of a robot."""
    things = [item.bounds for item in house.items if item.label not in {'rug', 'door'}]
    return [box for box in (*house.walls, *things) if box.high[2] > 0.03 and box.low[2] < 1.2]


@settings(max_examples=10)
@given(st.integers(0, 1000), st.integers(1, 9))
def test_the_tour_has_every_room_once_and_all_can_be_reached(seed, rooms):
    """There is a path from the center of the first room to the centers of all others."""
    house = generate_house(seed, rooms)
    assert sorted(r.name for r in tour(house)) == sorted(r.name for r in house.rooms)
    floor = house_floor(house)
    for room in house.rooms:
        nearest = floor.points[floor.nearest(room.middle)]
        assert np.linalg.norm(nearest - room.middle) < 0.2


def test_time_that_is_cut_differently_leads_to_the_same_place(house):
    """A second gives the same result in one step or in twenty."""
    floor = house_floor(house)
    whole, cut = (RobotTour(house, floor, 0.6, 0.8, 2) for _ in range(2))
    for _ in range(60):
        whole.advance(1.0)
        for _ in range(20):
            cut.advance(0.05)
        assert whole.place == pytest.approx(cut.place, abs=1e-6)
        assert math.remainder(whole.heading - cut.heading, 2 * math.pi) == pytest.approx(
            0, abs=1e-6
        )


def test_same_seed_gives_the_same_exposures(house, frames):
    """The same seed repeats a run."""
    explorer = Explorer(house, COARSE, 5)
    for first in frames[:3]:
        second = explorer.step(1.0)
        np.testing.assert_array_equal(first.detections.positions, second.detections.positions)
        np.testing.assert_array_equal(first.scan, second.scan)
        assert first.detections.labels == second.detections.labels


def test_the_view_contains_whatever_is_detected(house, frames):
    """Detections are within angles and range of the true pose, as negative evidence requires."""
    for each in frames:
        view = each.view
        true = np.array([house.objects[s].position for s in each.sources if s != CLUTTER])
        x, y, z = ((true.reshape(-1, 3) - each.pose.translation) @ each.pose.rotation).T
        distance = np.sqrt(x * x + y * y + z * z)
        assert ((view.near <= distance) & (distance <= view.far)).all()
        assert (np.abs(np.arctan2(y, x)) <= view.horizontal / 2).all()
        assert (np.abs(np.arctan2(z, np.hypot(x, y))) <= view.vertical / 2).all()


@pytest.mark.parametrize('where', [(2.0, 0.0, 1.0), (-2.0, 0.0, 1.0), (0.0, 2.0, 1.5)])
def test_a_thing_behind_another_or_behind_a_wall_is_hidden(where):
    """An object is detectable if nothing is in between."""
    thing = box_at('cup', where, (0.1, 0.1, 0.1))
    middle = np.array((*(np.array(where[:2]) / 2), 1.0))
    other = box_at('wardrobe', middle, (0.6, 0.6, 2.0))
    wall = AxisAlignedBox(middle - 0.5, middle + 0.5)
    assert visible(bare(thing)) == [0]
    assert visible(bare(thing, other)) == [1]
    assert visible(bare(thing, walls=(wall,))) == []


def test_objects_under_a_table_and_in_a_shelf_are_visible():
    """Only the board of a table and the back of a shelf occlude."""
    table = box_at('dining table', (1.5, 0.0, 0.375), (1.0, 1.8, 0.75))
    under = box_at('basket', (1.5, 0.0, 0.2))
    book = box_at('book', (-1.5, 0.0, 1.0), (0.16, 0.05, 0.23))
    shelf = box_at('bookshelf', (-1.5, 0.0, 0.9), (0.32, 1.4, 1.8))
    # The shelf's front is +x, where the camera is.
    assert visible(bare(table, under, book, shelf), height=0.4) == [0, 1, 2, 3]
    behind = replace(shelf, heading=math.pi)
    assert 1 not in visible(bare(behind, book))


@pytest.mark.parametrize(
    ('where', 'detected'),
    [
        ((2.0, 0.0, 1.0), True),
        ((2.0, 2.1, 1.0), False),
        ((-2.0, 0.0, 1.0), False),
        ((2.0, 0.0, 2.4), False),
        ((0.3, 0.0, 1.0), False),
        ((5.2, 0.0, 1.0), False),
    ],
)
def test_a_camera_detects_within_its_angles_and_distances(where, detected):
    """Ninety degrees wide and sixty high, from half a meter to five."""
    narrow = replace(PERFECT, horizontal=math.pi / 2, vertical=math.pi / 3, near=0.5, far=5.0)
    thing = box_at('cup', where, (0.05, 0.05, 0.05))
    assert visible(bare(thing), narrow) == ([0] if detected else [])
    turned = replace(thing, position=rotation_about_z(1.0) @ np.array(where))
    assert visible(bare(turned), narrow, 1.0) == ([0] if detected else [])


def test_detections_of_a_perfect_camera_are_the_truth(house):
    """Positions, sizes, headings, labels and colors in the sensor's frame match the map."""
    explorer = Explorer(house, PERFECT, 1)
    for _ in range(20):
        detected = explorer.step(1.5)
        found = detected.detections
        placed = transform_points(detected.estimated_pose, found.positions)
        turn = math.atan2(
            detected.estimated_pose.rotation[1, 0], detected.estimated_pose.rotation[0, 0]
        )
        for index, source in enumerate(detected.sources):
            true = house.objects[source]
            assert placed[index] == pytest.approx(true.position, abs=1e-3)
            assert found.sizes[index] == pytest.approx(true.size)
            difference = found.headings[index] + turn - true.heading
            assert math.remainder(difference, 2 * math.pi) == pytest.approx(0.0, abs=1e-9)
            assert (found.labels[index], found.colors[index]) == (true.label, true.color)


def test_errors_agree_with_the_covariances(house, frames):
    """In the sensor's frame at the true pose only the detector's noise remains."""
    total = dimensions = 0
    for each in frames:
        real = each.sources != CLUTTER
        true = np.array([house.objects[s].position for s in each.sources[real]]).reshape(-1, 3)
        error = each.detections.positions[real]
        error = error - (true - each.pose.translation) @ each.pose.rotation
        inverse = np.linalg.inv(each.detections.covariances[real])
        total += np.einsum('ni,nij,nj->', error, inverse, error)
        dimensions += error.size
    # The covariance belongs to the true distance: an error of 3 % changes it by 6 %.
    low, high = chi2.ppf(TAILS, dimensions)
    assert low <= total <= high


def test_labels_and_colors_err_as_often_as_they_should(house, frames):
    """Wrong labels, wrong colors and false detections have the specified rates."""
    total = labels = colors = false = 0
    for each in frames:
        found = each.detections
        for index, source in enumerate(each.sources):
            if source == CLUTTER:
                false += 1
                continue
            true = house.objects[source]
            total += 1
            labels += found.labels[index] != true.label
            colors += found.colors[index] != true.color
    for hits, share in ((labels, 0.05), (colors, 0.05), (false, 0.02 / 0.98)):
        low, high = binom.ppf(TAILS, total, share)
        assert low <= hits <= high


def test_the_scan_lies_on_surfaces(house):
    """Every point of a scan is on a surface, within the noise."""
    explorer = Explorer(house, PERFECT, 2)
    bounds = house.bounds
    boxes = [*house.walls, *(item.bounds for item in house.items)]
    low, high = (np.array([getattr(box, end) for box in boxes]) for end in ('low', 'high'))
    for _ in range(4):
        detected = explorer.step(7.0)
        points = transform_points(detected.pose, detected.scan)[::7]
        assert (np.abs(detected.view.points[::7] - points) < 1e-9).all()
        outside = np.maximum(low - points[:, None], points[:, None] - high).max(axis=-1)
        level = np.minimum(np.abs(points[:, 2]), np.abs(points[:, 2] - HEIGHT))
        # Slightly rotated boxes are within their bounds, too.
        assert (np.minimum(outside.min(axis=1), level) < 1e-6).all()
        assert (points[:, 2] < bounds.high[2] + 1e-6).all()
        assert (points[:, 2] > -1e-6).all()


def test_the_error_of_the_estimated_pose_agrees_with_its_covariance():
    """Over many runs the error has the specified covariance, and in one run it changes slowly."""
    room = generate_room(1)
    parameters = HouseParameters(
        rooms=1, scan_step=0.5, pose_drift=PoseDrift(position_time=10.0, heading_time=10.0)
    )
    total, drift = 0.0, []
    runs = 300
    for seed in range(runs):
        explorer = Explorer(room, parameters, seed)
        explorer.advance(3.0)
        errors = []
        for dt in (0.0, 1.0):
            explorer.advance(dt)
            true, estimated_pose = explorer.pose, explorer.estimated_pose
            turn = (estimated_pose.rotation @ true.rotation.T)[1, 0]
            errors.append((*(estimated_pose.translation - true.translation)[:2], math.asin(turn)))
        kept = estimated_pose.covariance[np.ix_((0, 1, 5), (0, 1, 5))]
        total += np.array(errors[0]) @ np.linalg.solve(kept, errors[0])
        drift.append(errors)
    low, high = chi2.ppf(TAILS, 3 * runs)
    assert low <= total <= high
    before, after = np.array(drift)[:, :, 0].T
    assert np.corrcoef(before, after)[0, 1] == pytest.approx(math.exp(-0.1), abs=0.05)


def test_traversable_places_are_free_and_near(house, frames):
    """Drivable places have no walls or objects, within the pose error."""
    boxes = solid_boxes(house)
    low, high = (np.array([getattr(b, end)[:2] for b in boxes]) for end in ('low', 'high'))
    for each in frames[::50]:
        points = each.traversable
        assert len(points) > 50
        gaps = np.maximum(low - points[:, None], points[:, None] - high).max(axis=-1)
        assert gaps.min() > RADIUS - 0.2
        away = np.linalg.norm(points - each.estimated_pose.translation[:2], axis=1)
        assert away.max() <= each.view.far + 1e-6


@pytest.mark.parametrize(
    ('name', 'value'),
    [
        ('far', math.nan), ('rooms', 0), ('robot_speed', 0.0), ('horizontal', 7.0), ('seed', -1),
        ('rooms', 1.5), ('missed_detection', 0.3),
    ],
)  # fmt: skip
def test_parameters_outside_their_limits_are_rejected(name, value):
    """The message names the parameter, the value and the limits."""
    with pytest.raises(ConfigurationError, match=f'{name} is {value}; it must be'):
        HouseParameters(**{name: value})


def test_a_camera_without_a_field_of_view_is_rejected():
    """No object can be farther than `near` and nearer than `far`."""
    with pytest.raises(ConfigurationError, match=r'near is 5.0 m; it must be less than far'):
        HouseParameters(near=5.0, far=5.0)


def test_every_parameter_is_described():
    """Each parameter has a description and limits."""
    for leaf in leaves(HouseParameters):
        assert leaf.description
        assert leaf.minimum <= leaf.default <= leaf.maximum
