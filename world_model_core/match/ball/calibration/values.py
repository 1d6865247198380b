# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What calibration takes in, one kick at a time, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from world_model_core.time import to_nanoseconds, to_seconds

if TYPE_CHECKING:
    from collections.abc import Mapping

Array = NDArray[np.float64]
Cameras = NDArray[np.intp]

# The constants that can be calibrated, by their names in BallParameters.
STRAIGHT = ('slide_acceleration', 'roll_acceleration', 'switch_ratio')
CHIP = ('damping_xy_first_hop', 'damping_xy_other_hops', 'damping_z')
CONSTANTS = (*STRAIGHT, *CHIP)


class KickKind(Enum):
    """How a ball moved, as the better fit has it."""

    STRAIGHT = 'straight'
    CHIP = 'chip'


@dataclass(frozen=True, eq=False)
class KickSights:
    """
    How one freely moving ball was seen, from its launch to whatever ended it.

    Parameters
    ----------
    start_ns : int
        Of the first sight [ns, vision's clock].
    times : array, shape (n,)
        Seconds since the first sight, not falling.
    places : array, shape (n, 2)
        Where the rays through the ball meet the carpet, field frame [m].
    cameras : array, shape (n,)
        Number of the camera of each sight.
    origins : array, shape (n, 3)
        Where that camera is, field frame [m]; NaN where its calibration is not known.
    clearances : array, shape (n,)
        Distance from the nearest robot's centre that the same frame shows [m]; inf without any.
    launch_window : float or None
        How long before the first sight the launch may have been [s]: there was a frame then that
        did not see the ball on its way. None: it was under way before.

    """

    start_ns: int
    times: Array
    places: Array
    cameras: Cameras
    origins: Array
    clearances: Array
    launch_window: float | None = None

    def __len__(self) -> int:
        """Count the sights."""
        return len(self.times)

    @property
    def launch_time(self) -> float:
        """When the ball was launched, seconds since the first sight: amid its window."""
        return -0.5 * (self.launch_window or 0.0)

    @property
    def cameras_by_use(self) -> Cameras:
        """The cameras, those with most sights first."""
        numbers, counts = np.unique(self.cameras, return_counts=True)
        return numbers[np.argsort(-counts, kind='stable')]

    def select(self, chosen: NDArray[np.bool_]) -> KickSights:
        """Keep the chosen sights; times go on from what was the first one."""
        return replace(
            self,
            times=self.times[chosen],
            places=self.places[chosen],
            cameras=self.cameras[chosen],
            origins=self.origins[chosen],
            clearances=self.clearances[chosen],
        )

    def between(self, start: float, end: float) -> KickSights:
        """Keep what was seen from `start` to `end` [s]; later than the launch, it is not known."""
        kept = self.select((self.times >= start) & (self.times <= end))
        if not len(kept) or kept.times[0] <= 0.0:
            return kept
        first = float(kept.times[0])
        return replace(
            kept,
            start_ns=self.start_ns + to_nanoseconds(first),
            times=kept.times - first,
            launch_window=None,
        )

    def joined(self, following: KickSights) -> KickSights:
        """Go on with what was seen of the same ball later."""
        shift = to_seconds(following.start_ns - self.start_ns)
        return replace(
            self,
            times=np.concatenate((self.times, following.times + shift)),
            places=np.concatenate((self.places, following.places)),
            cameras=np.concatenate((self.cameras, following.cameras)),
            origins=np.concatenate((self.origins, following.origins)),
            clearances=np.concatenate((self.clearances, following.clearances)),
        )


class Measure(NamedTuple):
    """What one kick tells of a constant: its value and its standard error."""

    value: float
    error: float


@dataclass(frozen=True, eq=False)
class KickFit:
    """
    One kick and the ball's law fitted to it.

    Parameters
    ----------
    sights : KickSights
        Those that were used.
    kind : KickKind
    fitted : array, shape (n, 2)
        Where the law has the sights [m].
    speed : float
        Along the carpet, at the launch or, where that is not known, at the first sight [m/s].
    measures : mapping
        From the names of the constants that this kick tells.
    reason : str
        Why the kick is not used; empty if it is.

    """

    sights: KickSights
    kind: KickKind
    fitted: Array
    speed: float
    measures: Mapping[str, Measure] = field(default_factory=dict)
    reason: str = ''

    @property
    def residuals(self) -> Array:
        """Seen less fitted, shape (n, 2) [m]."""
        return self.sights.places - self.fitted

    @property
    def rmse(self) -> float:
        """Root mean square of the distances between seen and fitted [m]."""
        return float(np.sqrt(np.mean(np.sum(self.residuals**2, axis=1))))

    @property
    def r_squared(self) -> float:
        """
        Part of the deviation from uniform motion that the law explains, at most 1.

        Of the places themselves any law explains all but a millionth: uniform motion along a
        straight line, fitted to the same sights, is what it must be better than.
        """
        times = np.vander(self.sights.times, 2)
        uniform, *_ = np.linalg.lstsq(times, self.sights.places, rcond=None)
        deviation = float(np.sum((self.sights.places - times @ uniform) ** 2))
        return 1.0 - float(np.sum(self.residuals**2)) / deviation if deviation > 0.0 else 0.0


class Estimate(NamedTuple):
    """A constant with its interval, in which it lies with 95 %, from so many kicks."""

    value: float
    low: float
    high: float
    kicks: int


@dataclass(frozen=True, eq=False)
class Calibration:
    """
    What recordings tell of a ball's constants.

    Parameters
    ----------
    estimates : mapping
        Constants that can be told, by name.
    untold : mapping
        The reason for each constant that cannot.
    kicks : tuple of KickFit
        In order of time, refused ones too.

    """

    estimates: Mapping[str, Estimate]
    untold: Mapping[str, str]
    kicks: tuple[KickFit, ...]
