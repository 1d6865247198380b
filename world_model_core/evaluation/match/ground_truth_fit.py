# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Fit of kick times, friction and camera biases to a recording of commanded kicks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import least_squares

from world_model_core.evaluation.match.ground_truth import TrueBall
from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.evaluation.match.ground_truth import CommandedKick
    from world_model_core.evaluation.match.replay import ReplayedMatch
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.ball_constants import BallParameters
    from world_model_core.match.ball.contact_segmentation import Stretch
    from world_model_core.match.ball.detection_chains import Indices

# Latest first detection after the command [ns]; simulators took 26 to 33 ms.
LATEST_NS = 300_000_000
# Time after the first landing for which a chip is fitted [s]; later its spin dominates.
AFTER_LANDING = 1.0
# Noise of vision [m]; this many detections further off than AWAY [m] are off the model.
NOISE, AWAY, AWAY_DETECTIONS = 0.0014, 0.05, 5
# Approximate number of detections used for each kick.
DETECTIONS = 100

# Shared by all kicks, with limits: slide and roll [m/s^2], switch ratio, loss at later bounces;
# and the error of camera positions [m], which was up to 0.1 in simulators.
SHARED = (
    ('slide_acceleration', -10.0, -0.5),
    ('roll_acceleration', -2.0, -0.01),
    ('switch_ratio', 0.3, 0.95),
    ('damping_xy_other_hops', 0.3, 1.0),
)
CAMERA_OFF = 0.4
# For each kick: delay [s], and velocity kept at the first bounce.
LATE = (0.0, LATEST_NS / NANOSECONDS_PER_SECOND)
OWN = (('damping_xy_first_hop', 0.2, 1.0), ('damping_z', 0.05, 0.95))
LARGEST_OFFSET = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """Detections of one kick: seconds since the command, positions, camera indices."""

    kick: CommandedKick
    indices: Indices
    seconds: Array
    places: Array
    cameras: Indices


def fit_truth(
    replayed: ReplayedMatch, stretches: Sequence[Stretch], kicks: Sequence[CommandedKick]
) -> tuple[TrueBall, ...]:
    """
    Estimate when each kick happened and for how long its ball followed the model.

    Kicks that the recording does not show are left out.
    """
    numbers = np.unique(replayed.detections.cameras)
    followings = [kick.sent_ns for kick in kicks[1:]] + [np.iinfo(np.int64).max]
    seen = [
        _seen(replayed, stretches, kick, following, numbers)
        for kick, following in zip(kicks, followings, strict=True)
    ]
    found = [each for each in seen if each is not None]
    return _Fit(replayed, found, numbers).truth() if found else ()


def _seen(
    replayed: ReplayedMatch,
    stretches: Sequence[Stretch],
    kick: CommandedKick,
    following_ns: int,
    numbers: Indices,
) -> _Seen | None:
    """Collect the detections of one kick; those of a chip include its bounces."""
    after = [s for s in stretches if kick.sent_ns < s.start_ns < following_ns]
    if not after or after[0].start_ns > kick.sent_ns + LATEST_NS:
        return None
    flight = -2.0 * kick.velocity[2] / replayed.parameters.gravity
    last_ns = after[0].end_ns
    if kick.chipped:
        last_ns = kick.sent_ns + to_nanoseconds(flight + AFTER_LANDING)
    indices = np.concatenate([stretch.indices for stretch in after])
    indices = indices[replayed.detections.stamps_ns[indices] <= last_ns]
    return _Seen(
        kick,
        indices,
        (replayed.detections.stamps_ns[indices] - kick.sent_ns) / NANOSECONDS_PER_SECOND,
        replayed.detections.places[indices],
        np.searchsorted(numbers, replayed.detections.cameras[indices]),
    )


