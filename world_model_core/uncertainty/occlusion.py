# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Occlusion: partly hidden landmarks look smaller, and are therefore measured too far away."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.parameters import check_parameters, quantity
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.landmark_detections import SensorErrorSource

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.landmark_detections import LandmarkDetections
    from world_model_core.uncertainty.random_draws import Draws

__all__ = ['LastingOcclusion', 'Occlusion', 'push']


@dataclass(frozen=True, slots=True)
class Occlusion(SensorErrorSource):
    """
    Replaces a range l by a draw from U(l, far) with a probability, independently in each reading.

    The lecture's model (section 4.3.5); far is the end of the field of view. The order of the
    error sources decides what l is: the measured range in the lecture, the true one in LNPR. A
    range beyond far is unchanged, as the interval is empty, and so is one under lasting occlusion.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    # LNPR's default is no occlusion; the lecture's figure has 0.5.
    probability: float = quantity(0.0, '', 0.0, 1.0, 'of a reading')

    def __post_init__(self) -> None:
        """Validate the probability."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Return an instance without occlusion."""
        return cls(probability=0.0)

    def is_on(self) -> bool:
        """Return whether any reading can be occluded."""
        return self.probability > 0.0

    def apply(self, detections: LandmarkDetections, memory: Array) -> None:
        """Increase the ranges of occluded landmarks."""
        del memory
        drawn = detections.uniform('occlusion')
        hidden = (drawn < self.probability) & ~detections.has(ErrorCause.LASTING_OCCLUSION)
        hidden &= detections.range < detections.far
        # Given that a draw is below the probability, their quotient is uniform again.
        push(detections, hidden, drawn[hidden] / self.probability)
        detections.mark_where(hidden, ErrorCause.OCCLUSION)


@dataclass(frozen=True, slots=True)
class LastingOcclusion(SensorErrorSource):
    """
    Hides each landmark from each robot for random periods.

    Hidden and clear periods have exponential durations, as those of stuck robots: a Markov chain
    of two states, stationary from the beginning, so that a landmark is hidden with probability
    `share` at any time. Each hidden period draws a fraction u ~ U(0, 1), and during it the range
    is l + u (far - l): as the lecture describes real occlusion, a large bias that lasts for
    seconds. The chain is exact for any time between readings, also if a landmark is clear and
    hidden again in between.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    share: float = quantity(0.0, '', 0.0, 0.999, 'of the time that landmarks are hidden')
    mean_duration: float = quantity(3.0, 's', 1e-6, 1e9, 'mean duration of a hidden period')

    def __post_init__(self) -> None:
        """Validate the share and the duration."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Return an instance without occlusion."""
        return cls(share=0.0)

    def is_on(self) -> bool:
        """Return whether any landmark can be hidden."""
        return self.share > 0.0

    def begin(self, robots: int, landmarks: int, draws: Draws) -> Array:
        """Draw the fractions u of hidden landmarks, shape (m, n); NaN where clear."""
        source, indices = 'lasting occlusion begins', range(landmarks)
        drawn = draws.uniform(source, 0, indices, robots).T
        fractions = draws.uniform(f'{source}/part', 0, indices, robots).T
        return np.where(drawn < self.share, fractions, np.nan)

    def advance(self, memory: Array, step: int, dt: float, draws: Draws) -> Array:
        """Advance the hidden and clear periods by `dt` [s]."""
        source, indices = 'lasting occlusion', range(memory.shape[0])
        drawn = draws.uniform(source, step, indices, memory.shape[1]).T
        fractions = draws.uniform(f'{source}/part', step, indices, memory.shape[1]).T
        was_hidden = ~np.isnan(memory)
        is_hidden = drawn < np.where(was_hidden, *self.hidden_after(dt))
        # The same hidden period may continue, or a new one may have begun in between.
        stays = was_hidden & (drawn < math.exp(-dt / self.mean_duration))
        return np.where(stays, memory, np.where(is_hidden, fractions, np.nan))

    def hidden_after(self, dt: float) -> tuple[float, float]:
        """
        Return the probability of being hidden `dt` [s] after being hidden, and after being clear.

        With the rates a of hiding and b of clearing, the chain forgets its state as
        exp(-(a + b) dt); a / (a + b) is `share`.
        """
        kept = math.exp(-dt / (self.mean_duration * (1.0 - self.share)))
        return self.share + (1.0 - self.share) * kept, self.share * (1.0 - kept)

    def apply(self, detections: LandmarkDetections, memory: Array) -> None:
        """Increase the ranges of hidden landmarks."""
        fractions = memory[detections.landmark, detections.rows]
        hidden = ~np.isnan(fractions) & (detections.range < detections.far)
        push(detections, hidden, fractions[hidden])
        detections.mark_where(hidden, ErrorCause.LASTING_OCCLUSION)


def push(detections: LandmarkDetections, hidden: NDArray[np.bool_], fractions: Array) -> None:
    """Increase hidden ranges by fractions of their distance to the end of the field of view."""
    detections.range[hidden] += fractions * (detections.far - detections.range[hidden])
