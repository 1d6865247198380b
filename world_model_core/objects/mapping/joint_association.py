# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Joint association of all kept detections of objects that compete for them.

One frame cannot decide whether a detection halfway between two chairs shows the one or the other,
nor whether there are one or two chairs. Many frames can: expectation maximization alternates
between the marginal probabilities of all assignments of each frame, and positions and classes
given these probabilities. Each detection is compared with an estimate from the other detections
(leave one out), so that an object does not confirm itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial.distance import cdist

from world_model_core.objects.mapping.association import LOG_TWO_PI
from world_model_core.objects.mapping.association_marginals import (
    CandidatePairs,
    association_marginals,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.mapping.association_marginals import AssociationMarginals
    from world_model_core.objects.mapping.detection_window import WindowMeasurements
    from world_model_core.objects.mapping.label_model import LabelModel

SWEEPS = 3
# Largest share of an object's information that one detection may have, so that the others always
# contribute.
MAX_LEVERAGE = 0.95
# Candidate objects of each detection: the nearest, to bound the time in dense places.
MAX_PAIRS = 16
# Upper limit of the log-weight of a pair, which is then practically certain.
MAX_LOG_WEIGHT = 40.0
# Information that keeps an object without detections in its place [1/m^2].
MIN_INFORMATION = 1e-3


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """
    Objects that compete for detections: their state before or after joint association.

    Attributes
    ----------
    position, covariance : arrays, shapes (m, 3) and (m, 3, 3)
    prior_information, prior_vector : arrays, shapes (m, 3, 3) and (m, 3)
        Of the detections that left the window.
    prior_counts, counts : arrays, shape (m, labels)
        Number of detections with each label: those that left the window, and all.
    free : array of bool, shape (m,)
        Which objects may change; the others only compete.

    """

    position: Array
    covariance: Array
    prior_information: Array
    prior_vector: Array
    prior_counts: Array
    counts: Array
    free: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class AssociationModel:
    """
    Detector model of the association.

    Attributes
    ----------
    detection : float
        Probability that an object in view is detected.
    clutter : float
        Density of detections that show no known object [1/m^3].
    labels : LabelModel
    gate : float
        Squared Mahalanobis distance up to which a detection may show an object.

    """

    detection: float
    clutter: float
    labels: LabelModel
    gate: float

    @property
    def log_missed(self) -> float:
        """Log-probability that an object in view is not detected."""
        return float(np.log1p(-self.detection))

    @property
    def base(self) -> float:
        """Logarithm of the factor from the density of a pair to its likelihood ratio."""
        none = self.clutter * self.labels.chance
        return float(np.log(self.detection / none) - self.log_missed)


class JointAssociation:
    """
    Expectation maximization over the assignments of detections to objects.

    Parameters
    ----------
    ambiguity : Ambiguity
        Updated in place.
    measurements : WindowMeasurements
        Their labels are columns of `counts`.
    association_model : AssociationModel

    Attributes
    ----------
    pairs : CandidatePairs
        Detections by row, objects by row of `ambiguity`.
    probability : array, shape (k,)
        Association probability of each pair.

    """

    def __init__(
        self,
        ambiguity: Ambiguity,
        measurements: WindowMeasurements,
        association_model: AssociationModel,
    ) -> None:
        self.ambiguity = ambiguity
        self._measurements = measurements
        self._model = association_model
        self._log_information = np.linalg.slogdet(measurements.information)[1]
        self.pairs = self._find_pairs()
        self.probability = self._first_guess()
        self._weights = np.zeros(len(self.probability))
        self._absent = np.zeros(len(ambiguity.position), dtype=bool)
        self._marginals: AssociationMarginals | None = None

    def _find_pairs(self) -> CandidatePairs:
        """Return the pairs of detections and objects within the gate."""
        measurements, ambiguity = self._measurements, self.ambiguity
        # No eigenvalue exceeds the norm, so that all pairs within the gate pass.
        spread = np.linalg.norm(np.linalg.inv(measurements.information), axis=(1, 2))[:, None]
        spread = spread + np.linalg.norm(ambiguity.covariance, axis=(1, 2))
        squared = cdist(measurements.positions, ambiguity.position, 'sqeuclidean')
        near = squared < self._model.gate * spread
        if near.shape[1] > MAX_PAIRS:
            near &= squared <= np.partition(squared, MAX_PAIRS, axis=1)[:, MAX_PAIRS, None]
        # Measurements are sorted by frame, and so are the groups.
        objects, detections = np.nonzero(near.T)
        return CandidatePairs(detections, objects, measurements.frames[detections])

    def _first_guess(self) -> Array:
        """Initialize each detection with the object that it is kept with."""
        own: NDArray[np.bool_] = (
            self._measurements.owners[self.pairs.detections] == self.pairs.objects
        )
        return own.astype(np.float64)

    def run(self, sweeps: int = SWEEPS) -> None:
        """Update associations, positions and classes in turn."""
        for _ in range(sweeps):
            self._weights = self._weigh()
            self._marginals = association_marginals(self.pairs, self._weights)
            self.probability = self._marginals.probability
            self._maximize()

    def _weigh(self) -> Array:
        """Compute the likelihood ratio of each pair, leaving out its own detection."""
        detections, objects = self.pairs.detections, self.pairs.objects
        information = self._measurements.information[detections]
        offset = self._measurements.positions[detections] - self.ambiguity.position[objects]
        squared = np.einsum('ki,kij,kj->k', offset, information, offset)
        # Uncertainty of the object relative to the detection, and the share of the detection in
        # it.
        relative = np.einsum('kij,kji->k', information, self.ambiguity.covariance[objects]) / 3.0
        rest = 1.0 - np.minimum(self.probability * relative, MAX_LEVERAGE)
        spread = 1.0 + relative / rest
        distance = squared / (rest * rest * spread)
        density = 0.5 * (self._log_information[detections] - distance)
        density -= 1.5 * (np.log(spread) + LOG_TWO_PI)
        label = self._model.labels.probability_by_others(
            self.ambiguity.counts,
            objects,
            self._measurements.labels[detections],
            self.probability,
        )
        logarithm = np.minimum(density + np.log(label) + self._model.base, MAX_LOG_WEIGHT)
        out = (distance > self._model.gate) | self._absent[objects]
        weights: Array = np.where(out, 0.0, np.exp(logarithm))
        return weights

    def _maximize(self) -> None:
        """Update positions, covariances and label counts of the free objects, in place."""
        ambiguity, measurements = self.ambiguity, self._measurements
        m, free = len(ambiguity.position), ambiguity.free
        detections, objects = self.pairs.detections, self.pairs.objects
        weighted = self.probability[:, None, None] * measurements.information[detections]
        information = MIN_INFORMATION * np.eye(3) + ambiguity.prior_information
        information += self.pairs.by_object(weighted, m)
        pulled = np.einsum('kij,kj->ki', weighted, measurements.positions[detections])
        vector = MIN_INFORMATION * ambiguity.position + ambiguity.prior_vector
        vector += self.pairs.by_object(pulled, m)
        inverse = np.linalg.inv(information[free])
        ambiguity.position[free] = np.einsum('mij,mj->mi', inverse, vector[free])
        missing = self._missing_information()[free]
        spread = inverse + inverse @ missing @ inverse
        ambiguity.covariance[free] = 0.5 * (spread + spread.swapaxes(1, 2))
        width = ambiguity.counts.shape[1]
        cells = objects * width + measurements.labels[detections]
        counted = np.bincount(cells, self.probability, m * width).reshape(m, width)
        ambiguity.counts[free] = (ambiguity.prior_counts + counted)[free]

    def _missing_information(self) -> Array:
        """
        Return the information that is missing because the association is uncertain.

        It is the variance, over the assignments, of the score of each object's position (Louis,
        Finding the observed information matrix when using the EM algorithm, Journal of the Royal
        Statistical Society B 44(2), 1982), shape (m, 3, 3).
        """
        detections, objects = self.pairs.detections, self.pairs.objects
        offset = self._measurements.positions[detections] - self.ambiguity.position[objects]
        score = np.einsum('kij,kj->ki', self._measurements.information[detections], offset)
        weighted = self.probability[:, None] * score
        mean = self.pairs.by_group(weighted)
        m = len(self.ambiguity.position)
        second = self.pairs.by_object(weighted[:, :, None] * score[:, None, :], m)
        explained = self.pairs.groups_by_object(mean[:, :, None] * mean[:, None, :], m)
        missing: Array = second - explained
        return missing

    def existence(self, in_view: NDArray[np.int64]) -> Array:
        """
        Return the log-odds that each object exists, given the other objects.

        Parameters
        ----------
        in_view : array of int, shape (m,)
            Number of frames that had each object in view.

        Returns
        -------
        array, shape (m,)
            Log-odds of existence.

        Raises
        ------
        RuntimeError
            If `run` was not called before.

        """
        if self._marginals is None:
            raise RuntimeError('call run() before existence()')
        evidence, m = self._marginals.evidence, len(in_view)
        gained = self.pairs.groups_by_object(evidence, m)
        shown = self.pairs.groups_by_object((evidence > 1e-9).astype(np.float64), m)
        odds: Array = gained + np.maximum(in_view, shown) * self._model.log_missed
        return odds

    def reject(self, row: int) -> None:
        """Exclude one of the objects from the association."""
        self._absent[row] = True

    @property
    def logarithms(self) -> Array:
        """Log-weights of the pairs, shape (k,)."""
        logarithms: Array = np.log(np.maximum(self._weights, 1e-300))
        return logarithms

    @property
    def hits(self) -> Array:
        """Expected number of detections of each object, shape (m,)."""
        count = len(self.ambiguity.position)
        return np.bincount(self.pairs.objects, self.probability, count).astype(np.float64)

    def owners(self) -> NDArray[np.intp]:
        """Return the row of the most likely object of each detection; -1 for none."""
        detections, objects = self.pairs.detections, self.pairs.objects
        best: NDArray[np.intp] = np.full(len(self._measurements.frames), -1, dtype=np.intp)
        possible = np.flatnonzero(self.probability > 1e-6)
        order = possible[np.argsort(self.probability[possible], kind='stable')]
        best[detections[order]] = objects[order]
        return best