class _Fit:
    """One least-squares fit of all kicks of a recording."""

    def __init__(self, replayed: ReplayedMatch, seen: Sequence[_Seen], numbers: Indices) -> None:
        self._stamps = replayed.detections.stamps_ns
        self._base = replayed.parameters
        self._seen = seen
        self._count = len(numbers)
        calibrated = replayed.geometry.cameras if replayed.geometry else ()
        places = {camera.camera_id: camera.position for camera in calibrated}
        # A camera of unknown position is placed far up, so that nothing is projected.
        self._cameras = np.array([places.get(int(n)) or (0.0, 0.0, 1e6) for n in numbers])
        self._vector = self._solve()

    def truth(self) -> tuple[TrueBall, ...]:
        """Return each ball's path, until it leaves the fitted model."""
        return tuple(self._true_ball(row, seen) for row, seen in enumerate(self._seen))

    def _solve(self) -> Array:
        low, high = self._limits()
        start = np.concatenate(
            [
                [getattr(self._base, name) for name, _, _ in SHARED],
                np.zeros(3 + 2 * (self._count - 1)),
                [0.03, *(getattr(self._base, name) for name, _, _ in OWN)] * len(self._seen),
            ]
        )
        start = start.clip(low + 1e-6, high - 1e-6)
        found: Array = least_squares(
            self._residuals, start, bounds=(low, high), loss='soft_l1', x_scale=0.01
        ).x
        return found

    def _limits(self) -> tuple[Array, Array]:
        cameras = [(-CAMERA_OFF, CAMERA_OFF)] * 3
        offsets = [(-LARGEST_OFFSET, LARGEST_OFFSET)] * (2 * (self._count - 1))
        own = [LATE, *((low, high) for _, low, high in OWN)] * len(self._seen)
        shared = [(low, high) for _, low, high in SHARED]
        low, high = np.array([*shared, *cameras, *offsets, *own]).T
        return low, high

    def _residuals(self, vector: Array) -> Array:
        # An odd step alternates between two cameras.
        rows = [
            self._off(vector, row)[:: len(seen.indices) // DETECTIONS | 1]
            for row, seen in enumerate(self._seen)
        ]
        # A weak prior keeps unobservable parameters at their initial values.
        return np.concatenate([np.concatenate(rows).ravel() / NOISE, 1e-3 * vector])

    def _off(self, vector: Array, row: int) -> Array:
        """Return the residuals of one kick, shape (n, 2) [m]."""
        seen = self._seen[row]
        delay, parameters = self._model(vector, row)
        trajectory = seen.kick.trajectory(parameters)
        places = trajectory.at(np.maximum(seen.seconds - delay, 0.0))[0]
        shift = vector[len(SHARED) : len(SHARED) + 3]
        eyes = (self._cameras + shift)[seen.cameras]
        scale = eyes[:, 2] / (eyes[:, 2] - places[:, 2])
        shown = eyes[:, :2] + (places - eyes)[:, :2] * scale[:, None]
        off: Array = seen.places - self._offsets(vector)[seen.cameras] - shown
        return off

    def _model(self, vector: Array, row: int) -> tuple[float, BallParameters]:
        own = vector[len(vector) - 3 * (len(self._seen) - row) :][:3]
        changes = dict(zip((name for name, _, _ in SHARED), vector.tolist(), strict=False))
        changes |= dict(zip((name for name, _, _ in OWN), own[1:].tolist(), strict=True))
        return float(own[0]), replace(self._base, **changes)

    def _offsets(self, vector: Array) -> Array:
        """Return the offset of each camera, shape (cameras, 2) [m]; their mean is zero."""
        first = len(SHARED) + 3
        free = vector[first : first + 2 * (self._count - 1)].reshape(-1, 2)
        return np.concatenate([free, -free.sum(axis=0, keepdims=True)])

    def _true_ball(self, row: int, seen: _Seen) -> TrueBall:
        off = np.hypot(*self._off(self._vector, row).T)
        delay, parameters = self._model(self._vector, row)
        end = _last_on_model(off)
        return TrueBall(
            kick=seen.kick,
            kick_ns=seen.kick.sent_ns + to_nanoseconds(delay),
            start_ns=int(self._stamps[seen.indices[0]]),
            end_ns=int(self._stamps[seen.indices[end]]),
            parameters=parameters,
            rms=float(np.sqrt((off[: end + 1] ** 2).mean() / 2.0)),
        )


def _last_on_model(off: Array) -> int:
    """Return the last detection before a run of detections off the model."""
    away = np.convolve(off > AWAY, np.ones(AWAY_DETECTIONS), mode='valid') == AWAY_DETECTIONS
    return max(int(away.argmax()) - 1, 0) if away.any() else len(off) - 1
