# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Objects that compete for detections: all that is kept of them is assigned again, together.

A frame alone cannot tell whether a detection halfway between two chairs shows the one or the
other, nor whether one chair was seen or two. Many frames can: expectation maximisation alternates
between the probabilities of all assignments, frame by frame, and positions and classes by these
probabilities. Each detection is weighed by what the others say (leave one out), so that an object
does not confirm itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial.distance import cdist

from world_model_core.objects.mapping.association import LOG_TWO_PI
from world_model_core.objects.mapping.marginals import Pairing, marginals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.mapping.classes import LabelModel
    from world_model_core.objects.mapping.marginals import Marginals
    from world_model_core.objects.mapping.window import Sightings

SWEEPS = 3
# No detection is more than this part of what its object is known by, so that what the others say
# is always something.
MOST_LEVERAGE = 0.95
# Of each detection, the nearest: bounds the work where objects stand like books on a shelf.
MOST_RIVALS = 16
# Of weights of pairs: beyond, one is as good as certain.
CERTAIN = 40.0
# Inverse variance that holds an object without detections in its place [1/m^2].
HOLD = 1e-3


@dataclass(frozen=True, slots=True)
class Rivals:
    """
    The objects of a neighbourhood, as they are before or after.

    Attributes
    ----------
    position, covariance : arrays, shapes (m, 3) and (m, 3, 3)
    settled_information, settled_vector : arrays, shapes (m, 3, 3) and (m, 3)
    settled_counts, counts : arrays, shape (m, labels)
        How often each had each label, in detections that are no longer kept, and in all.
    free : array of bool, shape (m,)
        What may change; the others only compete.

    """

    position: Array
    covariance: Array
    settled_information: Array
    settled_vector: Array
    settled_counts: Array
    counts: Array
    free: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Odds:
    """
    What is assumed of the detector.

    Attributes
    ----------
    detection : float
        Probability that an object in view is detected.
    clutter : float
        Density of detections that show nothing known [1/m^3].
    labels : LabelModel
    gate : float
        Squared Mahalanobis distance up to which a detection may show an object.

    """

    detection: float
    clutter: float
    labels: LabelModel
    gate: float

    @property
    def missed(self) -> float:
        """Logarithm of the probability that an object in view is not detected."""
        return float(np.log1p(-self.detection))

    @property
    def base(self) -> float:
        """Logarithm of what the density of a pair is multiplied by to compare it with none."""
        none = self.clutter * self.labels.chance
        return float(np.log(self.detection / none) - self.missed)


