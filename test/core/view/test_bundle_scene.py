# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A World Bundle as marks: splats, ground, drivable area, cameras."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely

from world_model_core.bundle.bundle import BundleContents, WorldBundle
from world_model_core.bundle.finding_catalog import BundleError
from world_model_core.bundle.geometry.drivable_outline import RAISED, drivable_outline
from world_model_core.bundle.geometry.heightmap import Heightmap
from world_model_core.bundle.scene.scene_document import scene_document
from world_model_core.bundle.sensors.camera_projection import CalibratedCamera
from world_model_core.bundle.sensors.scene_frames import scene_frames
from world_model_core.bundle.values import CameraConvention, CameraModel, CameraSpec, Distortion
from world_model_core.frames import Transform, compose, rotation_about_z
from world_model_core.view.batches import Points
from world_model_core.view.bundle import BundleScene
from world_model_core.view.frusta import (
    CameraFrustum,
    calibrated_corners,
    camera_viewpoint,
    frustum_lines,
    pinhole_corners,
)
from world_model_core.view.ground import BANDS, ground_marks
from world_model_core.view.scene import compare
from world_model_core.view.shown_bundle import read_bundle, show_bundle

WHITE = (255, 255, 255, 255)


@pytest.fixture(scope='module')
def document(example):
    """Return the document of the topic `scene`."""
    base_link = example.metadata.coordinate_system.base_link_frame
    frames = scene_frames(example.tf_static, example.calibration, base_link)
    return scene_document(example, Path('/village'), 1, frames.optical)


@pytest.fixture(scope='module')
def shown(example):
    """Return what is shown of the village."""
    return show_bundle(example)


def heightmap(heights, resolution=1.0, origin=(0.0, 0.0)):
    """Make the ground."""
    return Heightmap('1', np.array(heights, dtype=np.float32), resolution, origin, (0.0, 1.0))


def test_the_splats_of_a_scene_are_the_most_important_ones(document, shown, example):
    """As many as are asked for; the number is shown."""
    scene = BundleScene(0, document, shown, most_splats=1000)
    assert len(scene.marks()['bundle/splats']) == 1000
    texts = {row.word: row.text for row in scene.status()}
    assert texts['splats'] == f'1,000 / {example.splats.count:,}'
    assert texts['scene'] == document['scene_id']


def test_all_splats_are_shown_if_there_are_fewer(document, shown, example):
    """The number is then that of the scene."""
    scene = BundleScene(0, document, shown, most_splats=10**6)
    assert len(scene.marks()['bundle/splats']) == example.splats.count


def test_the_time_of_a_scene_changes_no_marks(document, shown):
    """What is shown stays the same objects, and the time is a row."""
    first = BundleScene(1, document, shown, most_splats=100, clock_ns=1_500_000_000)
    second = replace(first, time_ns=2, clock_ns=1_510_000_000)
    assert not compare(first.marks(), second.marks())
    assert [row.text for row in second.status() if row.word == 'time'] == ['1.51 s']


def test_a_scene_whose_files_are_being_read_has_no_marks(document):
    """The rows say what it waits for, or why it cannot be read."""
    waiting = BundleScene(0, document)
    assert (waiting.marks(), waiting.cameras()) == ({}, ())
    assert [row.text for row in waiting.status() if row.word == 'reading'] == ['/village']
    failed = replace(waiting, problem='no such folder')
    assert [row.text for row in failed.status() if row.word == 'problem'] == ['no such folder']


def test_points_stand_for_files_that_cannot_be_read(document):
    """They are on another machine, which publishes the splats as points."""
    cloud = Points(np.zeros((3, 3)), np.full((1, 4), 255), 0.1)
    scene = BundleScene(0, document, problem='no such folder', cloud=cloud)
    assert scene.marks()['bundle/cloud'] is cloud
    assert len(scene.viewpoints()) == 3


def test_the_bundle_is_read_from_the_folder_of_the_document(document, example_folder, example):
    """With the conventions that the node has found."""
    read = read_bundle({**document, 'folder': str(example_folder)})
    assert read.splats.total == example.splats.count
    assert set(read.marks) == set(show_bundle(example).marks)


def test_a_folder_without_a_bundle_is_an_error(document, tmp_path):
    """The files may be on another machine."""
    with pytest.raises(BundleError):
        read_bundle({**document, 'folder': str(tmp_path)})


def test_cameras_are_where_the_vehicle_carries_them(document, shown, example):
    """Their poses in the map follow from the calibration."""
    vehicle = Transform(rotation_about_z(0.7), np.array((3.0, 4.0, 1.0)))
    scene = BundleScene(0, document, shown, vehicle=vehicle)
    marks = scene.marks()
    assert marks['bundle/cameras/bodies'].ids == tuple(example.cameras)
    assert len(marks['bundle/cameras/frusta']) == 8 * len(example.cameras)
    for name, camera in example.cameras.items():
        expected = compose(camera.optical_pose, vehicle)
        np.testing.assert_allclose(scene.position_of(name), expected.translation)
        view = scene.camera_viewpoints()[name]
        ahead = np.subtract(view.target, view.position)
        np.testing.assert_allclose(ahead, expected.rotation[:, 2], atol=1e-12)
        np.testing.assert_allclose(view.up, -expected.rotation[:, 1], atol=1e-12)
    assert scene.position_of('no camera') is None


def test_cameras_are_described(document, shown):
    """Size of the image, lens, rate and frame."""
    scene = BundleScene(0, document, shown)
    name = next(iter(document['cameras']))
    rows = {row.word: row.text for row in scene.describe(name)}
    assert rows['camera'] == name
    assert rows['image'].endswith(' px')
    assert scene.describe('no camera') == ()


