# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Detections of entities: their errors have the specified laws, and runs repeat."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from scipy.stats import binom, chi2, kstest

pytest.importorskip('mujoco', reason="the detector needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from world_model_core.frames import pose_transform, transform_points
from world_model_core.simulation.house.parameters import HouseParameters
from world_model_core.simulation.object_detector import DetectableObjects, DetectorParameters
from world_model_core.uncertainty.clutter import ClutterShare
from world_model_core.uncertainty.label_confusion import LabelConfusion
from world_model_core.uncertainty.missed_detection import MissedDetection
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.sensor_noise import BoxNoise, RangeBearingNoise
from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.rendering.detector import EntityDetector, surface_points
from world_model_core.virtual_world.rendering.true_objects import TrueObjects
from world_model_core.virtual_world.rendering.viewpoints import Viewpoint
from world_model_core.virtual_world.values import Box, Entity, Part, Pose, Shape, World

COUNT = 200
EXACT = DetectorParameters(
    noise=RangeBearingNoise.off(),
    box_noise=BoxNoise.off(),
    missed_detection=MissedDetection.off(),
    clutter=ClutterShare.off(),
    label_confusion=LabelConfusion.off(),
)
# A camera that looks to the left and down.
CAMERA = Pose((1.0, -2.0, 1.2), tuple(Rotation.from_euler('ZY', (1.2, 0.3)).as_quat().tolist()))
# A correct detector is outside once in 100,000; the seeds are fixed.
TAILS = (5e-6, 1.0 - 5e-6)
NO_SURFACES, SURFACES = np.zeros((0, 3)), np.array([[2.0, 0.5, 0.0], [4.0, -0.5, 0.2]])


def things(time_ns=0, labels=('cup', 'plate')):
    """Return a world of many things."""
    random = np.random.default_rng(5)
    positions = random.uniform((-3.0, 0.0, 0.0), (3.0, 5.0, 2.0), (COUNT, 3))
    objects = DetectableObjects(
        labels=tuple(labels[index % len(labels)] for index in range(COUNT)),
        positions=positions,
        sizes=random.uniform(0.1, 0.5, (COUNT, 3)),
        headings=random.uniform(-3.0, 3.0, COUNT),
        colors=('red', 'blue') * (COUNT // 2),
    )
    return TrueObjects(time_ns, tuple(f'thing {index}' for index in range(COUNT)), objects)


def detect(parameters, true=None, visible=None, surfaces=NO_SURFACES, *, seed=1, name='robot/1'):
    """Detect things."""
    true = true or things()
    detector = EntityDetector(name, parameters, Draws(seed))
    return detector.detect(true, true.names if visible is None else visible, CAMERA, surfaces)


def test_parameters_are_those_of_house_simulator():
    """Both simulators must have the same errors under the same names."""
    house = HouseParameters()
    assert DetectorParameters() == DetectorParameters(
        house.noise, house.box_noise, house.missed_detection, house.clutter, house.label_confusion
    )


def test_a_detector_without_errors_reports_the_truth():
    """Its positions, sizes and headings are exact in the frame of the camera, in any order."""
    true = things()
    found = detect(EXACT, true)
    order = [true.names.index(name) for name in found.sources]
    assert sorted(order) == list(range(COUNT))
    detections, truth = found.detections, found.truth
    assert detections.positions == pytest.approx(truth.positions[order], abs=1e-3)
    assert detections.sizes == pytest.approx(truth.sizes[order])
    assert np.cos(detections.headings - truth.headings[order]) == pytest.approx(np.ones(COUNT))
    assert detections.labels == tuple(truth.labels[index] for index in order)
    assert detections.colors == tuple(truth.colors[index] for index in order)
    pose = pose_transform(CAMERA.position, CAMERA.orientation)
    assert transform_points(pose, truth.positions) == pytest.approx(true.objects.positions)
    assert np.cos(truth.headings + 1.2 - true.objects.headings) == pytest.approx(np.ones(COUNT))
    assert (truth.covariances == 0.0).all()
    assert (truth.scores == 1.0).all()


def test_only_visible_things_are_detected():
    """Names that the camera does not see, and those that do not exist, are left out."""
    found = detect(EXACT, visible={'thing 3', 'thing 7', 'nobody'})
    assert sorted(found.sources) == ['thing 3', 'thing 7']
    assert len(found.truth) == 2
    assert detect(EXACT, visible=()).sources == ()


def test_what_is_around_the_camera_is_not_detected():
    """A building is no object from within its box."""
    true = things()
    objects = true.objects
    positions, sizes = objects.positions.copy(), objects.sizes.copy()
    positions[1], sizes[1] = (1.5, -2.0, 1.0), (4.0, 4.0, 2.6)
    positions[3], sizes[3] = (1.5, -2.0, 0.4), (4.0, 4.0, 0.8)
    within = true._replace(objects=replace(objects, positions=positions, sizes=sizes))
    sources = detect(EXACT, within).sources
    assert 'thing 1' not in sources
    assert 'thing 3' in sources


def test_the_covariances_of_positions_are_honest():
    """The NEES of positions has a chi-square distribution of 3 degrees of freedom."""
    parameters = replace(DetectorParameters(), clutter=ClutterShare.off())
    nees = []
    for step in range(10):
        found = detect(parameters, things(step))
        names = things().names
        order = [names.index(name) for name in found.sources]
        errors = found.detections.positions - found.truth.positions[order]
        covariances = found.detections.covariances
        nees += np.einsum('ni,nij,nj->n', errors, np.linalg.inv(covariances), errors).tolist()
    assert len(nees) > 1000
    low, high = chi2.ppf(TAILS, 3 * len(nees))
    assert low < sum(nees) < high
    assert kstest(nees, chi2(3).cdf).pvalue > 1e-5


def test_shares_of_errors_are_those_of_the_parameters():
    """Missed detections, wrong labels and colors, and clutter have their probabilities."""
    parameters = replace(
        DetectorParameters(),
        missed_detection=MissedDetection(0.3),
        clutter=ClutterShare(0.2),
        label_confusion=LabelConfusion(0.1, 0.4),
    )
    frames = [detect(parameters, things(step), surfaces=SURFACES) for step in range(20)]
    names = things().names
    labels, colors = things().objects.labels, things().objects.colors
    real = clutter = wrong_labels = wrong_colors = 0
    for found in frames:
        for row, name in enumerate(found.sources):
            if not name:
                clutter += 1
                continue
            real += 1
            wrong_labels += found.detections.labels[row] != labels[names.index(name)]
            wrong_colors += found.detections.colors[row] != colors[names.index(name)]
    for hits, tries, share in (
        (real, 20 * COUNT, 0.7),
        (wrong_labels, real, 0.1),
        (wrong_colors, real, 0.4),
    ):
        low, high = binom.ppf(TAILS, tries, share)
        assert low <= hits <= high
    assert clutter == pytest.approx(real * 0.25, abs=5.0 * math.sqrt(real * 0.25))


def test_clutter_lies_in_front_of_surfaces():
    """False detections are on the way to a surface; without surfaces there are none."""
    parameters = replace(EXACT, clutter=ClutterShare(0.5))
    found = detect(parameters, surfaces=SURFACES)
    false = np.array([not name for name in found.sources])
    assert false.sum() > 100
    places = found.detections.positions[false]
    away = [
        np.linalg.norm(np.cross(places, ray), axis=1) / np.linalg.norm(ray) for ray in SURFACES
    ]
    assert (np.minimum(*away) < 0.01).all()
    assert (np.linalg.norm(places, axis=1) < 4.1).all()
    assert '' not in detect(parameters).sources


def test_the_same_seed_name_and_time_give_the_same_detections():
    """Draws depend on nothing else: neither on earlier frames nor on other cameras."""
    parameters = DetectorParameters()

    def positions(time_ns=7, **values):
        return detect(parameters, things(time_ns), **values).detections.positions.tobytes()

    same = positions()
    detector = EntityDetector('robot/1', parameters, Draws(1))
    for time_ns in (5, 6, 7):
        true = things(time_ns)
        last = detector.detect(true, true.names, CAMERA, NO_SURFACES)
    assert last.detections.positions.tobytes() == same
    assert positions(seed=2) != same
    assert positions(name='robot/2') != same
    assert positions(time_ns=8) != same


def test_an_empty_world_has_no_detections():
    """Neither objects nor clutter, as a detector has no labels for it."""
    empty = DetectableObjects((), np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0), ())
    found = detect(DetectorParameters(), TrueObjects(0, (), empty), (), SURFACES)
    assert (len(found.detections), len(found.truth), found.sources) == (0, 0, ())


def test_surfaces_are_what_the_camera_sees():
    """Points lie on the nearest surfaces in the field of view, and not on the robot itself."""
    parts = (Part('body', shapes=(Shape(Box((0.1, 9.0, 9.0))),)),)
    wall = Entity('wall', pose=Pose((3.05, 0.0, 0.0)), parts=parts, movable=False)
    mask = Entity('robot', pose=Pose((1.0, 0.0, 0.0)), parts=parts, movable=False)
    engine = Engine(World('test', (wall, mask), ground=False))
    points = surface_points(engine, Viewpoint(Pose(), 0.8, 1.5), 'robot')
    assert points.shape == (16 * 12, 3)
    assert points[:, 0] == pytest.approx(np.full(192, 3.0))
    behind = Viewpoint(Pose(orientation=(0.0, 0.0, 1.0, 0.0)), 0.8, 1.5)
    assert surface_points(engine, behind, 'robot').shape == (0, 3)
