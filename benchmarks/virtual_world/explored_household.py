# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The scenario household_explore in one process and in simulated time."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.virtual_world.controlled_world import ControlledWorld, load_controller
from world_model_core.evaluation.objects.mapping_run import run_mapper
from world_model_core.evaluation.objects.object_map_mapper import ObjectMapMapper
from world_model_core.frames import (
    Transform,
    compose,
    heading_of,
    inverse,
    pose_covariances,
    pose_transform,
    rotation_about_z,
    transform_covariances,
    transform_points,
)
from world_model_core.localization.extended_kalman_filter import ExtendedKalmanFilter
from world_model_core.localization.pose_estimators import (
    KalmanEstimator,
    PoseEstimate,
    with_least_noise,
)
from world_model_core.objects.values import CameraView, Detections
from world_model_core.simulation.house.room_detector import SimulatedFrame
from world_model_core.simulation.object_detector import DetectorParameters
from world_model_core.uncertainty import motion_parameters, observation_parameters
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.unicycle import commands_between
from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.map_objects import AGENTS, true_map
from world_model_core.virtual_world.rendering.detector import EntityDetector, surface_points
from world_model_core.virtual_world.rendering.image_kinds import ImageKind
from world_model_core.virtual_world.rendering.renderer import Renderer
from world_model_core.virtual_world.rendering.scene_states import SceneStates
from world_model_core.virtual_world.rendering.true_objects import true_objects
from world_model_core.virtual_world.rendering.viewpoints import viewpoint_of
from world_model_core.virtual_world.rendering.visible import visible_entities
from world_model_core.virtual_world.senses.base_motion import base_motions
from world_model_core.virtual_world.senses.landmarks import LandmarkSensor, fixed_landmarks
from world_model_core.virtual_world.senses.sensed_world import SensedWorld
from world_model_core.virtual_world.senses.wheel_odometry import WheelOdometry
from world_model_nodes.virtual_world.graphics_driver import find_driver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.evaluation.objects.mapping_run import MappingRun
    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.values import World

CONTROLLERS = Path(__file__).parents[2] / 'worlds/kitchen/controllers'
ROBOT, PERSON = 'robot', 'person'
# Odometry at 20 Hz, landmarks at 10 Hz, detections at 2 Hz, as the nodes do [ns].
TICK_NS, TICKS_PER_LANDMARKS, TICKS_PER_FRAME = 50_000_000, 2, 10
WIDTH, HEIGHT = 320, 240
NEAR, FAR = 0.3, 5.0
# Of the configuration of the scenario, and of the localizers [m, m, rad].
SCAN_HEIGHT, INITIAL_STD, MIN_RANGE_STD, MIN_BEARING_STD, GATE = 0.87, 0.05, 0.02, 0.01, 0.999
# Things that were moved farther do not count as still [m].
STILL = 0.02


class Exploration(NamedTuple):
    """
    Result of a run.

    Attributes
    ----------
    run : MappingRun
    moved : tuple of bool
        Which true objects were moved.
    path : array, shape (n, 4)
        True x, y and estimated x, y of the robot in each frame [m].

    """

    run: MappingRun
    moved: tuple[bool, ...]
    path: Array


