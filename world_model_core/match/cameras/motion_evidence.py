# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Compares possible exposure times of a frame by the motion of everything that the camera detects.

A wrong time shifts all robots and the ball of a frame along their paths at once; a kick moves the
ball alone.
"""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.match.ssl.robot_id import Team
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from world_model_core.gaussian import Array
    from world_model_core.match.ssl.vision_values import DetectionFrame

Place = tuple[float, float]  # x, y [m]

# Frames through which the path of an object is fitted, and the longest time that they span [ns].
FRAMES, LONGEST_NS = 7, NANOSECONDS_PER_SECOND // 4
# Least speed of objects that are compared [m/s], and the number of the fastest ones used.
SLOWEST, MOST_OBJECTS = 0.5, 6
BALL = -1
# Prior standard deviation of a coordinate [m], and the degrees of freedom that it is worth.
PLACE_STD, PLACE_DEGREES = 0.001, 4.0
DEGREES = PLACE_DEGREES + 2.0 * (FRAMES - 3)
# Log density of the position of an object that was kicked, or confused with another one: one in
# twenty, within a circle of 0.05 m.
OUTLIER = math.log(0.05 / (math.pi * 0.05**2))


class _Frame(NamedTuple):
    """Objects of a frame, and its time by the clock of the camera and by its stamp [ns]."""

    objects: Mapping[int, Place]
    clock_ns: int
    capture_ns: int


class MotionEvidence:
    """The paths of all objects in the last frames of a camera, by its clock and by its stamps."""

    def __init__(self) -> None:
        self._frames: deque[_Frame] = deque(maxlen=FRAMES)

    def clear(self) -> None:
        """Forget all frames."""
        self._frames.clear()

    @property
    def ball(self) -> Place | None:
        """Last position of the ball [m]."""
        return self._frames[-1].objects.get(BALL) if self._frames else None

    def add(self, objects: Mapping[int, Place], clock_ns: int, capture_ns: int) -> None:
        """Add the next frame: its objects and its times by the clock and by the stamp [ns]."""
        last = self._frames[-1] if self._frames else None
        if last and (clock_ns <= last.clock_ns or capture_ns <= last.capture_ns):
            self.clear()
        self._frames.append(_Frame(objects, clock_ns, capture_ns))

    def log_likelihoods(
        self, objects: Mapping[int, Place], clock_times_ns: Sequence[int], capture_ns: int
    ) -> tuple[list[float], float] | None:
        """
        Return the log likelihoods of the times of the next frame.

        The path of each object is a parabola through its last positions, with unknown noise: the
        predicted position has a t distribution (Gelman et al., Bayesian Data Analysis, 2013,
        section 14.2), which is wide for an object whose path is not smooth. Clock and stamp are
        each judged by the paths at their own times, because a path that was fitted at wrong times
        would confirm them. The errors of objects in one frame may be common: n objects count as
        the square root of n.

        Parameters
        ----------
        objects : mapping
            Objects of the frame, see `find_objects`.
        clock_times_ns : sequence of int
            Possible times by the clock [ns].
        capture_ns : int
            The stamp [ns].

        Returns
        -------
        tuple or None
            Of each time by the clock, and of the stamp; None if no known object moves.

        """
        names = self._moving(objects)
        if not names:
            return None
        paths = np.array([[frame.objects[name] for name in names] for frame in self._frames])
        measured = np.array([objects[name] for name in names]) - paths[0]
        paths -= paths[0]
        by_clock = _Paths([frame.clock_ns for frame in self._frames], paths)
        by_stamps = _Paths([frame.capture_ns for frame in self._frames], paths)
        return (
            [by_clock.log_density(time_ns, measured) for time_ns in clock_times_ns],
            by_stamps.log_density(capture_ns, measured),
        )

    def _moving(self, objects: Mapping[int, Place]) -> list[int]:
        """Return the fastest objects that all frames show."""
        frames = self._frames
        if len(frames) < FRAMES:
            return []
        span_ns = frames[-1].capture_ns - frames[0].capture_ns
        if span_ns > LONGEST_NS:
            return []
        first, last = frames[0].objects, frames[-1].objects
        reach = SLOWEST * span_ns / NANOSECONDS_PER_SECOND
        ways = [
            (math.dist(place, last[name]), name) for name, place in first.items() if name in last
        ]
        fast = sorted((way for way in ways if way[0] > reach and way[1] in objects), reverse=True)
        return [
            name
            for _, name in fast[:MOST_OBJECTS]
            if all(name in frame.objects for frame in frames)
        ]


class _Paths:
    """
    Parabolas through the positions of n objects in successive frames.

    Parameters
    ----------
    times_ns : sequence of int
        Times of the frames [ns].
    paths : array, shape (frames, n, 2)
        [m].

    """

    def __init__(self, times_ns: Sequence[int], paths: Array) -> None:
        self._origin_ns = times_ns[0]
        times = [(time_ns - self._origin_ns) / LONGEST_NS for time_ns in times_ns]
        # Orthogonal polynomials on these times: 1, u and u^2 - skew u - width.
        count = len(times)
        self._mean = sum(times) / count
        offsets = [time - self._mean for time in times]
        squares = sum([u * u for u in offsets])
        self._skew, self._width = sum([u**3 for u in offsets]) / squares, squares / count
        last = sum([self._bend(u) ** 2 for u in offsets])
        self._norms = count**0.5, squares**0.5, last**0.5
        basis = np.array([self._basis(u) for u in offsets])
        flat = paths.reshape(count, -1)
        self._fitted = basis.T @ flat
        residuals = ((flat * flat).sum(axis=0) - (self._fitted**2).sum(axis=0)).reshape(-1, 2)
        self._noise = (PLACE_DEGREES * PLACE_STD**2 + residuals.sum(axis=1)) / DEGREES

    def _bend(self, u: float) -> float:
        return u * u - self._skew * u - self._width

    def _basis(self, u: float) -> tuple[float, float, float]:
        one, two, three = self._norms
        return 1.0 / one, u / two, self._bend(u) / three

    def log_density(self, time_ns: int, measured: Array) -> float:
        """Return the log density of positions (n, 2) [m] at a time [ns]."""
        row = self._basis((time_ns - self._origin_ns) / LONGEST_NS - self._mean)
        spread = self._noise * (1.0 + sum([value * value for value in row]))
        off = measured - (np.array(row) @ self._fitted).reshape(-1, 2)
        squares = (off * off).sum(axis=1)
        logs = -np.log(2.0 * math.pi * spread) - (0.5 * DEGREES + 1.0) * np.log1p(
            squares / (DEGREES * spread)
        )
        return float(np.logaddexp(logs, OUTLIER).sum()) / math.sqrt(len(measured))


def find_objects(frame: DetectionFrame, ball: Place | None) -> dict[int, Place]:
    """Return the positions of robots, by color and number, and of the ball nearest to `ball`."""
    objects = {
        robot.number if robot.team is Team.BLUE else robot.number + 16: (robot.x, robot.y)
        for robot in frame.robots
        if robot.number is not None
    }
    places = [(each.x, each.y) for each in frame.balls]
    if places:
        objects[BALL] = min(places, key=lambda place: math.dist(place, ball or places[0]))
    return objects
