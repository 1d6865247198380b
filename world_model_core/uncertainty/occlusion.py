# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Landmarks partly hidden, so that they look smaller and hence farther away."""

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
    With a probability, and anew in each reading, the range becomes U(l, far).

    The lecture's law (section 4.3.5); far is the end of the view. Which l that is depends on the
    order of the sources: the measured range in the lecture, the true one in LNPR. A range beyond
    far stays as it is, for the interval is empty; so does one that something hides anyway.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    # LNPR hides nothing unless told to; the lecture's figure has 0.5.
    probability: float = quantity(0.0, '', 0.0, 1.0, 'of a reading')

    def __post_init__(self) -> None:
        """Validate the probability."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Return an instance without occlusion."""
        return cls(probability=0.0)

    def is_on(self) -> bool:
        """Return whether anything is hidden."""
        return self.probability > 0.0

    def apply(self, detections: LandmarkDetections, memory: Array) -> None:
        """Push some ranges away."""
        del memory
        luck = detections.uniform('occlusion')
        hidden = (luck < self.probability) & ~detections.has(ErrorCause.LASTING_OCCLUSION)
        hidden &= detections.range < detections.far
        # Below the probability, what is left of the luck is uniform again.
        push(detections, hidden, luck[hidden] / self.probability)
        detections.mark_where(hidden, ErrorCause.OCCLUSION)


@dataclass(frozen=True, slots=True)
class LastingOcclusion(SensorErrorSource):
    """
    Each landmark is hidden from each robot for a while, again and again.

    Hidden and clear times are exponential, as those of being stuck: a Markov chain of two states,
    stationary from the beginning, so that a reading is hidden with probability `share` at any
    time. Each time that something hides a landmark a part u ~ U(0, 1) is drawn, and as long as it
    does so the range is l + u (far - l): what the lecture says of real occlusion, a great bias
    that goes on for seconds. It is exact for any time between readings, also where a landmark was
    clear, and hidden anew, in between.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    share: float = quantity(0.0, '', 0.0, 0.999, 'of the time that landmarks are hidden')
    mean_duration: float = quantity(3.0, 's', 1e-6, 1e9, 'how long, on average')

    def __post_init__(self) -> None:
        """Validate the share and the duration."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Return an instance without occlusion."""
        return cls(share=0.0)

    def is_on(self) -> bool:
        """Return whether anything is hidden."""
        return self.share > 0.0

    def begin(self, robots: int, landmarks: int, draws: Draws) -> Array:
        """Draw what part is added while hidden, shape (m, n); NaN where clear."""
        source, indices = 'lasting occlusion begins', range(landmarks)
        luck = draws.uniform(source, 0, indices, robots).T
        parts = draws.uniform(f'{source}/part', 0, indices, robots).T
        return np.where(luck < self.share, parts, np.nan)

    def advance(self, memory: Array, step: int, dt: float, draws: Draws) -> Array:
        """Let landmarks be hidden and come out again for `dt` [s]."""
        source, indices = 'lasting occlusion', range(memory.shape[0])
        luck = draws.uniform(source, step, indices, memory.shape[1]).T
        parts = draws.uniform(f'{source}/part', step, indices, memory.shape[1]).T
        was_hidden = ~np.isnan(memory)
        is_hidden = luck < np.where(was_hidden, *self.hidden_after(dt))
        # The same thing may hide it all the time, or another one that came in between.
        stays = was_hidden & (luck < math.exp(-dt / self.mean_duration))
        return np.where(stays, memory, np.where(is_hidden, parts, np.nan))

    def hidden_after(self, dt: float) -> tuple[float, float]:
        """
        Tell how likely a landmark is hidden `dt` [s] after it was hidden, and after it was clear.

        With rates a of hiding and b of coming out, the chain forgets its state as
        exp(-(a + b) dt); a / (a + b) is `share`.
        """
        kept = math.exp(-dt / (self.mean_duration * (1.0 - self.share)))
        return self.share + (1.0 - self.share) * kept, self.share * (1.0 - kept)

    def apply(self, detections: LandmarkDetections, memory: Array) -> None:
        """Push away the ranges of what is hidden."""
        parts = memory[detections.landmark, detections.rows]
        hidden = ~np.isnan(parts) & (detections.range < detections.far)
        push(detections, hidden, parts[hidden])
        detections.mark_where(hidden, ErrorCause.LASTING_OCCLUSION)


def push(detections: LandmarkDetections, hidden: NDArray[np.bool_], parts: Array) -> None:
    """Push some ranges by parts of what they are short of the end of the view."""
    detections.range[hidden] += parts * (detections.far - detections.range[hidden])
