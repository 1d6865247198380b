# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Landmarks of a virtual world, and sensors that measure range and bearing of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.uncertainty.observation_model import Observation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.observation_parameters import ObservationParameters
    from world_model_core.uncertainty.random_draws import Draws
    from world_model_core.virtual_world.engine.engine import Engine

__all__ = ['LandmarkSensor', 'Landmarks', 'fixed_landmarks', 'landmarks_at']

# Fixed entities that are longer or wider are no landmarks: floors, and walls of a whole room [m].
LARGEST = 3.0


class Landmarks(NamedTuple):
    """
    Landmarks by their numbers.

    Attributes
    ----------
    names : tuple of str
        Of the entities; empty of what is none.
    places : array, shape (m, 2)
        x, y [m] in the frame `world`.
    radii : array, shape (m,)
        What is nearer to a place than this is part of the landmark [m].

    """

    names: tuple[str, ...]
    places: Array
    radii: Array


def fixed_landmarks(engine: Engine) -> Landmarks:
    """
    Return the entities that are fixed to the world as landmarks, in their order.

    The place of a landmark is the center of the box around the entity.
    """
    names = [each.name for each in engine.world.entities if not each.movable]
    corners = np.array([engine.bounds(name) for name in names]).reshape(-1, 2, 3)[:, :, :2]
    sizes = corners[:, 1] - corners[:, 0]
    small = (sizes > 0.0).any(axis=1) & (sizes <= LARGEST).all(axis=1)
    return Landmarks(
        tuple(name for name, is_small in zip(names, small.tolist(), strict=True) if is_small),
        corners.mean(axis=1)[small],
        0.5 * np.linalg.norm(sizes, axis=1)[small],
    )


def landmarks_at(engine: Engine, places: Array) -> Landmarks:
    """Return landmarks at places (m, 2); in a fixed entity, they are part of it."""
    fixed = fixed_landmarks(engine)
    apart = np.linalg.norm(places[:, None] - fixed.places, axis=2)
    within = apart <= fixed.radii
    names = [
        next((name for name, is_in in zip(fixed.names, row, strict=True) if is_in), '')
        for row in within.tolist()
    ]
    reached = np.where(within, apart + fixed.radii, 0.0)
    return Landmarks(tuple(names), places, reached.max(axis=1, initial=0.0))


class LandmarkSensor:
    """
    Measures range and bearing of landmarks, with the errors of `uncertainty`'s observation model.

    Parameters
    ----------
    parameters : ObservationParameters
    places : array, shape (m, 2)
        x, y of the landmarks [m] in the frame `world`.
    draws : Draws

    """

    def __init__(self, parameters: ObservationParameters, places: Array, draws: Draws) -> None:
        self._model, self._places, self._draws = Observation(parameters), places, draws
        self._state = self._model.begin(1, places, draws)

    def wait(self, dt: float, step: int) -> None:
        """
        Let time pass, as a measurement that nobody reads.

        Parameters
        ----------
        dt : float
            Time since the last call, or since the start [s].
        step : int
            Number of the measurement, of which its errors are drawn.

        """
        state = self._state._replace(step=step)
        self._state = self._model.advance(state, dt, self._draws)

    def measure(self, pose: Array, hidden: NDArray[np.bool_], dt: float, step: int) -> Array:
        """
        Measure the landmarks.

        Parameters
        ----------
        pose : array, shape (3,)
            True x, y [m], theta [rad] of the sensor in the frame `world`.
        hidden : array of bool, shape (m,)
            Which landmarks something else stands before.
        dt : float
            Time since the last call, or since the start [s].
        step : int
            Number of the measurement, of which its errors are drawn.

        Returns
        -------
        array, shape (m, 2)
            Range [m] and bearing [rad]; NaN without a reading.

        """
        state = self._state._replace(step=step)
        self._state, readings, _ = self._model.observe(
            state, pose[None], self._places, dt, self._draws
        )
        seen: Array = np.where(hidden[:, None], np.nan, readings[0])
        return seen