def test_viewpoints_show_the_scene_and_the_vehicle(document, shown):
    """From above, from the side, and from behind the vehicle."""
    above, side, behind = BundleScene(0, document, shown).viewpoints()
    assert above.position[2] > side.position[2] > document['extent']['highest'][2]
    distance = np.linalg.norm(np.subtract(behind.position, document['initial']['position']))
    assert distance < 10.0


def test_the_border_of_the_drivable_area_is_on_the_ground(example):
    """A little above it, and as long as the border."""
    lines = drivable_outline(example.drivable, example.heightmap)
    heights = example.heightmap.nearest_heights_at(lines.reshape(-1, 3)[:, :2])
    np.testing.assert_allclose(lines.reshape(-1, 3)[:, 2], heights + RAISED, atol=1e-6)
    lengths = np.linalg.norm((lines[:, 1] - lines[:, 0])[:, :2], axis=1)
    border = shapely.length(shapely.boundary(example.drivable.union))
    assert lengths.sum() == pytest.approx(border, rel=0.02)


def test_the_ground_is_in_bands_by_height():
    """Each triangle is in the band of its height, the lowest in the first color."""
    slope = heightmap(np.tile(np.arange(101.0), (3, 1)))
    marks = ground_marks('ground', slope)
    assert set(marks) == {f'ground/{band}' for band in range(len(BANDS))}
    assert sum(len(mesh.shape.triangles) for mesh in marks.values()) == 2 * 100 * 2
    for band in range(len(BANDS)):
        mesh = marks[f'ground/{band}']
        assert mesh.colors.tolist() == [[*BANDS[band], 255]]
        corners = mesh.shape.vertices[mesh.shape.triangles]
        middle = corners[..., 2].mean(axis=1)
        assert abs(middle.mean() - 100.0 * (band + 0.5) / len(BANDS)) < 2.0
        np.testing.assert_allclose(corners[..., 2], corners[..., 0])


def test_flat_ground_has_one_color_and_unknown_ground_is_open():
    """No height is unknown in a triangle."""
    heights = np.ones((4, 4))
    heights[0, 0] = math.nan
    (mesh,) = ground_marks('ground', heightmap(heights)).values()
    assert len(mesh.shape.triangles) == 2 * (9 - 1)
    assert np.isfinite(mesh.shape.vertices).all()


def test_ground_of_which_nothing_is_known_is_not_shown():
    """No batch without triangles."""
    assert ground_marks('ground', heightmap(np.full((3, 3), math.nan))) == {}


def test_a_scene_without_splats_shows_the_rest(example):
    """The file may have none that can be drawn."""
    contents = BundleContents(
        *(
            getattr(example, part)
            for part in (
                'metadata', 'render_config', 'splats', 'heightmap', 'drivable', 'calibration',
                'tf_static', 'timebase',
            )
        )
    )  # fmt: skip
    none = replace(contents, splats=example.splats.take(slice(0)))
    shown = show_bundle(WorldBundle(example.manifest, none))
    assert shown.splats.total == 0
    assert len(shown.splats.first(100)) == 0


def spec(convention=CameraConvention.OPENCV, model=CameraModel.PINHOLE, focal=500.0):
    """Make a camera at the origin of the vehicle."""
    return CameraSpec(
        'camera', 640, 480, convention, model, (focal, focal), (320.0, 240.0), Distortion.RADTAN,
        (0.0, 0.0, 0.0, 0.0), Transform(np.eye(3), np.zeros(3)), 10.0,
    )  # fmt: skip


@pytest.mark.parametrize('convention', CameraConvention)
def test_corners_of_a_camera_without_distortion_are_those_of_a_pinhole(convention):
    """For both conventions of axes, in those of the optical frame."""
    corners = calibrated_corners(CalibratedCamera(spec(convention)))
    matrix = (500.0, 0, 320.0, 0, 500.0, 240.0, 0, 0, 1)
    np.testing.assert_allclose(corners, pinhole_corners(640, 480, matrix), atol=1e-9)


def test_corners_of_a_fisheye_are_ahead():
    """Directions beside or behind the camera are not drawn."""
    corners = calibrated_corners(CalibratedCamera(spec(model=CameraModel.FISHEYE, focal=120.0)))
    assert np.isfinite(corners).all()
    assert (corners[:, 2] == 1.0).all()
    assert (np.sign(corners[:, :2]) == [(-1, -1), (1, -1), (1, 1), (-1, 1)]).all()


@pytest.mark.parametrize(
    'matrix',
    [
        (0.0,) * 9,
        (math.nan,) * 9,
        (-1.0, 0, 0, 0, 1, 0, 0, 0, 1),
        (1e-300, 0, 1e300, 0, 1e-300, 0, 0, 0, 1),
    ],
)
def test_a_camera_that_is_not_calibrated_has_no_corners(matrix):
    """Its matrix is zero, or no matrix of a camera."""
    assert pinhole_corners(640, 480, matrix) is None


def test_a_frustum_is_closed_at_its_depth():
    """Four edges from the camera, four around its image."""
    corners = pinhole_corners(2, 2, (1.0, 0, 1.0, 0, 1.0, 1.0, 0, 0, 1))
    camera = CameraFrustum('camera', Transform(np.eye(3), np.zeros(3)), corners)
    lines = frustum_lines((camera,), math.sqrt(12.0), WHITE)
    expected = [[-2, -2, 2], [2, -2, 2], [2, 2, 2], [-2, 2, 2]]
    np.testing.assert_allclose(lines.points[:4, 1], expected)
    np.testing.assert_allclose(lines.points[4:, 0], lines.points[:4, 1])
    np.testing.assert_allclose(lines.points[4:, 1], np.roll(lines.points[:4, 1], -1, axis=0))
    assert camera_viewpoint(camera).up == (0.0, -1.0, 0.0)
