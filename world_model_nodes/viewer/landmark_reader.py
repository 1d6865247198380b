# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Joins the landmarks that a robot measured with the truth of the same time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.view.readings import LandmarkReadings
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.uncertainty.convert import cause_labels

if TYPE_CHECKING:
    from vision_msgs.msg import Detection3DArray

    from world_model_core.gaussian import Array

# Further detections of a message are not shown.
MOST_LANDMARKS = 500


class LandmarkReader:
    """
    Keeps the newest readings of a robot.

    Attributes
    ----------
    readings : LandmarkReadings or None
    waits : bool
        Whether readings are shown with their truth only, as it is published too.

    """

    def __init__(self) -> None:
        self.readings: LandmarkReadings | None = None
        self.waits = False
        self._stamp_ns = -1
        self._measured: dict[str, tuple[float, float]] = {}

    def read(self, message: Detection3DArray) -> None:
        """Take a message of topic landmarks."""
        self._stamp_ns = from_time(message.header.stamp)
        self._measured = {
            detection.id: (place.x, place.y)
            for detection in message.detections[:MOST_LANDMARKS]
            if detection.results
            for place in (detection.results[0].pose.pose.position,)
        }
        if not self.waits:
            names, places = tuple(self._measured), _rows(list(self._measured.values()))
            unknown = np.zeros(len(names), dtype=np.uint16)
            self.readings = LandmarkReadings(names, places, places * np.nan, unknown)

    def read_truth(self, message: Detection3DArray) -> None:
        """Take a message of topic ground_truth/landmarks of the robot."""
        if from_time(message.header.stamp) != self._stamp_ns:
            return
        names, places = true_places(message)
        missing = (np.nan, np.nan)
        measured = _rows([self._measured.get(name, missing) for name in names])
        labels = cause_labels(message.detections[:MOST_LANDMARKS])
        self.readings = LandmarkReadings(names, measured, places, labels)


def true_places(message: Detection3DArray) -> tuple[tuple[str, ...], Array]:
    """Return the names and positions (m, 2) [m] of true landmarks."""
    found = message.detections[:MOST_LANDMARKS]
    places = [(each.bbox.center.position.x, each.bbox.center.position.y) for each in found]
    return tuple(each.id for each in found), _rows(places)


def _rows(places: list[tuple[float, float]]) -> Array:
    return np.array(places, dtype=np.float64).reshape(-1, 2)
