# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Queue that feeds a filter with odometry and landmark readings in the order of their stamps.

Odometry accumulates all commands, including those of lost messages. The command between two
messages is therefore that of the arc from one odometry pose to the next. Readings of a camera
arrive later than the odometry of the same time, so the estimate waits at the stamp of the last
readings and goes on with the next ones. Odometry without readings is processed after `max_delay`.
"""

from __future__ import annotations

import math
from bisect import insort
from collections import deque
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.angles import wrap_angle
from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds
from world_model_core.uncertainty.input_checks import LONGEST_STEP
from world_model_core.uncertainty.unicycle import commands_between, move

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from world_model_core.gaussian import Array
    from world_model_core.localization.pose_estimators import (
        CorrectionResult,
        PoseEstimate,
        PoseEstimator,
    )

__all__ = ['MAX_WAITING', 'MeasurementQueue', 'PoseFix', 'QueueLimits']

# Tolerance of stamps [s].
JITTER = 0.01
# Maximum number of readings that wait for odometry; then the oldest are dropped.
MAX_WAITING = 100


class PoseFix(NamedTuple):
    """
    An estimate of the pose of a robot at a time.

    `stamp_ns`; `estimate`; `odometry` (3,), its pose by odometry; `correction` by its readings,
    None without any.
    """

    stamp_ns: int
    estimate: PoseEstimate
    odometry: Array
    correction: CorrectionResult | None

    @property
    def odometry_frame(self) -> Array:
        """The pose (3,) of the odometry frame in the map, by the estimate and the odometry."""
        turn = self.estimate.pose[2] - self.odometry[2]
        cos, sin = math.cos(turn), math.sin(turn)
        x, y = self.odometry[:2]
        shift = np.array((cos * x - sin * y, sin * x + cos * y, self.odometry[2]))
        frame: Array = self.estimate.pose - shift
        return frame


class _OdometrySample(NamedTuple):
    """An odometry pose (3,), and the command (2,) that led to it."""

    stamp_ns: int
    pose: Array
    command: Array


class _LandmarkReadings(NamedTuple):
    """Landmark readings (m, 2) at a time."""

    stamp_ns: int
    readings: Array


class QueueLimits(NamedTuple):
    """
    Limits beyond which messages are dropped or reported.

    `max_delay` [s]: how much later or earlier than odometry landmarks may arrive, and how far
    odometry may be out of order. `max_odometry_gap` [s]: a longer time between two odometry
    messages is reported, and treated as one arc. `max_speed` [m/s], `max_turn_rate` [rad/s]: of
    the robot; odometry that jumps faster is not followed.
    """

    max_delay: float
    max_odometry_gap: float
    max_speed: float
    max_turn_rate: float


class MeasurementQueue:
    """
    Predicts a filter by odometry and corrects it by readings, in the order of stamps.

    Odometry whose stamp goes back by up to `max_delay` is out of order, or its clock was set. It
    is dropped until stamps are newer than before; then one arc leads to the new pose, so no motion
    is lost and no stamp is published twice. If time goes back by more, the estimate is reset: a
    simulation was reset.

    Parameters
    ----------
    estimator : PoseEstimator
    begin : callable
        Initializes the estimator, at the first odometry and at every reset.
    limits : QueueLimits
    report_drop : callable
        Called with the cause and details when a message is dropped or unusual.

    """

    def __init__(
        self,
        estimator: PoseEstimator,
        begin: Callable[[], None],
        limits: QueueLimits,
        report_drop: Callable[[str, object], None],
    ) -> None:
        self._estimator, self._begin = estimator, begin
        self._limits, self._report_drop = limits, report_drop
        self._max_delay_ns = to_nanoseconds(limits.max_delay)
        self._track: deque[_OdometrySample] = deque()
        self._waiting: list[_LandmarkReadings] = []
        self._time_ns = self._published_ns = 0
        self._corrected_ns: int | None = None
        self._behind_ns = 0

    def begin(self, estimate: PoseEstimate) -> None:
        """Set the initial estimate: for now, for the first odometry, and for every reset."""
        self._begin = partial(self._estimator.begin, estimate)
        self._drop_waiting('the estimate was set')
        if self._track:
            self._track = deque((self._track[-1],))
            self._time_ns = self._track[-1].stamp_ns
            self._begin()

    def add_odometry(self, stamp_ns: int, pose: Array) -> list[PoseFix]:
        """
        Add an odometry pose.

        Parameters
        ----------
        stamp_ns : int
        pose : array, shape (3,)
            x, y [m], theta [rad] in the odometry frame.

        Returns
        -------
        list of PoseFix
            New estimates, in the order of time.

        """
        if not self._track:
            self._reset(stamp_ns, pose)
        elif stamp_ns <= self._track[-1].stamp_ns:
            self._handle_old(stamp_ns, pose)
        elif stamp_ns - self._track[-1].stamp_ns > LONGEST_STEP * NANOSECONDS_PER_SECOND:
            self._report_drop('clock.jumped ahead', 'by more than a day; the estimate is reset')
            self._reset(stamp_ns, pose)
        else:
            self._track.append(self._sample(stamp_ns, pose))
            self._behind_ns = 0
        return [*self._process_readings(), *self._process_odometry()]

    def add_readings(self, stamp_ns: int, readings: Array) -> list[PoseFix]:
        """
        Add landmark readings.

        Parameters
        ----------
        stamp_ns : int
        readings : array, shape (m, 2)
            Range [m] and bearing [rad]; NaN without a reading.

        Returns
        -------
        list of PoseFix
            New estimates, in the order of time.

        """
        if not self._track:
            self._report_drop('landmarks.before odom', '')
        elif stamp_ns == self._corrected_ns:
            self._report_drop('landmarks.repeated', 'other readings at the same time')
        elif stamp_ns <= self._published_ns or stamp_ns < self._time_ns:
            late = (self._time_ns - stamp_ns) / NANOSECONDS_PER_SECOND
            self._report_drop('landmarks.late', f'{late:.3f} s behind the estimate')
        elif stamp_ns > self._track[-1].stamp_ns + self._max_delay_ns:
            ahead = (stamp_ns - self._track[-1].stamp_ns) / NANOSECONDS_PER_SECOND
            self._report_drop('landmarks.ahead of odom', f'by {ahead:.3f} s')
        else:
            insort(
                self._waiting, _LandmarkReadings(stamp_ns, readings), key=attrgetter('stamp_ns')
            )
        if len(self._waiting) > MAX_WAITING:
            self._waiting.pop(0)
            self._report_drop('landmarks.too many wait for odom', '')
        return list(self._process_readings())

    def _reset(self, stamp_ns: int, pose: Array) -> None:
        """Reset the estimate at an odometry pose."""
        self._track = deque((_OdometrySample(stamp_ns, pose, np.zeros(2)),))
        self._drop_waiting('the estimate is reset')
        self._time_ns, self._published_ns, self._behind_ns = stamp_ns, stamp_ns - 1, 0
        self._corrected_ns = None
        self._begin()

    def _drop_waiting(self, cause: str) -> None:
        """Drop the readings that wait for odometry."""
        for _ in self._waiting:
            self._report_drop('landmarks.given up', cause)
        self._waiting.clear()

    def _handle_old(self, stamp_ns: int, pose: Array) -> None:
        """Drop odometry that is out of order; reset if time went back by more."""
        newest = self._track[-1]
        behind_ns = newest.stamp_ns - stamp_ns
        late = f'{behind_ns / NANOSECONDS_PER_SECOND:.3f} s'
        if stamp_ns == newest.stamp_ns:
            if not np.array_equal(pose, newest.pose):
                self._report_drop('odom.contradicting', 'another pose at the same time')
        elif behind_ns > self._max_delay_ns:
            self._report_drop('clock.jumped back', f'by {late}; the estimate is reset')
            self._reset(stamp_ns, pose)
        else:
            self._report_drop('odom.out of order', f'by {late}')
            self._behind_ns = max(self._behind_ns, behind_ns)

    def _sample(self, stamp_ns: int, pose: Array) -> _OdometrySample:
        """Return an odometry sample with the command that led to a pose."""
        last = self._track[-1]
        passed = (stamp_ns - last.stamp_ns) / NANOSECONDS_PER_SECOND
        if passed > self._limits.max_odometry_gap:
            self._report_drop('odom.gap', f'{passed:.3f} s')
        if self._is_drivable(last.pose, pose, passed + self._behind_ns / NANOSECONDS_PER_SECOND):
            return _OdometrySample(
                stamp_ns, pose, commands_between(last.pose[None], pose[None], passed)[0]
            )
        return _OdometrySample(stamp_ns, pose, np.zeros(2))

    def _is_drivable(self, before: Array, after: Array, within: float) -> bool:
        """Return whether a robot can drive from one pose to the other in a time [s]."""
        distance = math.hypot(*(after - before)[:2])
        turn = abs(wrap_angle(float(after[2] - before[2])))
        time = within + JITTER
        if distance <= self._limits.max_speed * time and turn <= self._limits.max_turn_rate * time:
            return True
        self._report_drop('odom.jumped', f'by {distance:.2f} m, {turn:.2f} rad in {within:.3f} s')
        return False

    def _process_readings(self) -> Iterator[PoseFix]:
        """Process the readings up to the last odometry."""
        while self._waiting and self._waiting[0].stamp_ns <= self._track[-1].stamp_ns:
            sample = self._waiting.pop(0)
            if sample.stamp_ns <= self._published_ns:
                self._report_drop('landmarks.repeated', 'other readings at the same time')
            else:
                self._advance(sample.stamp_ns)
                self._corrected_ns = sample.stamp_ns
                yield self._publish(self._estimator.correct(sample.readings))

    def _process_odometry(self) -> Iterator[PoseFix]:
        """Process odometry for which readings would be too late."""
        while (
            len(self._track) > 1
            and self._track[1].stamp_ns <= self._track[-1].stamp_ns - self._max_delay_ns
        ):
            self._advance(self._track[1].stamp_ns)
            yield self._publish(None)

    def _advance(self, stamp_ns: int) -> None:
        """Predict the filter up to a time, arc by arc."""
        while self._time_ns < stamp_ns:
            arc = self._track[1]
            until_ns = min(stamp_ns, arc.stamp_ns)
            self._estimator.predict(
                arc.command, (until_ns - self._time_ns) / NANOSECONDS_PER_SECOND
            )
            self._time_ns = until_ns
            if until_ns == arc.stamp_ns:
                self._track.popleft()

    def _publish(self, correction: CorrectionResult | None) -> PoseFix:
        self._published_ns = self._time_ns
        return PoseFix(self._time_ns, self._estimator.estimate, self._odometry(), correction)

    def _odometry(self) -> Array:
        """Interpolate the odometry pose at the time of the estimate."""
        passed = (self._time_ns - self._track[0].stamp_ns) / NANOSECONDS_PER_SECOND
        if not passed:
            return self._track[0].pose
        first, arc = self._track[0], self._track[1]
        moved: Array = move(first.pose[None], arc.command[None], passed)[0]
        return moved
