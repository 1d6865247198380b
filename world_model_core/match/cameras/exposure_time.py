# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Estimates the exposure time of camera frames.

A camera exposes at even intervals, but its frames are stamped when they reach the computer: in a
match of RoboCup 2022 up to 14 ms late, in bursts of about ten frames, and once a frame was lost
without a gap in the numbers. A ball of 3 m/s then seems to jump by 4 cm. Simulators stamp exactly,
even if their frames are uneven. What explains the motion of robots and ball together is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.match.cameras.bias import MOST_CAMERAS
from world_model_core.match.cameras.camera_clock import CameraClock
from world_model_core.match.cameras.motion_evidence import MotionEvidence, find_objects

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.match.cameras.motion_evidence import Place
    from world_model_core.match.ssl.vision_values import DetectionFrame

# Largest difference of stamp and exposure time [ns]. In a match of RoboCup 2022 stamps were up to
# 14 ms late.
LIMIT_NS = 25_000_000
# Frame numbers have 32 bits and wrap around to zero.
NUMBERS = 2**32
# Lost frames, and successive misfits, after which the clock restarts.
MOST_LOST, MOST_MISFITS = 75, 3
# Log odds that a camera exposes evenly: at first, their limit, and the largest change by a frame.
FIRST_ODDS, MOST_ODDS, MOST_CHANGE = -2.0, 20.0, 3.0
# Log odds of an exposure that was lost without a gap in the frame numbers, and their gain by each
# successive stamp that is late by half a period: bursts last about ten frames.
LOST_ODDS, LATE_ODDS = -6.0, 0.5
# Exposures that may be lost at once, and how much a stamp may be earlier than its exposure [ns].
MOST_LOST_AT_ONCE, EARLY_NS = 2, 1_000_000
# Clock and stamp that differ by less are not compared [ns].
NEAR_NS = 200_000


class ExposureClock:
    """Estimates the exposure times of all cameras."""

    def __init__(self) -> None:
        self._cameras: dict[int, _Camera] = {}

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
            Exposure time [ns, vision's clock], within 25 ms of the stamp: the stamp itself unless
            the camera has been found to expose evenly. It increases for each camera as long as the
            stamps do.

        """
        camera = self._cameras.get(frame.camera_id)
        if camera is None:
            if len(self._cameras) == MOST_CAMERAS:
                return frame.capture_ns
            camera = self._cameras[frame.camera_id] = _Camera()
        return camera.observe(frame)


class _Camera:
    """The clock of one camera, how far it is trusted, and the last result."""

    def __init__(self) -> None:
        self._clock = CameraClock()
        self._evidence = MotionEvidence()
        self._odds = FIRST_ODDS
        self._number = 0
        self._misfits = self._late = 0
        self._capture_ns = self._result_ns = 0

    def observe(self, frame: DetectionFrame) -> int:
        capture_ns = frame.capture_ns
        # Negative for a frame out of order.
        steps = (frame.frame_number - self._number + NUMBERS // 2) % NUMBERS - NUMBERS // 2
        clock_ns = self._clock.predict(steps, capture_ns)
        fits = abs(capture_ns - clock_ns) <= LIMIT_NS
        if fits and 1 <= steps <= MOST_LOST:
            result_ns = self._use(frame, steps, clock_ns)
        elif fits and -MOST_LOST <= steps <= 0 and self._clock.runs and self._odds > 0.0:
            result_ns = clock_ns
        else:
            result_ns = capture_ns
            self._ignore(frame)
        if capture_ns >= self._capture_ns:
            result_ns = max(result_ns, self._result_ns)
        self._capture_ns, self._result_ns = capture_ns, result_ns
        return result_ns

    def _use(self, frame: DetectionFrame, steps: int, clock_ns: int) -> int:
        """Return the exposure time of the next frame, and correct clock and odds by it."""
        capture_ns, objects = frame.capture_ns, find_objects(frame, self._evidence.ball)
        lost, result_ns = 0, capture_ns
        if self._clock.runs:
            lost, gain = self._compare(objects, clock_ns, capture_ns)
            clock_ns += round(lost * self._clock.period_ns)
            if self._odds + gain > 0.0:
                result_ns = clock_ns
            odds = self._odds + max(-MOST_CHANGE, min(MOST_CHANGE, gain))
            self._odds = max(-MOST_ODDS, min(MOST_ODDS, odds))
        self._evidence.add(objects, clock_ns, capture_ns)
        self._clock.follow(steps + lost, capture_ns)
        self._number, self._misfits = frame.frame_number, 0
        return result_ns

    def _compare(
        self, objects: Mapping[int, Place], clock_ns: int, capture_ns: int
    ) -> tuple[int, float]:
        """Return the lost exposures, and the evidence for the clock against the stamp."""
        if abs(capture_ns - clock_ns) < NEAR_NS:
            return 0, 0.0
        period_ns = self._clock.period_ns
        self._late = self._late + 1 if capture_ns - clock_ns > 0.5 * period_ns else 0
        possible = [
            time_ns
            for lost in range(MOST_LOST_AT_ONCE + 1)
            if (time_ns := clock_ns + round(lost * period_ns)) <= capture_ns + EARLY_NS or not lost
        ]
        found = self._evidence.log_likelihoods(objects, possible, capture_ns)
        logs, by_stamp = found or ([0.0] * len(possible), 0.0)
        odds = LOST_ODDS + LATE_ODDS * self._late
        best = max(range(len(logs)), key=lambda lost: logs[lost] + odds * bool(lost))
        return best, logs[best] - by_stamp

    def _ignore(self, frame: DetectionFrame) -> None:
        """Ignore a misfit frame; restart the clock after too many of them."""
        self._misfits += 1
        if self._capture_ns and self._misfits < MOST_MISFITS:
            return
        self._misfits, self._number = 0, frame.frame_number
        self._clock.start(frame.capture_ns)
        self._evidence.clear()
