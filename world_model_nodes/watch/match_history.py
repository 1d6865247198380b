# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What was seen of a match, and what had been predicted of it: gathered, then compared."""

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
    from world_model_core.match.ssl.values import RobotId

# How far ahead predictions are held against what happened [s].
HORIZONS = (0.25, 0.5)
# Ten minutes of balls at 150 Hz, the rate of a good tracker; a longer match forgets its start.
LIMIT = 90_000
# Between two balls further apart in time nobody knows where the ball was [s].
LONGEST_GAP = 0.1
# A ball earlier than the one before by more than this is of another time, not late.
JUMP_NS = NANOSECONDS_PER_SECOND
# A robot's track has a place for each such step [m].
TRACK_STEP = 0.02
# A ball this near to a robot's centre may be touched: the ball's radius, 21.5 mm, and some room
# for both to move from one frame to the next [m].
TOUCH = ROBOT_RADIUS + 0.07
# A ball at rest is no test of a prediction [m/s].
MOVING = 0.1

SEEN = (BallSource.TRACKER, BallSource.VISION)


@dataclass(frozen=True, slots=True, eq=False)
class BallPath:
    """
    The ball from its first to its last estimate, in the field frame.

    `stamps_ns` (n,) [ns], `positions` and `velocities` (n, 3) [m, m/s]; `seen` (n,) tells whether
    a camera or tracker saw the ball, or the estimate rests on something less; `free` (n,) whether
    no robot was near enough to touch it.
    """

    stamps_ns: NDArray[np.int64]
    positions: Array
    velocities: Array
    seen: NDArray[np.bool_]
    free: NDArray[np.bool_]

    def __len__(self) -> int:
        """Count the estimates."""
        return len(self.stamps_ns)

    @property
    def speeds(self) -> Array:
        """Speeds (n,) [m/s]."""
        speeds: Array = np.linalg.norm(self.velocities, axis=1)
        return speeds

    @property
    def joined(self) -> NDArray[np.bool_]:
        """Whether each estimate but the first follows closely on the one before, (n - 1,)."""
        joined: NDArray[np.bool_] = np.diff(self.stamps_ns) <= LONGEST_GAP * NANOSECONDS_PER_SECOND
        return joined

    def places_at(self, stamps_ns: NDArray[np.int64]) -> Array:
        """
        Find where the ball was seen at any instants.

        Parameters
        ----------
        stamps_ns : array, shape (m,)
            [ns]

        Returns
        -------
        array, shape (m, 2)
            [m]; NaN outside of the path, in its gaps, and where the ball was not seen.

        """
        places = np.full((len(stamps_ns), 2), np.nan)
        if len(self) < 2:
            return places
        after = np.clip(np.searchsorted(self.stamps_ns, stamps_ns), 1, len(self) - 1)
        start, end = self.stamps_ns[after - 1], self.stamps_ns[after]
        known = (start <= stamps_ns) & (stamps_ns <= end)
        known &= self.joined[after - 1] & self.seen[after - 1] & self.seen[after]
        part = ((stamps_ns - start) / np.maximum(end - start, 1))[:, None]
        between = (1.0 - part) * self.positions[after - 1, :2] + part * self.positions[after, :2]
        places[known] = between[known]
        return places

    def moving_at(self, stamps_ns: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell whether the ball moved at each instant [ns], (m,); False before the first ball."""
        index = np.searchsorted(self.stamps_ns, stamps_ns, side='right')
        moving: NDArray[np.bool_] = np.append(False, self.speeds >= MOVING)[index]
        return moving

    def free_between(
        self, starts_ns: NDArray[np.int64], ends_ns: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Tell whether the ball was free all the time from each start to each end [ns], (m,)."""
        touched = np.concatenate([[0], np.cumsum(~self.free)])
        first = np.searchsorted(self.stamps_ns, starts_ns, side='left')
        last = np.searchsorted(self.stamps_ns, ends_ns, side='right')
        free: NDArray[np.bool_] = touched[first] == touched[last]
        return free


@dataclass(frozen=True, slots=True, eq=False)
class PredictionErrors:
    """
    How far predictions of a moving ball were off, seen from above.

    `stamps_ns` (n,) is when each was made [ns], `distances` (n,) from where the ball then was [m].
    `disturbed` (n,) tells whether a kick or a robot, which nobody could foresee, came in between.
    """

    stamps_ns: NDArray[np.int64]
    distances: Array
    disturbed: NDArray[np.bool_]

    @property
    def median(self) -> float:
        """The median of those that no kick overtook [m]; NaN without any."""
        distances = self.distances[~self.disturbed]
        return float(np.median(distances)) if len(distances) else float('nan')


class MatchHistory:
    """
    Gathers a match as it goes by; when time jumps back, as in a replay, it begins anew.

    Attributes
    ----------
    game, field : dict or None
        The latest, as by game.schema.json and field.schema.json.
    robots : Robots or None
        The latest.
    kicks : dict of int to Kick
        The latest estimate of each kick by its number.
    tracks : dict of RobotId to list of (float, float)
        Where each robot has been [m].

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
        """Gather an estimate of the ball and what it rests on; one that comes late is dropped."""
        late_ns = self._balls[-1][0].stamp_ns - ball.stamp_ns if self._balls else 0
        if late_ns > JUMP_NS:
            self._begin_anew()
        elif late_ns > 0:
            return
        self._balls.append((ball, source in SEEN, self._is_free(ball)))

    def add_robots(self, robots: Robots) -> None:
        """Gather where the robots are."""
        self.robots = robots
        for name, (x, y, _) in zip(robots.ids, robots.poses.tolist(), strict=True):
            track = self.tracks.setdefault(name, [])
            if not track or math.dist(track[-1], (x, y)) >= TRACK_STEP:
                track.append((x, y))

    def add_kick(self, kick: Kick) -> None:
        """Gather a kick, or a better estimate of it."""
        self.kicks[kick.number] = kick

    def add_prediction(
        self, stamp_ns: int, times: Sequence[float], places: Sequence[tuple[float, float]]
    ) -> None:
        """
        Gather a predicted way; one that is shorter than a horizon ends where the ball rests.

        Parameters
        ----------
        stamp_ns : int
            When it was made [ns].
        times : sequence of float, n of them
            Seconds from then, ascending.
        places : sequence of (float, float), n of them
            [m]

        """
        if times:
            x, y = np.array(places).T
            ahead = [np.interp(HORIZONS, times, values) for values in (x, y)]
            self._predicted.append((stamp_ns, np.stack(ahead, axis=1)))

    def path(self) -> BallPath:
        """Line the balls up."""
        states = [state for state, _, _ in self._balls]
        return BallPath(
            np.array([state.stamp_ns for state in states], dtype=np.int64),
            _stacked(state.position for state in states),
            _stacked(state.velocity for state in states),
            np.array([seen for _, seen, _ in self._balls], dtype=np.bool_),
            np.array([free for _, _, free in self._balls], dtype=np.bool_),
        )

    def errors(self, horizon: float) -> PredictionErrors:
        """
        Hold what was predicted against what happened.

        Parameters
        ----------
        horizon : float
            One of `HORIZONS` [s].

        """
        path = self.path()
        made = np.array([stamp for stamp, _ in self._predicted], dtype=np.int64)
        predicted = [places[HORIZONS.index(horizon)] for _, places in self._predicted]
        then = made + int(horizon * NANOSECONDS_PER_SECOND)
        offsets = path.places_at(then) - np.array(predicted).reshape(-1, 2)
        distances = np.hypot(*offsets.T)
        kept = np.isfinite(distances) & path.moving_at(made)
        disturbed = ~path.free_between(made, then) | self._kicked_between(made, then)
        return PredictionErrors(made[kept], distances[kept], disturbed[kept])

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

    def _begin_anew(self) -> None:
        for gathered in (self._balls, self._predicted, self.tracks, self.kicks):
            gathered.clear()


def _stacked(vectors: Iterable[Array]) -> Array:
    """Stack vectors of three, also none of them, into (n, 3)."""
    return np.array(list(vectors), dtype=np.float64).reshape(-1, 3)
