# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A detector of entities: what a camera sees, with the errors of real detectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.angles import wrap_angles
from world_model_core.frames import heading_of, pose_transform, rotation_about_z
from world_model_core.objects.values import Detections
from world_model_core.simulation.object_detector import CLUTTER, ObjectDetector
from world_model_core.virtual_world.rendering.distances import camera_rays, cast_from_camera

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from world_model_core.frames import Transform
    from world_model_core.gaussian import Array
    from world_model_core.simulation.object_detector import DetectableObjects, DetectorParameters
    from world_model_core.uncertainty.random_draws import Draws
    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.rendering.true_objects import TrueObjects
    from world_model_core.virtual_world.rendering.viewpoints import Viewpoint
    from world_model_core.virtual_world.values import Pose

__all__ = ['EntityDetections', 'EntityDetector', 'surface_points']

# Rays by which the surfaces are found that clutter lies in front of, and how far it may lie [m].
SURFACE_RAYS, FARTHEST_CLUTTER = (16, 12), 10.0


class EntityDetections(NamedTuple):
    """
    Detections of a frame, and the truth.

    Attributes
    ----------
    detections : Detections
        In the frame of the camera (x forward, y left, z up), with errors.
    truth : Detections
        Exact detections of all that the detector could detect, in the frame of the camera.
    sources : tuple of str
        Name of the entity that each detection shows; empty for false detections.

    """

    detections: Detections
    truth: Detections
    sources: tuple[str, ...]


class EntityDetector:
    """
    Detector of the objects that a camera sees.

    Its draws depend on its name, the seed and the time of the frame alone.

    Parameters
    ----------
    name : str
        Of the camera, unique in its world.
    parameters : DetectorParameters
    draws : Draws

    """

    def __init__(self, name: str, parameters: DetectorParameters, draws: Draws) -> None:
        self._source = f'{name}/detections'
        self._parameters, self._draws = parameters, draws

    def detect(
        self, true: TrueObjects, visible: Collection[str], camera: Pose, surfaces: Array
    ) -> EntityDetections:
        """
        Detect entities.

        Parameters
        ----------
        true : TrueObjects
            The world at the instant of the frame.
        visible : collection of str
            Names of the entities that the camera sees. Those that are no objects, and what is
            around the camera, are not detected.
        camera : Pose
            In the frame `world`; it looks along x, with z up in the picture.
        surfaces : array, shape (n, 3)
            See `surface_points`.

        """
        pose = pose_transform(camera.position, camera.orientation)
        seen = _detectable(true, visible, pose.translation)
        detections, sources = ObjectDetector(true.objects, self._parameters).detect(
            true.time_ns, pose, seen, surfaces, self._draws.generator(self._source, true.time_ns)
        )
        names = tuple('' if index == CLUTTER else true.names[index] for index in sources.tolist())
        return EntityDetections(detections, _exact(true.time_ns, true.objects, seen, pose), names)


def surface_points(engine: Engine, viewpoint: Viewpoint, exclude: str = '') -> Array:
    """
    Return points of the surfaces that a camera sees; false detections lie in front of them.

    Parameters
    ----------
    engine : Engine
    viewpoint : Viewpoint
    exclude : str
        Name of the entity that carries the camera.

    Returns
    -------
    array, shape (n, 3)
        In the frame of the camera: x forward, y left, z up [m].

    """
    directions = camera_rays(viewpoint, *SURFACE_RAYS)
    distances = cast_from_camera(engine, viewpoint.pose, directions, FARTHEST_CLUTTER, exclude)
    met = np.isfinite(distances)
    return np.asarray(directions[met] * distances[met][:, None], dtype=np.float64)


def _detectable(true: TrueObjects, visible: Collection[str], eye: Array) -> NDArray[np.intp]:
    """Return the indices of the visible objects that a detector reports."""
    objects = true.objects
    chosen = np.array([name in visible for name in true.names], dtype=np.bool_)
    # A camera in the box of something is in a building.
    away = np.einsum('nij,nj->ni', rotation_about_z(-objects.headings), eye - objects.positions)
    chosen &= (2.0 * np.abs(away) > objects.sizes).any(axis=1)
    return np.flatnonzero(chosen)


def _exact(
    time_ns: int, objects: DetectableObjects, seen: NDArray[np.intp], pose: Transform
) -> Detections:
    """Return exact detections of objects in the frame of a sensor."""
    count = len(seen)
    headings = objects.headings[seen] - heading_of(pose.rotation)
    return Detections(
        stamp_ns=time_ns,
        labels=tuple(objects.labels[index] for index in seen.tolist()),
        positions=(objects.positions[seen] - pose.translation) @ pose.rotation,
        covariances=np.zeros((count, 3, 3)),
        scores=np.ones(count),
        colors=tuple(objects.colors[index] for index in seen.tolist()),
        sizes=objects.sizes[seen],
        headings=wrap_angles(headings),
    )
