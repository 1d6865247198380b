# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Estimates the exposure time of camera frames.

A camera exposes at even intervals, but its frames are stamped when they reach the computer: in a
match of RoboCup 2022 up to 6 ms late, with a standard deviation of 1.2 ms, while frame numbers had
no gaps. A ball of 3.5 m/s then seems to jitter by 4 mm. Simulators stamp exactly, even if their
frames are uneven. Which clock is better is decided by the smoothness of moving objects.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from world_model_core.match.cameras.bias import MOST_CAMERAS
from world_model_core.match.cameras.detection_noise import FRAMES, FrameTimes
from world_model_core.match.ssl.robot_id import Team
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from world_model_core.match.ssl.vision_values import DetectionFrame

    Place = tuple[float, float]  # x, y [m]

# Frame numbers have 32 bits and wrap around to zero.
NUMBERS = 2**32
# Lost frames, and successive misfits, after which the loop restarts.
MOST_LOST, MOST_MISFITS = 10, 3
# Largest deviation of a stamp [ns]. In the match the largest was 6.3 ms; a larger one is wrong, or
# a frame was not numbered.
LIMIT_NS = 8_000_000
# Gains of the running loop, critically damped (Brookner 1998, chapter 1); the clock of a camera
# drifts slowly. Gains of 0.3 and 0.02 had twice the error in the match.
ALPHA = 0.1
BETA = 2.0 - ALPHA - 2.0 * math.sqrt(1.0 - ALPHA)
# Most stamps agree to 0.3 ms; some are milliseconds late and are clipped to this [ns].
CLIP_NS = 1_000_000.0
# Frames after which the loop is good enough to be compared.
FRAMES_TO_RUN = 12

# Least speed of objects that are compared [m/s], and the number of the fastest ones used.
SLOWEST, MOST_THINGS = 1.0, 4
BALL = -1
# A larger difference is a collision or another object [m].
GROSS = 0.005
# Initial mean difference of both clocks [m], its weight, and the samples in the average.
PRIOR, PRIOR_COUNT, MEMORY = 0.001, 20, 400
# Ratio of the differences below which exposure times are used, and above which they no longer are.
ENOUGH, TOO_MUCH = 0.8, 0.9


class ExposureClock:
    """Estimates the exposure times of all cameras, where they are better than the stamps."""

    def __init__(self) -> None:
        self._cameras: dict[int, _CameraLoop] = {}

    def reset(self) -> None:
        """Reset all cameras, as after a jump in time."""
        self._cameras.clear()

    def observe(self, frame: DetectionFrame) -> int:
        """
        Return the exposure time of a frame.

        Parameters
        ----------
        frame : DetectionFrame
            Late, lost, repeated and misnumbered frames are tolerated; cameras beyond
            `MOST_CAMERAS` are ignored.

        Returns
        -------
        int
            Exposure time [ns, vision's clock]: `frame.capture_ns` until the loop is better, and
            always within 8 ms of it. It increases for each camera as long as the stamps do.

        """
        camera = self._cameras.get(frame.camera_id)
        if camera is None:
            if len(self._cameras) == MOST_CAMERAS:
                return frame.capture_ns
            camera = self._cameras[frame.camera_id] = _CameraLoop()
        return camera.observe(frame)


class _CameraLoop:
    """The loop of one camera, its comparison with the stamps, and the last result."""

    def __init__(self) -> None:
        self._loop = _Loop()
        self._comparison = _Comparison()
        self._frames: list[tuple[DetectionFrame, int]] = []
        self._capture_ns = self._result_ns = 0

    def observe(self, frame: DetectionFrame) -> int:
        capture_ns = result_ns = frame.capture_ns
        lead_ns = self._loop.observe(frame.frame_number, capture_ns)
        if lead_ns is None:
            self._frames.clear()
        else:
            exposure_ns = capture_ns + round(lead_ns)
            self._collect(frame, exposure_ns)
            if self._comparison.prefers_exposures:
                result_ns = exposure_ns
        if capture_ns >= self._capture_ns:
            result_ns = max(result_ns, self._result_ns)
        self._capture_ns, self._result_ns = capture_ns, result_ns
        return result_ns

    def _collect(self, frame: DetectionFrame, exposure_ns: int) -> None:
        self._frames.append((frame, exposure_ns))
        if len(self._frames) == FRAMES:
            self._comparison.observe(self._frames)
            self._frames.clear()


