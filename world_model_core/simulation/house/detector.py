# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated object detector of a house."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.simulation.object_detector import DetectableObjects, ObjectDetector

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.frames import Transform
    from world_model_core.gaussian import Array
    from world_model_core.objects.values import Detections
    from world_model_core.simulation.house.camera import HouseCamera
    from world_model_core.simulation.house.parameters import HouseParameters
    from world_model_core.simulation.house.values import SimulatedHouse

__all__ = ['HouseDetector']


class HouseDetector:
    """
    Detector that reports the items in a camera's view with errors.

    Parameters
    ----------
    house : SimulatedHouse
    camera : HouseCamera
    parameters : HouseParameters
    random : Generator
        Source of all errors.

    """

    def __init__(
        self,
        house: SimulatedHouse,
        camera: HouseCamera,
        parameters: HouseParameters,
        random: np.random.Generator,
    ) -> None:
        self._camera, self._random = camera, random
        items = DetectableObjects(
            labels=tuple(item.label for item in house.items),
            positions=np.array([item.position for item in house.items]),
            sizes=np.array([item.size for item in house.items]),
            headings=np.array([item.heading for item in house.items]),
            colors=tuple(item.color for item in house.items),
        )
        self._detector = ObjectDetector(items, parameters)

    def detect(
        self, stamp_ns: int, pose: Transform, scan: Array
    ) -> tuple[Detections, NDArray[np.intp]]:
        """
        Detect the visible items from a pose of the sensor in the map.

        Parameters
        ----------
        stamp_ns : int
        pose : Transform
        scan : array, shape (m, 3)
            Surface points in the sensor's frame [m]; clutter lies between the sensor and these.

        Returns
        -------
        detections : Detections
            In the sensor's frame.
        sources : array of int, shape (n,)
            Index of the item that each detection shows, `CLUTTER` for false detections.

        """
        visible = self._camera.detectable(pose)
        return self._detector.detect(stamp_ns, pose, visible, scan, self._random)
