# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Density of the observation model p(z | x), including the probability of no reading."""

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

# Numbers in one array, which limits its size to some ten megabytes.
CELLS = 1_000_000
# Typical numbers of nodes along or across a ray, and over the distances of hidden landmarks.
ALONG, HIDDEN = 150, 40


class ObservationDensity:
    """
    log p(z | x) of the distributions from which `Observation` draws.

    Each reading has a mixed distribution: a probability of no reading, and otherwise a density
    over range and bearing [1/(m rad)], which is a mixture of a visible landmark, a hidden one and
    clutter. Where readings are NaN the methods return the log probability of no reading.

    Parameters
    ----------
    parameters : ObservationParameters

    Raises
    ------
    ConfigurationError
        There is no noise of ranges or of bearings, so that there is no density.

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
        Evaluate the exact mixed distribution of each reading, given the errors of the sensors.

        Given these errors, readings are independent: their joint log density is the sum over
        landmarks.

        Parameters
        ----------
        readings : array_like, shape (n, m, 2) or (1, m, 2)
            Range [m] and bearing [rad] of each landmark; NaN without a reading.
        poses : array_like, shape (n, 3)
            x [m], y [m], theta [rad] in the map frame.
        landmarks : array_like, shape (m, 2)
            x, y [m] in the map frame.
        bias, drift : array_like, shape (n, 2) or (1, 2), optional
            Errors of each sensor. Bias: fraction of ranges, angle [rad]; drift: length [m],
            angle [rad]. None stands for 0.

        Returns
        -------
        array, shape (n, m)

        Raises
        ------
        InputError
            Shapes do not match, or a pose, a landmark or a bias is not finite.

        """
        offset = _known_offset(bias, drift)
        densities = [
            self._log_mixture(scene, Offset(*(values[rows] for values in offset)))[..., 0, 0]
            for rows, scene in self._scenes(readings, poses, landmarks, offset)
        ]
        return np.concatenate(densities)

    def bias_integrated_out(
        self, readings: ArrayLike, poses: ArrayLike, landmarks: ArrayLike
    ) -> Array:
        """
        Evaluate the distribution of each reading alone, for a sensor with unknown errors.

        The log densities of several readings must not be added, as they share the bias: see
        `joint`.

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
            As in `given_bias`, or noise is so small compared with bias and drift that integrals
            over them would take minutes.

        """
        return self._integrate(readings, poses, landmarks, together=False)

    def joint(self, readings: ArrayLike, poses: ArrayLike, landmarks: ArrayLike) -> Array:
        """
        Evaluate the joint distribution of all readings, for sensors with unknown errors.

        The bias and drift that the readings share are integrated out, to six standard deviations.

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
            As in `given_bias`, or noise is so small compared with bias and drift that integrals
            over them would take minutes.

        """
        return self._integrate(readings, poses, landmarks, together=True)

    def _integrate(
        self, readings: ArrayLike, poses: ArrayLike, landmarks: ArrayLike, *, together: bool
    ) -> Array:
        """
        Integrate the distributions over bias and drift.

        Without clutter, ranges and bearings are independent and are integrated separately.
        """
        places = check_rows('landmarks', landmarks, 2)
        count = max(len(places), 1)
        nodes = place_errors(self._parameters, count, self._cost(), together=together)
        cells = self._cost() + (len(nodes.angle.places) if self._clutter.is_on() else 0)
        size = max(1, CELLS // (cells * count))
        offset, _ = next(nodes.blocks(size))
        scenes = self._scenes(readings, poses, places, offset)
        densities = [self._add_up(scene, nodes, size, together) for _, scene in scenes]
        return np.concatenate(densities)

    def _add_up(
        self, scene: ReadingGeometry, nodes: ErrorNodes, size: int, together: bool
    ) -> Array:
        """Integrate over angles, and over `size` pairs of part and length at a time."""
        terms, turned = [], nodes.angle.log_weights
        for offset, weights in nodes.blocks(size):
            if self._clutter.is_on():
                both = weights[:, None] + turned
                terms.append(_add_up(self._log_mixture(scene, offset), both, together))
            else:
                terms.append(_add_up(self._log_range(scene, offset), weights, together))
        total: Array = np.logaddexp.reduce(terms)
        if not self._clutter.is_on():
            total += _add_up(self._log_bearing(scene, offset), turned, together)
        return total

    def _log_mixture(self, scene: ReadingGeometry, offset: Offset) -> Array:
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
        Evaluate the density of the range of the true landmark, or the probability of no reading.

        For each part and length, shape (n, m, k).
        """
        seen = log_probability(scene.faced) + self._log_noticed()
        distances = scene.exact[..., :1]
        with np.errstate(over='ignore'):
            log = self._ranges.log_density(scene.readings[..., :1], distances, offset)
        return np.where(scene.missing[..., None], scene.log_none[..., None], seen[..., None] + log)

    def _log_bearing(self, scene: ReadingGeometry, offset: Offset) -> Array:
        """Evaluate the density of the bearing for each angle, shape (n, m, a)."""
        turned = wrap_angles(scene.readings[..., 1:] - scene.exact[..., 1:] - offset.angle)
        log = log_normal(turned, self._parameters.noise.bearing_std)
        return np.where(scene.missing[..., None], 0.0, log)

    def _log_noticed(self) -> Array:
        """Return the log probability that a landmark in view is detected."""
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
        """Return the number of values that one reading and one bias need."""
        hidden = HIDDEN if self._ranges.hidden > 0.0 else 1
        return hidden * (ALONG if self._clutter.is_on() else 1)

    def _scenes(
        self, readings: ArrayLike, poses: ArrayLike, landmarks: ArrayLike, offset: Offset
    ) -> Iterator[tuple[slice, ReadingGeometry]]:
        """Split the poses into chunks that fit into memory, at least one."""
        poses, landmarks = check_rows('poses', poses, 3), check_rows('landmarks', landmarks, 2)
        readings = check_readings(readings, len(poses), len(landmarks), shared=True)
        sensors = len(offset.part)
        if sensors not in {1, len(poses)}:
            raise InputError(f'bias has {sensors} sensors; it must have 1 or {len(poses)}')
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
        """Return the number of poses of a chunk; all may share readings and errors."""
        biases, angles = offset.part.shape[-1], offset.angle.shape[-1]
        cells: int = biases * self._cost() + angles
        if self._clutter.is_on():
            shared = (biases + angles + ALONG) * ALONG + biases * angles
            cells = max(cells, shared) if own else shared
        return max(1, CELLS // (cells * max(landmarks, 1)))


class ReadingGeometry(NamedTuple):
    """
    Quantities of poses, landmarks and readings that do not depend on the bias.

    `readings` (n or 1, m, 2), 0 where `missing` (n or 1, m); `exact` (n, m, 2), the readings
    without errors; `faced` (n, m), 1 within the angle of view, else 0; `poses` (n, 1, 3);
    `log_none` (n, m), the log probability of no reading.
    """

    readings: Array
    missing: NDArray[np.bool_]
    exact: Array
    faced: Array
    poses: Array
    log_none: Array


def _add_up(log: Array, log_weights: Array, together: bool) -> Array:
    """Sum densities (n, m, ...) over the errors: for all readings (n,) or for each (n, m)."""
    terms = (log.sum(axis=1) if together else log) + log_weights
    lead = terms.ndim - log_weights.ndim
    return log_sum(terms, axis=tuple(range(lead, terms.ndim)))


def _known_offset(bias: ArrayLike | None, drift: ArrayLike | None) -> Offset:
    """Join bias and drift, shape (n or 1, 1, 1) each."""
    bias = np.zeros((1, 2)) if bias is None else check_rows('bias', bias, 2)
    drift = np.zeros((1, 2)) if drift is None else check_rows('drift', drift, 2)
    if 1 not in {len(bias), len(drift)} and len(bias) != len(drift):
        raise InputError(f'drift has {len(drift)} sensors; it must have 1 or {len(bias)}')
    part, length, angle = np.broadcast_arrays(
        bias[:, None, :1], drift[:, None, :1], bias[:, None, 1:] + drift[:, None, 1:]
    )
    return Offset(part, length, angle)
