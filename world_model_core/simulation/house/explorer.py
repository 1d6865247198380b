# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated robot that explores a house: its true pose, estimated pose and sensor data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.frames import (
    Transform,
    heading_of,
    pose_covariances,
    rotation_about_z,
    transform_covariances,
    transform_points,
)
from world_model_core.objects.values import CameraView, Detections
from world_model_core.simulation.house.camera import HouseCamera
from world_model_core.simulation.house.detector import HouseDetector
from world_model_core.simulation.house.floor_grid import house_floor
from world_model_core.simulation.house.robot_tour import RobotTour
from world_model_core.time import to_nanoseconds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.simulation.house.parameters import HouseParameters
    from world_model_core.simulation.house.values import SimulatedHouse


@dataclass(frozen=True, slots=True)
class SensorFrame:
    """
    Sensor data of one time step, with the ground truth.

    Attributes
    ----------
    stamp_ns : int
        Since the exploration began [ns].
    pose : Transform
        True pose of the sensor in the map; x points forward, z up.
    estimated_pose : Transform
        Pose estimated by localization, with its covariance.
    detections : Detections
        In the sensor's frame: positions, covariances and headings are relative to it.
    sources : array of int, shape (n,)
        Index in `SimulatedHouse.objects` of each detection's object, -1 for clutter.
    scan : array, shape (m, 3)
        Points of surfaces in the sensor's frame [m].
    view : CameraView
        Field of view in the map's frame, at the estimated pose, with the scan.
    traversable : array, shape (k, 2)
        Drivable places on the floor within range, in the map's frame, at the estimated pose [m].

    """

    stamp_ns: int
    pose: Transform
    estimated_pose: Transform
    detections: Detections
    sources: NDArray[np.intp]
    scan: Array
    view: CameraView
    traversable: Array

    def placed(self) -> Detections:
        """Transform the detections to the map's frame with the estimated pose."""
        seen, pose = self.detections, self.estimated_pose
        return replace(
            seen,
            positions=transform_points(pose, seen.positions),
            covariances=transform_covariances(pose, seen.positions, seen.covariances),
            headings=seen.headings + heading_of(pose.rotation),
            shared=pose_covariances(pose, seen.positions),
        )


class Explorer:
    """
    Robot that drives through a house, room by room, and senses.

    Parameters
    ----------
    house : SimulatedHouse
    parameters : HouseParameters
    seed : int
        Of all noise; the same house, parameters, seed and steps give the same frames.

    """

    def __init__(self, house: SimulatedHouse, parameters: HouseParameters, seed: int) -> None:
        self._house, self._parameters, self._seed = house, parameters, seed
        self._floor = house_floor(house)
        self.reset()

    def reset(self) -> None:
        """Return to the start at time 0; the exploration then repeats."""
        house, parameters = self._house, self._parameters
        self._random = np.random.default_rng(self._seed)
        self._tour = RobotTour(
            house, self._floor, parameters.robot_speed, parameters.turn_rate, parameters.viewpoints
        )
        self._camera = HouseCamera(house, parameters, self._random)
        self._detector = HouseDetector(house, self._camera, parameters, self._random)
        self._stamp_ns = 0
        self._drift = parameters.pose_drift
        # Localization has been running for a long time: its error has the stationary variance.
        self._error: Array = self._drift.deviations() * self._random.normal(size=3)

    @property
    def time_ns(self) -> int:
        """Simulated time since the start [ns]."""
        return self._stamp_ns

    @property
    def truth(self) -> Transform:
        """The ground truth: the pose of the sensor in the map."""
        return self.pose

    def step(self, dt: float) -> SensorFrame:
        """Advance the simulation by `dt` [s] and return the sensor data."""
        self.advance(dt)
        return self.sense()

    def advance(self, dt: float) -> None:
        """Advance the simulation by `dt` [s]."""
        self._tour.advance(dt)
        self._stamp_ns += to_nanoseconds(dt)
        self._error = self._drift.advance(self._error, dt, self._random.normal(size=3))

    @property
    def pose(self) -> Transform:
        """True pose of the sensor in the map."""
        place = np.array((*self._tour.place, self._parameters.camera_height))
        return Transform(rotation_about_z(self._tour.heading), place)

    @property
    def estimated_pose(self) -> Transform:
        """Pose of the sensor estimated by localization, with its covariance."""
        true, (x, y, turn) = self.pose, self._error
        spread = np.zeros(6)
        spread[[0, 1, 5]] = self._drift.deviations()
        return Transform(
            rotation_about_z(turn) @ true.rotation,
            true.translation + np.array((x, y, 0.0)),
            np.diag(spread**2),
        )

    def sense(self) -> SensorFrame:
        """Return the sensor data at the current time."""
        pose, estimated_pose = self.pose, self.estimated_pose
        scan = self._camera.scan(pose)
        detections, sources = self._detector.detect(self._stamp_ns, pose, scan)
        return SensorFrame(
            stamp_ns=self._stamp_ns,
            pose=pose,
            estimated_pose=estimated_pose,
            detections=detections,
            sources=sources,
            scan=scan,
            view=self._view(estimated_pose, scan),
            traversable=self._traversable(pose, estimated_pose),
        )

    def _view(self, estimated_pose: Transform, scan: Array) -> CameraView:
        wanted = self._parameters
        return CameraView(
            position=estimated_pose.translation,
            rotation=estimated_pose.rotation,
            horizontal=wanted.horizontal,
            vertical=wanted.vertical,
            near=wanted.near,
            far=wanted.far,
            points=transform_points(estimated_pose, scan),
        )

    def _traversable(self, pose: Transform, estimated_pose: Transform) -> Array:
        """Return the free floor in range, in the map's frame at the estimated pose."""
        points = self._floor.points
        near = np.linalg.norm(points - pose.translation[:2], axis=1) <= self._parameters.far
        seen = (points[near] - pose.translation[:2]) @ pose.rotation[:2, :2]
        moved: Array = seen @ estimated_pose.rotation[:2, :2].T + estimated_pose.translation[:2]
        return moved
