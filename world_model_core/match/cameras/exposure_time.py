# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
When pictures were really taken.

A camera exposes at even intervals, but its pictures are stamped when they reach the computer: in a
match of RoboCup 2022 up to 6 ms late, by 1.2 ms (standard deviation), while frame numbers count
without a gap. A ball of 3.5 m/s then seems to shake by 4 mm. Simulators stamp exactly, however
unevenly they work. So it is for the things that move to tell which clock is the better one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from world_model_core.match.cameras.bias import MOST_CAMERAS
from world_model_core.match.cameras.detection_noise import PICTURES, FrameTimes
from world_model_core.match.ssl.values import Team
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from world_model_core.match.ssl.values import DetectionFrame

    Place = tuple[float, float]  # x, y [m]

# Frame numbers are of 32 bits and begin again at zero.
NUMBERS = 2**32
# After more lost pictures than this, or so many in a row that do not fit, a loop begins anew.
MOST_LOST, MOST_MISFITS = 10, 3
# The latest stamp in the match is late by 6.3 ms. One that is off by more than this [ns] is wrong,
# or a picture went without a number.
LIMIT_NS = 8_000_000
# Of a loop that runs, critically damped (Brookner 1998, chapter 1): the clock of a camera drifts
# slowly, if at all. Gains of 0.3 and 0.02 would leave it off by twice as much in the match.
ALPHA = 0.1
BETA = 2.0 - ALPHA - 2.0 * math.sqrt(1.0 - ALPHA)
# Most stamps agree to 0.3 ms and some are late by milliseconds: these count as late by this [ns].
CLIP_NS = 1_000_000.0
# So many pictures make a loop good enough to be compared.
PICTURES_TO_RUN = 12

# Slower things hardly tell the clocks apart [m/s]; so many of the fastest are looked at.
SLOWEST, MOST_THINGS = 1.0, 4
BALL = -1
# What differs by more than this was hit, or is another thing [m].
GROSS = 0.005
# At first both clocks count as this good [m], by so many sights; of all, the last so many count.
PRIOR, PRIOR_COUNT, MEMORY = 0.001, 20, 400
# The exposure clock is used from this share of the other's differences on, and up to that.
ENOUGH, TOO_MUCH = 0.8, 0.9


class ExposureClock:
    """The instants of all cameras' exposures, as far as they are better known than stamped."""

    def __init__(self) -> None:
        self._cameras: dict[int, _Camera] = {}

    def reset(self) -> None:
        """Forget all cameras, as after a jump in time."""
        self._cameras.clear()

    def observe(self, frame: DetectionFrame) -> int:
        """
        Take in a picture.

        Parameters
        ----------
        frame : DetectionFrame
            Late, lost, repeated and misnumbered ones do no harm; cameras beyond `MOST_CAMERAS` are
            left alone.

        Returns
        -------
        int
            When it was taken [ns, vision's clock]: `frame.capture_ns` until the exposures are
            better known, and never off by more than 8 ms from that. It does not go back within a
            camera while that does not.

        """
        camera = self._cameras.get(frame.camera_id)
        if camera is None:
            if len(self._cameras) == MOST_CAMERAS:
                return frame.capture_ns
            camera = self._cameras[frame.camera_id] = _Camera()
        return camera.observe(frame)


class _Camera:
    """One camera's loop, the evidence for it, and what was told last."""

    def __init__(self) -> None:
        self._loop = _Loop()
        self._comparison = _Comparison()
        self._pictures: list[tuple[DetectionFrame, int]] = []
        self._capture_ns = self._told_ns = 0

    def observe(self, frame: DetectionFrame) -> int:
        capture_ns = told_ns = frame.capture_ns
        lead_ns = self._loop.observe(frame.frame_number, capture_ns)
        if lead_ns is None:
            self._pictures.clear()
        else:
            exposure_ns = capture_ns + round(lead_ns)
            self._collect(frame, exposure_ns)
            if self._comparison.favours_exposures:
                told_ns = exposure_ns
        if capture_ns >= self._capture_ns:
            told_ns = max(told_ns, self._told_ns)
        self._capture_ns, self._told_ns = capture_ns, told_ns
        return told_ns

    def _collect(self, frame: DetectionFrame, exposure_ns: int) -> None:
        self._pictures.append((frame, exposure_ns))
        if len(self._pictures) == PICTURES:
            self._comparison.observe(self._pictures)
            self._pictures.clear()