class Contest:
    """
    The detections of some objects, to be shared out among them.

    Parameters
    ----------
    rivals : Rivals
    sightings : Sightings
        Their labels are columns of `counts`.
    odds : Odds

    Attributes
    ----------
    pairing : Pairing
        Detections by row, objects by row of `rivals`.
    probability : array, shape (k,)
        Of each pair.

    """

    def __init__(self, rivals: Rivals, sightings: Sightings, odds: Odds) -> None:
        self.rivals = rivals
        self._sightings = sightings
        self._odds = odds
        self._log_information = np.linalg.slogdet(sightings.information)[1]
        self.pairing = self._pair()
        self.probability = self._first_guess()
        self._weights = np.zeros(len(self.probability))
        self._absent = np.zeros(len(rivals.position), dtype=bool)
        self._marginals: Marginals | None = None

    def _pair(self) -> Pairing:
        """Pair detections with objects close enough."""
        sightings, rivals = self._sightings, self.rivals
        # No eigenvalue exceeds the norm, so that all pairs pass that are within the gate.
        spread = np.linalg.norm(np.linalg.inv(sightings.information), axis=(1, 2))[:, None]
        spread = spread + np.linalg.norm(rivals.covariance, axis=(1, 2))
        squared = cdist(sightings.positions, rivals.position, 'sqeuclidean')
        near = squared < self._odds.gate * spread
        if near.shape[1] > MOST_RIVALS:
            near &= squared <= np.partition(squared, MOST_RIVALS, axis=1)[:, MOST_RIVALS, None]
        # Sightings are in the order of their frames, so that this is the order of turns.
        objects, detections = np.nonzero(near.T)
        return Pairing(detections, objects, sightings.frames[detections])

    def _first_guess(self) -> Array:
        """Let each detection belong to the object that it is kept with."""
        own: NDArray[np.bool_] = (
            self._sightings.owners[self.pairing.detections] == self.pairing.objects
        )
        return own.astype(np.float64)

    def run(self, sweeps: int = SWEEPS) -> None:
        """Improve assignments, positions and classes in turn."""
        for _ in range(sweeps):
            self._weights = self._weigh()
            self._marginals = marginals(self.pairing, self._weights)
            self.probability = self._marginals.probability
            self._maximise()

    def _weigh(self) -> Array:
        """Compare each pair, judged by all other detections, with no pair."""
        detections, objects = self.pairing.detections, self.pairing.objects
        information = self._sightings.information[detections]
        offset = self._sightings.positions[detections] - self.rivals.position[objects]
        squared = np.einsum('ki,kij,kj->k', offset, information, offset)
        # How sure the object is in units of the detection, and what of that is the detection's.
        relative = np.einsum('kij,kji->k', information, self.rivals.covariance[objects]) / 3.0
        rest = 1.0 - np.minimum(self.probability * relative, MOST_LEVERAGE)
        spread = 1.0 + relative / rest
        distance = squared / (rest * rest * spread)
        density = 0.5 * (self._log_information[detections] - distance)
        density -= 1.5 * (np.log(spread) + LOG_TWO_PI)
        label = self._odds.labels.probability_by_others(
            self.rivals.counts,
            objects,
            self._sightings.labels[detections],
            self.probability,
        )
        logarithm = np.minimum(density + np.log(label) + self._odds.base, CERTAIN)
        out = (distance > self._odds.gate) | self._absent[objects]
        weights: Array = np.where(out, 0.0, np.exp(logarithm))
        return weights

    def _maximise(self) -> None:
        """Put free objects where their detections are, in place."""
        rivals, sightings = self.rivals, self._sightings
        m, free = len(rivals.position), rivals.free
        detections, objects = self.pairing.detections, self.pairing.objects
        weighted = self.probability[:, None, None] * sightings.information[detections]
        information = HOLD * np.eye(3) + rivals.settled_information
        information += self.pairing.by_object(weighted, m)
        pulled = np.einsum('kij,kj->ki', weighted, sightings.positions[detections])
        vector = HOLD * rivals.position + rivals.settled_vector
        vector += self.pairing.by_object(pulled, m)
        inverse = np.linalg.inv(information[free])
        rivals.position[free] = np.einsum('mij,mj->mi', inverse, vector[free])
        doubt = self._doubt()[free]
        spread = inverse + inverse @ doubt @ inverse
        rivals.covariance[free] = 0.5 * (spread + spread.swapaxes(1, 2))
        width = rivals.counts.shape[1]
        cells = objects * width + sightings.labels[detections]
        counted = np.bincount(cells, self.probability, m * width).reshape(m, width)
        rivals.counts[free] = (rivals.settled_counts + counted)[free]

    def _doubt(self) -> Array:
        """
        Find what of the information is missing because nobody knows which detection was whose.

        It is the variance, over the assignments, of the score of each object's position (Louis,
        Finding the observed information matrix when using the EM algorithm, Journal of the Royal
        Statistical Society B 44(2), 1982), shape (m, 3, 3).
        """
        detections, objects = self.pairing.detections, self.pairing.objects
        offset = self._sightings.positions[detections] - self.rivals.position[objects]
        score = np.einsum('kij,kj->ki', self._sightings.information[detections], offset)
        weighted = self.probability[:, None] * score
        mean = self.pairing.by_turn(weighted)
        m = len(self.rivals.position)
        second = self.pairing.by_object(weighted[:, :, None] * score[:, None, :], m)
        explained = self.pairing.turns_by_object(mean[:, :, None] * mean[:, None, :], m)
        doubt: Array = second - explained
        return doubt

    def reality(self, looks: NDArray[np.int64]) -> Array:
        """
        Compare the frames with each object, given the others, with those without it.

        Parameters
        ----------
        looks : array of int, shape (m,)
            Frames that would have shown each.

        Returns
        -------
        array, shape (m,)
            Log-odds that it is real.

        """
        if self._marginals is None:
            raise RuntimeError('run the contest before asking what came of it')
        evidence, m = self._marginals.evidence, len(looks)
        gained = self.pairing.turns_by_object(evidence, m)
        shown = self.pairing.turns_by_object((evidence > 1e-9).astype(np.float64), m)
        odds: Array = gained + np.maximum(looks, shown) * self._odds.missed
        return odds

    def dismiss(self, row: int) -> None:
        """Go on without one of the objects."""
        self._absent[row] = True

    @property
    def logarithms(self) -> Array:
        """Of how much likelier each pair alone is than none, shape (k,)."""
        logarithms: Array = np.log(np.maximum(self._weights, 1e-300))
        return logarithms

    @property
    def hits(self) -> Array:
        """How many detections are believed to show each object, shape (m,)."""
        count = len(self.rivals.position)
        return np.bincount(self.pairing.objects, self.probability, count).astype(np.float64)

    def owners(self) -> NDArray[np.intp]:
        """Name the likeliest object of each detection by its row; -1 where there is none."""
        detections, objects = self.pairing.detections, self.pairing.objects
        best: NDArray[np.intp] = np.full(len(self._sightings.frames), -1, dtype=np.intp)
        possible = np.flatnonzero(self.probability > 1e-6)
        order = possible[np.argsort(self.probability[possible], kind='stable')]
        best[detections[order]] = objects[order]
        return best
