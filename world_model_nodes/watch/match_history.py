# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The history of a match, and the errors of its predictions of the ball."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.ball.occlusion import ROBOT_RADIUS
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.estimate import BallState, Kick
    from world_model_core.match.robots.robot_table import Robots
    from world_model_core.match.ssl.robot_id import RobotId

# Prediction times at which predicted and observed positions are compared [s].
HORIZONS = (0.25, 0.5)
# Ten minutes of balls at 150 Hz, a typical rate of trackers; older balls are dropped.
LIMIT = 90_000
# Balls further apart in time are not interpolated [s].
LONGEST_GAP = 0.1
# A ball that is earlier than the last one by more than this is a jump back in time [ns].
JUMP_NS = NANOSECONDS_PER_SECOND
# Distance between the stored positions of a robot [m].
TRACK_STEP = 0.02
# A robot may touch a ball at this distance from its center: the ball's radius, 21.5 mm, and a
# margin for the motion of both between two frames [m].
TOUCH = ROBOT_RADIUS + 0.07
# Predictions of slower balls are not evaluated [m/s].
MOVING = 0.1

OBSERVED_SOURCES = (BallSource.TRACKER, BallSource.VISION)


@dataclass(frozen=True, slots=True, eq=False)
class BallPath:
    """
    All estimates of the ball, in the field frame.

    Attributes
    ----------
    stamps_ns : array, shape (n,)
        [ns].
    positions, velocities : array, shape (n, 3)
        [m, m/s].
    observed : array, shape (n,)
        Whether the estimate comes from vision or a tracker, and is not extrapolated.
    free : array, shape (n,)
        Whether no robot was near enough to touch the ball.

    """

    stamps_ns: NDArray[np.int64]
    positions: Array
    velocities: Array
    observed: NDArray[np.bool_]
    free: NDArray[np.bool_]

    def __len__(self) -> int:
        """Return the number of estimates."""
        return len(self.stamps_ns)

    @property
    def speeds(self) -> Array:
        """Speeds (n,) [m/s]."""
        speeds: Array = np.linalg.norm(self.velocities, axis=1)
        return speeds

    @property
    def continuous(self) -> NDArray[np.bool_]:
        """Whether each estimate after the first one follows without a gap, (n - 1,)."""
        continuous: NDArray[np.bool_] = (
            np.diff(self.stamps_ns) <= LONGEST_GAP * NANOSECONDS_PER_SECOND
        )
        return continuous

    def positions_at(self, stamps_ns: NDArray[np.int64]) -> Array:
        """
        Return the observed positions of the ball, interpolated at any times.

        Parameters
        ----------
        stamps_ns : array, shape (m,)
            [ns]

        Returns
        -------
        array, shape (m, 2)
            [m]; NaN outside the path, in its gaps, and where the ball was not observed.

        """
        positions = np.full((len(stamps_ns), 2), np.nan)
        if len(self) < 2:
            return positions
        after = np.clip(np.searchsorted(self.stamps_ns, stamps_ns), 1, len(self) - 1)
        start, end = self.stamps_ns[after - 1], self.stamps_ns[after]
        known = (start <= stamps_ns) & (stamps_ns <= end)
        known &= self.continuous[after - 1] & self.observed[after - 1] & self.observed[after]
        fraction = ((stamps_ns - start) / np.maximum(end - start, 1))[:, None]
        between = (1.0 - fraction) * self.positions[after - 1, :2] + fraction * self.positions[
            after, :2
        ]
        positions[known] = between[known]
        return positions

    def moving_at(self, stamps_ns: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return whether the ball moved at each time [ns], (m,); False before the first ball."""
        index = np.searchsorted(self.stamps_ns, stamps_ns, side='right')
        moving: NDArray[np.bool_] = np.append(False, self.speeds >= MOVING)[index]
        return moving

    def free_between(
        self, starts_ns: NDArray[np.int64], ends_ns: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Return whether the ball was always free from each start to each end [ns], (m,)."""
        touched = np.concatenate([[0], np.cumsum(~self.free)])
        first = np.searchsorted(self.stamps_ns, starts_ns, side='left')
        last = np.searchsorted(self.stamps_ns, ends_ns, side='right')
        free: NDArray[np.bool_] = touched[first] == touched[last]
        return free


@dataclass(frozen=True, slots=True, eq=False)
class BallPredictionErrors:
    """
    Horizontal errors of predictions of a moving ball.

    Attributes
    ----------
    stamps_ns : array, shape (n,)
        Times of the predictions [ns].
    distances : array, shape (n,)
        Distances between predicted and observed positions [m].
    disturbed : array, shape (n,)
        Whether a kick or a robot may have changed the motion of the ball after the prediction.

    """

    stamps_ns: NDArray[np.int64]
    distances: Array
    disturbed: NDArray[np.bool_]

    @property
    def median(self) -> float:
        """Median of the undisturbed errors [m]; NaN if there are none."""
        distances = self.distances[~self.disturbed]
        return float(np.median(distances)) if len(distances) else float('nan')


class MatchHistory:
    """
    Stores the states of a match; when time jumps back, as in a replay, it is cleared.

    Attributes
    ----------
    game, field : dict or None
        The latest documents, of game.schema.json and field.schema.json.
    robots : Robots or None
        The latest robots.
    kicks : dict of int to Kick
        The latest estimate of each kick by its number.
    tracks : dict of RobotId to list of (float, float)
        Past positions of each robot [m].

    """

    def __init__(self) -> None:
        self.game: dict[str, Any] | None = None
        self.field: dict[str, Any] | None = None
        self.robots: Robots | None = None
        self.kicks: dict[int, Kick] = {}
        self.tracks: dict[RobotId, list[tuple[float, float]]] = {}
        self._balls: deque[tuple[BallState, bool, bool]] = deque(maxlen=LIMIT)
        self._predicted: deque[tuple[int, Array]] = deque(maxlen=LIMIT)

    def add_ball(self, ball: BallState, source: BallSource) -> None:
        """Add an estimate of the ball and its source; a late estimate is dropped."""
        late_ns = self._balls[-1][0].stamp_ns - ball.stamp_ns if self._balls else 0
        if late_ns > JUMP_NS:
            self._clear()
        elif late_ns > 0:
            return
        self._balls.append((ball, source in OBSERVED_SOURCES, self._is_free(ball)))

    def add_robots(self, robots: Robots) -> None:
        """Add the positions of the robots."""
        self.robots = robots
        for name, (x, y, _) in zip(robots.ids, robots.poses.tolist(), strict=True):
            track = self.tracks.setdefault(name, [])
            if not track or math.dist(track[-1], (x, y)) >= TRACK_STEP:
                track.append((x, y))

    def add_kick(self, kick: Kick) -> None:
        """Add a kick, or replace its estimate."""
        self.kicks[kick.number] = kick

    def add_prediction(
        self, stamp_ns: int, times: Sequence[float], positions: Sequence[tuple[float, float]]
    ) -> None:
        """
        Add a predicted trajectory; after its last point the ball rests.

        Parameters
        ----------
        stamp_ns : int
            Time of the prediction [ns].
        times : sequence of float, n of them
            Times after `stamp_ns`, ascending [s].
        positions : sequence of (float, float), n of them
            Predicted positions [m].

        """
        if times:
            x, y = np.array(positions).T
            ahead = [np.interp(HORIZONS, times, values) for values in (x, y)]
            self._predicted.append((stamp_ns, np.stack(ahead, axis=1)))

    def path(self) -> BallPath:
        """Return all estimates of the ball."""
        states = [state for state, _, _ in self._balls]
        return BallPath(
            np.array([state.stamp_ns for state in states], dtype=np.int64),
            _stacked(state.position for state in states),
            _stacked(state.velocity for state in states),
            np.array([observed for _, observed, _ in self._balls], dtype=np.bool_),
            np.array([free for _, _, free in self._balls], dtype=np.bool_),
        )

    def errors(self, horizon: float) -> BallPredictionErrors:
        """
        Compare predicted with observed positions.

        Parameters
        ----------
        horizon : float
            One of `HORIZONS` [s].

        """
        path = self.path()
        made = np.array([stamp for stamp, _ in self._predicted], dtype=np.int64)
        predicted = [positions[HORIZONS.index(horizon)] for _, positions in self._predicted]
        then = made + int(horizon * NANOSECONDS_PER_SECOND)
        offsets = path.positions_at(then) - np.array(predicted).reshape(-1, 2)
        distances = np.hypot(*offsets.T)
        kept = np.isfinite(distances) & path.moving_at(made)
        disturbed = ~path.free_between(made, then) | self._kicked_between(made, then)
        return BallPredictionErrors(made[kept], distances[kept], disturbed[kept])

    def _is_free(self, ball: BallState) -> bool:
        robots = self.robots
        return robots is None or not (robots.distances_to(ball.position) < TOUCH).any()

    def _kicked_between(
        self, starts_ns: NDArray[np.int64], ends_ns: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        kicked = np.zeros(len(starts_ns), dtype=np.bool_)
        for kick in self.kicks.values():
            kicked |= (starts_ns < kick.stamp_ns) & (kick.stamp_ns <= ends_ns)
        return kicked

    def _clear(self) -> None:
        for stored in (self._balls, self._predicted, self.tracks, self.kicks):
            stored.clear()


def _stacked(vectors: Iterable[Array]) -> Array:
    """Stack n vectors of three elements into an array (n, 3); n may be 0."""
    return np.array(list(vectors), dtype=np.float64).reshape(-1, 3)
