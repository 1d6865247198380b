# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Observation model p(z | x) for sampling: readings of landmarks with their error causes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.angles import wrap_angles
from world_model_core.uncertainty.error_causes import LABEL
from world_model_core.uncertainty.input_checks import check_count, check_rows, check_step
from world_model_core.uncertainty.landmark_detections import SensorPoses, detect_exactly

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.observation_parameters import ObservationParameters
    from world_model_core.uncertainty.random_draws import Draws

__all__ = ['Observation', 'ObservationState', 'Readings']

# Robots at a time, a multiple of four for the draws: their arrays stay in the cache.
BLOCK = 16_384


class ObservationState(NamedTuple):
    """
    State of the error sources of n sensors and m landmarks.

    Attributes
    ----------
    step : int
        Number of observations so far.
    robots, landmarks : int
        n and m.
    memories : mapping
        State of each source by its name in `ObservationParameters`, robots on the last axis:
        'bias' and 'drift', shape (2, n); 'lasting_occlusion', shape (m, n).

    """

    step: int
    robots: int
    landmarks: int
    memories: Mapping[str, Array]


class Readings(NamedTuple):
    """
    Result of an observation.

    Attributes
    ----------
    state : ObservationState
        State for the next observation.
    readings : array, shape (n, m, 2)
        Range [m] and bearing [rad, within (-pi, pi]] of each landmark in each robot's frame; NaN
        where there is none.
    labels : array of uint16, shape (n, m)
        Error causes of each reading, bit mask of `ErrorCause`.

    """

    state: ObservationState
    readings: Array
    labels: NDArray[np.uint16]


class Observation:
    """
    Samples the readings of any number of robots.

    Parameters
    ----------
    parameters : ObservationParameters

    """

    def __init__(self, parameters: ObservationParameters) -> None:
        self._sources = parameters.sources()
        self._far = parameters.field_of_view.far

    def begin(self, robots: int, landmarks: ArrayLike, draws: Draws) -> ObservationState:
        """
        Draw the initial state of all error sources.

        Parameters
        ----------
        robots : int
            Number of robots n.
        landmarks : array_like, shape (m, 2)
            x, y [m] in the map frame.
        draws : Draws
            Draws of the run.

        Raises
        ------
        InputError
            A landmark is not finite, the shape is wrong, or the number of robots is invalid.

        """
        robots = check_count('robots', robots)
        count = len(check_rows('landmarks', landmarks, 2))
        memories = {
            name: source.begin(robots, count, draws) for name, source in self._sources.items()
        }
        return ObservationState(0, robots, count, memories)

    def observe(
        self,
        state: ObservationState,
        poses: ArrayLike,
        landmarks: ArrayLike,
        dt: float,
        draws: Draws,
    ) -> Readings:
        """
        Sample one observation of all landmarks.

        Parameters
        ----------
        state : ObservationState
            State of `begin` or of the previous observation.
        poses : array_like, shape (n, 3)
            x [m], y [m], theta [rad] in the map frame at the time of the observation.
        landmarks : array_like, shape (m, 2)
            x, y [m] in the map frame.
        dt : float
            Time since the previous observation, or since the start [s].
        draws : Draws
            Draws of the run.

        Raises
        ------
        InputError
            A value is not finite, dt is not above 0 or too long, or the number of robots or
            landmarks has changed.

        """
        check_step(dt)
        poses = check_rows('poses', poses, 3, state.robots)
        landmarks = check_rows('landmarks', landmarks, 2, state.landmarks)
        state = self.advance(state, dt, draws)
        readings = np.full((len(poses), len(landmarks), 2), np.nan)
        labels = np.empty((len(landmarks), len(poses)), dtype=LABEL)
        for first in range(0, len(poses), BLOCK):
            robots = slice(first, first + BLOCK)
            memories = {name: each[:, robots] for name, each in state.memories.items()}
            sensors, own = SensorPoses.at(poses[robots]), draws.beginning_with(first)
            for number, place in enumerate(landmarks):
                detections = detect_exactly(
                    sensors, place, far=self._far, draws=own, step=state.step, landmark=number
                )
                for name, source in self._sources.items():
                    source.apply(detections, memories[name])
                readings[robots][detections.rows, number, 0] = detections.range
                readings[robots][detections.rows, number, 1] = wrap_angles(detections.bearing)
                labels[number, robots] = detections.labels
        return Readings(state, readings, labels.T)

    def advance(self, state: ObservationState, dt: float, draws: Draws) -> ObservationState:
        """Advance the state of all sources by dt [s], as an observation that nobody reads."""
        step = state.step + 1
        memories = {
            name: source.advance(state.memories[name], step, dt, draws)
            for name, source in self._sources.items()
        }
        return state._replace(step=step, memories=memories)
