# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The observation model p(z | x) as a density, with the probability of no reading at all."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.angles import wrap_angles
from world_model_core.uncertainty.clutter_density import ClutterDensity
from world_model_core.uncertainty.error_quadrature import place_errors
from world_model_core.uncertainty.input_checks import InputError, check_rows
from world_model_core.uncertainty.quadrature import (
    log_normal,
    log_probability,
    log_sum,
)
from world_model_core.uncertainty.range_bearing import (
    check_readings,
    observe_exactly,
    place_landmarks,
)
from world_model_core.uncertainty.range_density import Offset, RangeDensity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.error_quadrature import ErrorNodes
    from world_model_core.uncertainty.observation_parameters import ObservationParameters

__all__ = ['ObservationDensity', 'ReadingGeometry']

# Numbers in one array, so that it does not grow beyond some ten megabytes.
CELLS = 1_000_000
# Nodes along a ray, or across, and those over what is hidden, as they are in most sensors.
ALONG, HIDDEN = 150, 40


class ObservationDensity:
    """
    log p(z | x) of the distributions that `Observation` draws from.

    Each reading has a mixed law: with some probability there is none, and else it has a density
    over range and bearing [1/(m rad)], a mixture of the landmark as it is, hidden, and taken to be
    somewhere else. Where readings are NaN the methods give the log probability that there is none.

    Parameters
    ----------
    parameters : ObservationParameters

    Raises
    ------
    ConfigurationError
        Without noise of ranges, or of bearings, there is no density.

    """

    def __init__(self, parameters: ObservationParameters) -> None:
        parameters.noise.check_density()
        self._parameters = parameters
        self._ranges = RangeDensity(parameters)
        self._clutter_density = ClutterDensity(parameters, self._ranges)
        self._clutter = parameters.clutter

    def given_bias(
        self,
        readings: ArrayLike,
        poses: ArrayLike,
        landmarks: ArrayLike,
        bias: ArrayLike | None = None,
        drift: ArrayLike | None = None,
    ) -> Array:
        """
        Evaluate the exact mixed distribution of each reading, of sensors whose errors are known.

        Given these, readings are independent: the law of the list is the sum over landmarks.

        Parameters
        ----------
        readings : array_like, shape (n, m, 2) or (1, m, 2)
            Range [m] and bearing [rad] of each landmark; NaN without a reading.
        poses : array_like, shape (n, 3)
            x [m], y [m], theta [rad] in the map frame.
        landmarks : array_like, shape (m, 2)
            x, y [m] in the map frame.
        bias, drift : array_like, shape (n, 2) or (1, 2), optional
            Of each sensor: part of ranges and angle [rad]; length [m] and angle [rad]. None is 0.

        Returns
        -------
        array, shape (n, m)

        Raises
        ------
        InputError
            Arrays do not fit each other, or a pose, a landmark or a bias is not finite.

        """
        offset = _known_offset(bias, drift)
        laws = [
            self._log_law(scene, Offset(*(values[rows] for values in offset)))[..., 0, 0]
            for rows, scene in self._scenes(readings, poses, landmarks, offset)
        ]
        return np.concatenate(laws)

    def bias_integrated_out(
        self, readings: ArrayLike, poses: ArrayLike, landmarks: ArrayLike
    ) -> Array:
        """
        Evaluate the distribution of each reading alone, of a sensor of which nothing is known.

        The laws of several readings must not be added up: they share the bias. See `joint`.

        Parameters
        ----------
        readings, poses, landmarks : array_like
            As in `given_bias`.

        Returns
        -------
        array, shape (n, m)

        Raises
        ------
        InputError
            As in `given_bias`, or noise is so small beside bias and drift that integrals over
            them would take minutes.

        """
        return self._integrate(readings, poses, landmarks, together=False)

    def joint(self, readings: ArrayLike, poses: ArrayLike, landmarks: ArrayLike) -> Array:
        """
        Evaluate the law of the whole list of readings, of sensors of which nothing is known.

        The bias that the readings share, and the drift, are integrated out, to six deviations.

        Parameters
        ----------
        readings, poses, landmarks : array_like
            As in `given_bias`.

        Returns
        -------
        array, shape (n,)

        Raises
        ------
        InputError
            As in `given_bias`, or noise is so small beside bias and drift that integrals over
            them would take minutes.

        """
        return self._integrate(readings, poses, landmarks, together=True)

    def _integrate(
        self, readings: ArrayLike, poses: ArrayLike, landmarks: ArrayLike, *, together: bool
    ) -> Array:
        """
        Add up the distributions over all values of bias and drift.

        Without clutter, ranges and bearings are independent, and are integrated apart.
        """
        places = check_rows('landmarks', landmarks, 2)
        count = max(len(places), 1)
        nodes = place_errors(self._parameters, count, self._cost(), together=together)
        cells = self._cost() + (len(nodes.angle.places) if self._clutter.is_on() else 0)
        size = max(1, CELLS // (cells * count))
        offset, _ = next(nodes.blocks(size))
        scenes = self._scenes(readings, poses, places, offset)
        laws = [self._add_up(scene, nodes, size, together) for _, scene in scenes]
        return np.concatenate(laws)

    def _add_up(
        self, scene: ReadingGeometry, nodes: ErrorNodes, size: int, together: bool
    ) -> Array:
        """Add up the distributions over angles, and over so many parts and lengths at once."""
        laws, turned = [], nodes.angle.log_weights
        for offset, weights in nodes.blocks(size):
            if self._clutter.is_on():
                both = weights[:, None] + turned
                laws.append(_add_up(self._log_law(scene, offset), both, together))
            else:
                laws.append(_add_up(self._log_range(scene, offset), weights, together))
        total: Array = np.logaddexp.reduce(laws)
        if not self._clutter.is_on():
            total += _add_up(self._log_bearing(scene, offset), turned, together)
        return total

    def _log_law(self, scene: ReadingGeometry, offset: Offset) -> Array:
        """Evaluate the mixture of each reading, shape (n, m, k, a)."""
        along, across = self._log_range(scene, offset), self._log_bearing(scene, offset)
        real = along[..., :, None] + across[..., None, :]
        if not self._clutter.is_on():
            return real
        with np.errstate(over='ignore'):
            false = self._clutter_density.log_density(scene.readings, scene.poses, offset)
        false += math.log(self._clutter.probability) + self._log_noticed()
        either = np.logaddexp(log_probability(1.0 - self._clutter.probability) + real, false)
        return np.where(scene.missing[..., None, None], scene.log_none[..., None, None], either)

    def _log_range(self, scene: ReadingGeometry, offset: Offset) -> Array:
        """
        Evaluate the law of the range of a landmark that is where it is, and of no reading.

        Of each part and length, shape (n, m, k).
        """
        seen = log_probability(scene.faced) + self._log_noticed()
        distances = scene.exact[..., :1]
        with np.errstate(over='ignore'):
            law = self._ranges.log_density(scene.readings[..., :1], distances, offset)
        return np.where(scene.missing[..., None], scene.log_none[..., None], seen[..., None] + law)

    def _log_bearing(self, scene: ReadingGeometry, offset: Offset) -> Array:
        """Evaluate the distribution of its bearing for each angle, shape (n, m, a)."""
        turned = wrap_angles(scene.readings[..., 1:] - scene.exact[..., 1:] - offset.angle)
        law = log_normal(turned, self._parameters.noise.bearing_std)
        return np.where(scene.missing[..., None], 0.0, law)

    def _log_noticed(self) -> Array:
        """Return the log probability that what is in view is read."""
        return log_probability(1.0 - self._parameters.missed_detection.probability)

    def _log_none(self, distances: Array, faced: Array, poses: Array) -> Array:
        """Return the log probability of no reading."""
        visible = faced * self._ranges.visible(distances)
        if self._clutter.is_on():
            false = self._clutter.probability
            visible = (1.0 - false) * visible + false * self._clutter_density.visible(poses)
        noticed = 1.0 - self._parameters.missed_detection.probability
        return log_probability(np.maximum(1.0 - noticed * visible, 0.0))

    def _cost(self) -> int:
        """Return how many numbers are needed for one reading and one bias."""
        hidden = HIDDEN if self._ranges.hidden > 0.0 else 1
        return hidden * (ALONG if self._clutter.is_on() else 1)

    def _scenes(
        self, readings: ArrayLike, poses: ArrayLike, landmarks: ArrayLike, offset: Offset
    ) -> Iterator[tuple[slice, ReadingGeometry]]:
        """Cut the poses into chunks that fit into memory, at least one."""
        poses, landmarks = check_rows('poses', poses, 3), check_rows('landmarks', landmarks, 2)
        readings = check_readings(readings, len(poses), len(landmarks), shared=True)
        sensors = len(offset.part)
        if sensors not in {1, len(poses)}:
            raise InputError(f'bias is of {sensors} sensors; it must be of 1 or {len(poses)}')
        size = self._chunk(offset, len(landmarks), own=max(len(readings), sensors) > 1)
        for first in range(0, max(len(poses), 1), size):
            rows = slice(first, first + size)
            exact = observe_exactly(poses[rows], landmarks)
            ahead, _ = place_landmarks(poses[rows], landmarks)
            faced = self._parameters.field_of_view.faces(ahead, exact[..., 0]).astype(np.float64)
            read = readings if len(readings) == 1 else readings[rows]
            missing: NDArray[np.bool_] = np.asarray(np.isnan(read).any(axis=-1))
            places = poses[rows, None]
            yield (
                rows if sensors > 1 else slice(None),
                ReadingGeometry(
                    np.where(missing[..., None], 0.0, read),
                    missing,
                    exact,
                    faced,
                    places,
                    self._log_none(exact[..., 0], faced, places),
                ),
            )

    def _chunk(self, offset: Offset, landmarks: int, *, own: bool) -> int:
        """Return how many poses are evaluated at once; all may share readings and errors."""
        biases, angles = offset.part.shape[-1], offset.angle.shape[-1]
        cells: int = biases * self._cost() + angles
        if self._clutter.is_on():
            shared = (biases + angles + ALONG) * ALONG + biases * angles
            cells = max(cells, shared) if own else shared
        return max(1, CELLS // (cells * max(landmarks, 1)))


class ReadingGeometry(NamedTuple):
    """
    Poses, landmarks and readings, as far as no bias comes in.

    `readings` (n or 1, m, 2), 0 where `missing` (n or 1, m); `exact` (n, m, 2), what would be read
    without errors; `faced` (n, m), 1 within the angle of view, else 0; `poses` (n, 1, 3);
    `log_none` (n, m), the log probability of no reading.
    """

    readings: Array
    missing: NDArray[np.bool_]
    exact: Array
    faced: Array
    poses: Array
    log_none: Array


def _add_up(law: Array, log_weights: Array, together: bool) -> Array:
    """Add up a law (n, m, ...) over values of the errors, of the list (n,) or each (n, m)."""
    terms = (law.sum(axis=1) if together else law) + log_weights
    lead = terms.ndim - log_weights.ndim
    return log_sum(terms, axis=tuple(range(lead, terms.ndim)))


def _known_offset(bias: ArrayLike | None, drift: ArrayLike | None) -> Offset:
    """Join bias and drift, shape (n or 1, 1, 1) each."""
    bias = np.zeros((1, 2)) if bias is None else check_rows('bias', bias, 2)
    drift = np.zeros((1, 2)) if drift is None else check_rows('drift', drift, 2)
    if 1 not in {len(bias), len(drift)} and len(bias) != len(drift):
        raise InputError(f'drift is of {len(drift)} sensors; it must be of 1 or {len(bias)}')
    part, length, angle = np.broadcast_arrays(
        bias[:, None, :1], drift[:, None, :1], bias[:, None, 1:] + drift[:, None, 1:]
    )
    return Offset(part, length, angle)