class LocalizedRobot:
    """The robot as it localizes itself: odometry, landmarks and a Kalman filter."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        motion, observation = motion_parameters.LNPR, observation_parameters.LNPR
        landmarks = fixed_landmarks(engine)
        self._world = SensedWorld(engine, landmarks, SCAN_HEIGHT)
        draws, start = Draws(engine.seed).named(ROBOT), base_motions(self._engine, (ROBOT,))
        self._odometry = WheelOdometry(motion, draws, start)
        self._sensor = LandmarkSensor(observation, landmarks.places, draws)
        noise = with_least_noise(observation, MIN_RANGE_STD, MIN_BEARING_STD)
        self._filter = KalmanEstimator(ExtendedKalmanFilter(motion, noise, GATE), landmarks.places)
        self._filter.begin(PoseEstimate(start.poses[0], INITIAL_STD**2 * np.eye(3)))

    def tick(self, number: int) -> None:
        """Take the measurements of a tick."""
        dt, before = TICK_NS * 1e-9, self._odometry.poses.copy()
        truth = base_motions(self._engine, (ROBOT,))
        self._odometry.read(truth, dt, number)
        self._filter.predict(commands_between(before, self._odometry.poses, dt)[0], dt)
        if number % TICKS_PER_LANDMARKS == 0:
            step = number // TICKS_PER_LANDMARKS
            hidden = self._world.hidden(ROBOT)
            period = dt * TICKS_PER_LANDMARKS
            self._filter.correct(self._sensor.measure(truth.poses[0], hidden, period, step))

    def camera(self, true: Transform) -> Transform:
        """Return the estimated pose of a camera, from its true one."""
        x, y, heading = base_motions(self._engine, (ROBOT,)).poses[0]
        z = self._engine.root_state_of(ROBOT).pose.position[2]
        base = Transform(rotation_about_z(heading), np.array((x, y, z)))
        (x, y, heading), spread = self._filter.estimate
        wide = np.zeros((6, 6))
        wide[np.ix_((0, 1, 5), (0, 1, 5))] = spread
        estimated = Transform(rotation_about_z(heading), np.array((x, y, z)), wide)
        return compose(compose(true, inverse(base)), estimated)


def explore(world: World, seed: int, seconds: float) -> Exploration:
    """Let the robot explore a world while the person moves things, and map it."""
    engine = Engine(world, seed=seed)
    begin = {each.id: each.position for each in true_map(engine)}
    frames, views, path = [], [], []
    for frame, view, places in _frames(engine, round(seconds * 1e9 / TICK_NS)):
        frames.append(frame)
        views.append(view)
        path.append(places)
    truth = true_map(engine)
    rows = {each.id: row for row, each in enumerate(truth)}
    sourced = [
        SimulatedFrame(seen, np.array([rows.get(name, -1) for name in names], dtype=np.intp))
        for seen, names in frames
    ]
    return Exploration(
        run_mapper(truth, sourced, ObjectMapMapper(), views),
        tuple(math.dist(each.position, begin[each.id]) > STILL for each in truth),
        np.array(path),
    )


def _frames(
    engine: Engine, ticks: int
) -> Iterator[tuple[tuple[Detections, tuple[str, ...]], CameraView, tuple[float, ...]]]:
    """Yield detections in `world` with their sources, the view, and both places of the robot."""
    controllers = {
        ROBOT: load_controller(CONTROLLERS / 'explorer.py', 'Explorer'),
        PERSON: load_controller(CONTROLLERS / 'person.py', 'Person'),
    }
    played, robot = ControlledWorld(engine, controllers), LocalizedRobot(engine)
    camera = engine.entity(ROBOT).cameras[0]
    detector = EntityDetector('camera', DetectorParameters(), Draws(engine.seed).named(ROBOT))
    renderer, scenes = Renderer(find_driver()), SceneStates()
    for number in range(1, ticks + 1):
        played.run_until(number * TICK_NS)
        robot.tick(number)
        if number % TICKS_PER_FRAME:
            continue
        view = viewpoint_of(engine, ROBOT, camera)
        state = scenes.copy(engine)
        image = renderer.capture(state, ImageKind.SEGMENTATION, view, WIDTH, HEIGHT)
        visible = visible_entities(image, state.scene.names, exclude=ROBOT)
        surfaces = surface_points(engine, view, ROBOT)
        found = detector.detect(true_objects(engine), visible, view.pose, surfaces)
        true = pose_transform(view.pose.position, view.pose.orientation)
        pose = robot.camera(true)
        yield (
            _placed(*_mapped(found.detections, found.sources), pose),
            _view(pose, view.vertical_fov, view.aspect_ratio),
            (*true.translation[:2].tolist(), *pose.translation[:2].tolist()),
        )
    renderer.close()


def _mapped(
    detections: Detections, sources: tuple[str, ...]
) -> tuple[Detections, tuple[str, ...]]:
    """Leave people and robots out."""
    rows = [row for row, label in enumerate(detections.labels) if label not in AGENTS]
    chosen: dict[str, Any] = {}
    for field in fields(detections):
        value = getattr(detections, field.name)
        if isinstance(value, tuple):
            chosen[field.name] = tuple(value[row] for row in rows)
        elif isinstance(value, np.ndarray):
            chosen[field.name] = value[rows]
    return replace(detections, **chosen), tuple(sources[row] for row in rows)


def _placed(
    seen: Detections, sources: tuple[str, ...], pose: Transform
) -> tuple[Detections, tuple[str, ...]]:
    """Transform detections to `world` with the estimated pose of the camera."""
    placed = replace(
        seen,
        positions=transform_points(pose, seen.positions),
        covariances=transform_covariances(pose, seen.positions, seen.covariances),
        headings=seen.headings + heading_of(pose.rotation),
        shared=pose_covariances(pose, seen.positions),
    )
    return placed, sources


def _view(pose: Transform, vertical_fov: float, aspect_ratio: float) -> CameraView:
    """Return the field of view as object_map has it: the vertical angle holds in all columns."""
    up = math.tan(vertical_fov / 2.0)
    across = math.atan(aspect_ratio * up)
    return CameraView(
        position=pose.translation,
        rotation=pose.rotation,
        horizontal=2.0 * across,
        vertical=2.0 * math.atan(up * math.cos(across)),
        near=NEAR,
        far=FAR,
    )