class _Loop:
    """
    Phase-locked loop on the stamps of a camera that exposes at even intervals.

    It starts as a least-squares line through all stamps so far, with the gains of a growing memory
    (Brookner, Tracking and Kalman Filtering Made Easy, 1998, chapter 1), and continues with fixed
    gains.
    """

    def __init__(self) -> None:
        self._frames = 0
        self._misfits = 0
        self._number = 0
        self._capture_ns = 0
        self._lead_ns = 0.0  # exposure minus stamp of the last frame
        self._period_ns = 0.0

    def observe(self, number: int, capture_ns: int) -> float | None:
        """
        Add the next stamp [ns].

        Returns
        -------
        float or None
            Exposure time minus stamp [ns]; None if unknown.

        """
        steps = (number - self._number) % NUMBERS
        if not self._frames or not 1 <= steps <= MOST_LOST:
            self._ignore(number, capture_ns)
            return None
        elapsed_ns = capture_ns - self._capture_ns
        if self._frames == 1:
            self._period_ns = elapsed_ns / steps
        innovation_ns = elapsed_ns - self._lead_ns - self._period_ns * steps
        if abs(innovation_ns) > LIMIT_NS:
            self._ignore(number, capture_ns)
            return None
        self._follow(innovation_ns, steps)
        self._number, self._capture_ns, self._misfits = number, capture_ns, 0
        return self._lead_ns if self._frames >= FRAMES_TO_RUN else None

    def _follow(self, innovation_ns: float, steps: int) -> None:
        """Correct the loop by the innovation of a stamp [ns]."""
        self._frames = count = self._frames + 1
        alpha, beta = (4.0 * count - 2.0) / (count * (count + 1)), 6.0 / (count * (count + 1))
        clipped_ns = innovation_ns
        if alpha < ALPHA:
            alpha, beta = ALPHA, BETA
            clipped_ns = max(-CLIP_NS, min(CLIP_NS, innovation_ns))
        self._lead_ns = alpha * clipped_ns - innovation_ns
        self._period_ns += beta * clipped_ns / steps

    def _ignore(self, number: int, capture_ns: int) -> None:
        """Ignore a misfit frame; restart the loop after too many of them."""
        self._misfits += 1
        if self._frames and self._misfits < MOST_MISFITS:
            return
        self._frames, self._misfits = 1, 0
        self._number, self._capture_ns, self._lead_ns = number, capture_ns, 0.0


class _Comparison:
    """
    Decides by which times the motion of objects is smoother: stamps or exposure times.

    Attributes
    ----------
    prefers_exposures : bool
        Whether exposure times are clearly better.

    """

    def __init__(self) -> None:
        self.prefers_exposures = False
        self._by_stamps = self._by_exposures = PRIOR  # mean differences [m]
        self._count = PRIOR_COUNT

    def observe(self, pictures: Sequence[tuple[DetectionFrame, int]]) -> None:
        """Add `FRAMES` successive frames with their exposure times."""
        things = list(_moving([frame for frame, _ in pictures]))
        if not things:
            return
        by_stamps = _weights([frame.capture_ns for frame, _ in pictures])
        by_exposures = _weights([exposure_ns for _, exposure_ns in pictures])
        if by_stamps is None or by_exposures is None:
            return
        for places in things:
            self._learn(_difference(by_stamps, places), _difference(by_exposures, places))
        share = self._by_exposures / self._by_stamps
        self.prefers_exposures = share < (TOO_MUCH if self.prefers_exposures else ENOUGH)

    def _learn(self, by_stamps: float, by_exposures: float) -> None:
        if min(by_stamps, by_exposures) > GROSS:
            return
        self._count = min(self._count + 1, MEMORY)
        gain = 1.0 / self._count
        self._by_stamps += gain * (min(by_stamps, GROSS) - self._by_stamps)
        self._by_exposures += gain * (min(by_exposures, GROSS) - self._by_exposures)


def _weights(instants_ns: Sequence[int]) -> list[float] | None:
    """Return the weights of successive positions in their third difference."""
    times = FrameTimes()
    for instant_ns in instants_ns:
        times.add(instant_ns)
    return times.weights()


def _difference(weights: Sequence[float], places: Sequence[Place]) -> float:
    """Return the third difference of the positions of an object [m]."""
    dx = sum([weight * x for weight, (x, _) in zip(weights, places, strict=True)])
    dy = sum([weight * y for weight, (_, y) in zip(weights, places, strict=True)])
    return math.hypot(dx, dy)


def _moving(frames: Sequence[DetectionFrame]) -> Iterator[list[Place]]:
    """Yield the positions of the fastest objects in successive frames."""
    pictures = [_things(frame) for frame in frames]
    first, last = pictures[0], pictures[-1]
    moved = [(math.dist(first[name], last[name]), name) for name in first if name in last]
    reach = SLOWEST * (frames[-1].capture_ns - frames[0].capture_ns) / NANOSECONDS_PER_SECOND
    for way, name in sorted(moved, reverse=True)[:MOST_THINGS]:
        if way < reach:
            return
        if all(name in picture for picture in pictures):
            yield [picture[name] for picture in pictures]


def _things(frame: DetectionFrame) -> dict[int, Place]:
    """Return the position of each robot by row, and of the ball if there is exactly one."""
    things = {
        robot.number if robot.team is Team.BLUE else robot.number + 16: (robot.x, robot.y)
        for robot in frame.robots
        if robot.number is not None
    }
    if len(frame.balls) == 1:
        things[BALL] = frame.balls[0].x, frame.balls[0].y
    return things