class _Loop:
    """
    Follows the stamps of a camera that exposes evenly: a phase-locked loop.

    It begins as the line of least squares through all stamps so far, by the gains of a growing
    memory (Brookner, Tracking and Kalman Filtering Made Easy, 1998, chapter 1), and goes on with
    fixed gains.
    """

    def __init__(self) -> None:
        self._pictures = 0
        self._misfits = 0
        self._number = 0
        self._capture_ns = 0
        self._lead_ns = 0.0  # of the last exposure on its stamp
        self._period_ns = 0.0

    def observe(self, number: int, capture_ns: int) -> float | None:
        """
        Take in the next stamp [ns].

        Returns
        -------
        float or None
            By how much the exposure was later [ns]; None where that is not known.

        """
        steps = (number - self._number) % NUMBERS
        if not self._pictures or not 1 <= steps <= MOST_LOST:
            self._pass_over(number, capture_ns)
            return None
        elapsed_ns = capture_ns - self._capture_ns
        if self._pictures == 1:
            self._period_ns = elapsed_ns / steps
        surplus_ns = elapsed_ns - self._lead_ns - self._period_ns * steps
        if abs(surplus_ns) > LIMIT_NS:
            self._pass_over(number, capture_ns)
            return None
        self._follow(surplus_ns, steps)
        self._number, self._capture_ns, self._misfits = number, capture_ns, 0
        return self._lead_ns if self._pictures >= PICTURES_TO_RUN else None

    def _follow(self, surplus_ns: float, steps: int) -> None:
        """Correct the loop by how much later than foreseen a stamp is."""
        self._pictures = count = self._pictures + 1
        alpha, beta = (4.0 * count - 2.0) / (count * (count + 1)), 6.0 / (count * (count + 1))
        believed_ns = surplus_ns
        if alpha < ALPHA:
            alpha, beta = ALPHA, BETA
            believed_ns = max(-CLIP_NS, min(CLIP_NS, surplus_ns))
        self._lead_ns = alpha * believed_ns - surplus_ns
        self._period_ns += beta * believed_ns / steps

    def _pass_over(self, number: int, capture_ns: int) -> None:
        """Leave a picture out that does not fit; begin with it after too many of them."""
        self._misfits += 1
        if self._pictures and self._misfits < MOST_MISFITS:
            return
        self._pictures, self._misfits = 1, 0
        self._number, self._capture_ns, self._lead_ns = number, capture_ns, 0.0


class _Comparison:
    """
    Which clock the things that move are seen by to move more evenly.

    Attributes
    ----------
    favours_exposures : bool
        Whether that is clearly the loop's.

    """

    def __init__(self) -> None:
        self.favours_exposures = False
        self._by_stamps = self._by_exposures = PRIOR  # mean differences [m]
        self._count = PRIOR_COUNT

    def observe(self, pictures: Sequence[tuple[DetectionFrame, int]]) -> None:
        """Take in successive pictures, `PICTURES` of them, and when the loop says they were."""
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
        self.favours_exposures = share < (TOO_MUCH if self.favours_exposures else ENOUGH)

    def _learn(self, by_stamps: float, by_exposures: float) -> None:
        if min(by_stamps, by_exposures) > GROSS:
            return
        self._count = min(self._count + 1, MEMORY)
        gain = 1.0 / self._count
        self._by_stamps += gain * (min(by_stamps, GROSS) - self._by_stamps)
        self._by_exposures += gain * (min(by_exposures, GROSS) - self._by_exposures)


def _weights(instants_ns: Sequence[int]) -> list[float] | None:
    """Weigh the places of successive pictures so that only what is uneven is left of them."""
    times = FrameTimes()
    for instant_ns in instants_ns:
        times.add(instant_ns)
    return times.weights()


def _difference(weights: Sequence[float], places: Sequence[Place]) -> float:
    """Tell how unevenly a thing moves [m]."""
    dx = sum([weight * x for weight, (x, _) in zip(weights, places, strict=True)])
    dy = sum([weight * y for weight, (_, y) in zip(weights, places, strict=True)])
    return math.hypot(dx, dy)


def _moving(frames: Sequence[DetectionFrame]) -> Iterator[list[Place]]:
    """Find where the fastest things were in each of successive pictures."""
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
    """Find what is seen, by number; balls have none, so that there must be but one."""
    things = {
        robot.number if robot.team is Team.BLUE else robot.number + 16: (robot.x, robot.y)
        for robot in frame.robots
        if robot.number is not None
    }
    if len(frame.balls) == 1:
        things[BALL] = frame.balls[0].x, frame.balls[0].y
    return things
