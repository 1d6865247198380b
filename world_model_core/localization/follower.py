# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
One robot followed in the order of time, in whatever order its messages come.

Odometry adds up all that the robot was commanded, also what it told in messages that were lost.
So the command of the time between two messages is that of the arc which leads from one pose of
odometry to the other. What a camera saw comes later than the odometry of its instant; so the
belief waits at the last look, and goes on with the next one. Odometry that nobody looks at for
some time is taken in without.
"""

from __future__ import annotations

import math
from bisect import insort
from collections import deque
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.uncertainty.limits import LONGEST_STEP
from world_model_core.uncertainty.range_bearing import wrap
from world_model_core.uncertainty.unicycle import chord_ratio, move

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from world_model_core.gaussian import Array
    from world_model_core.localization.estimator import Estimate, Estimator, Verdict

SECOND = 1_000_000_000
# No robot of ours drives [m/s] or turns [rad/s] faster: its odometry was set, or is broken.
FASTEST = 100.0
# But stamps may be off by so much [s].
JITTER = 0.01
# Looks that wait for odometry; of more the oldest is given up.
MOST_WAITING = 100


class Fix(NamedTuple):
    """
    Where a robot was found.

    `stamp_ns`; `estimate`; `odometry` (3,), where it took itself to be; `verdict` on what it read,
    None where it read nothing.
    """

    stamp_ns: int
    estimate: Estimate
    odometry: Array
    verdict: Verdict | None

    @property
    def odometry_frame(self) -> Array:
        """The pose (3,) of the frame of odometry in the map that makes both say the same."""
        turn = self.estimate.pose[2] - self.odometry[2]
        cos, sin = math.cos(turn), math.sin(turn)
        x, y = self.odometry[:2]
        shift = np.array((cos * x - sin * y, sin * x + cos * y, self.odometry[2]))
        frame: Array = self.estimate.pose - shift
        return frame


class _Instant(NamedTuple):
    """A pose (3,) of odometry, and the command (2,) that led there."""

    stamp_ns: int
    pose: Array
    command: Array


class _Look(NamedTuple):
    """Readings (m, 2)."""

    stamp_ns: int
    readings: Array


class Follower:
    """
    Moves a filter by odometry, and corrects it by looks, as their stamps say.

    When time goes back all begins anew: it is that of a simulation, which does so as well. What
    comes out of order goes back by less than `patience`, and alone.

    Parameters
    ----------
    estimator : Estimator
    beginning : Estimate
        Where the robot is at its first odometry.
    patience : float
        How much later than odometry a look may come, or earlier [s].
    longest_gap : float
        A longer time [s] between two messages of odometry is told, and taken for one arc.
    refuse : callable
        Called with the cause, and more about it, when something cannot be used.

    """

    def __init__(
        self,
        estimator: Estimator,
        beginning: Estimate,
        *,
        patience: float,
        longest_gap: float,
        refuse: Callable[[str, object], None],
    ) -> None:
        self._estimator, self._beginning, self._refuse = estimator, beginning, refuse
        self._patience_ns = round(patience * SECOND)
        self._longest_gap = longest_gap
        self._track: deque[_Instant] = deque()
        self._looks: list[_Look] = []
        self._next: Estimate | None = None
        self._time_ns = self._told_ns = 0
        self._behind: _Instant | None = None

    def begin(self, estimate: Estimate) -> None:
        """Believe the robot to be here at its newest odometry, or at its first one."""
        self._looks.clear()
        if not self._track:
            self._next = estimate
            return
        self._track = deque((self._track[-1],))
        self._time_ns = self._track[-1].stamp_ns
        self._estimator.begin(estimate)

    def drive(self, stamp_ns: int, pose: Array) -> list[Fix]:
        """
        Take in odometry.

        Parameters
        ----------
        stamp_ns : int
        pose : array, shape (3,)
            x, y [m], theta [rad] in the frame of odometry.

        Returns
        -------
        list of Fix
            What became known by it.

        """
        if not self._track:
            self._restart(stamp_ns, pose)
        elif stamp_ns <= self._track[-1].stamp_ns:
            self._go_back(stamp_ns, pose)
        elif stamp_ns - self._track[-1].stamp_ns > LONGEST_STEP * SECOND:
            self._refuse('clock.jumped ahead', 'by more than a day; the estimate begins anew')
            self._restart(stamp_ns, pose)
        else:
            self._behind = None
            self._track.append(self._lead(stamp_ns, pose))
        return [*self._take_looks(), *self._settle()]

    def look(self, stamp_ns: int, readings: Array) -> list[Fix]:
        """
        Take in what the robot read.

        Parameters
        ----------
        stamp_ns : int
        readings : array, shape (m, 2)
            Range [m] and bearing [rad]; NaN where there is none.

        Returns
        -------
        list of Fix
            What became known by it.

        """
        if not self._track:
            self._refuse('landmarks.before odom', '')
        elif stamp_ns <= self._told_ns or stamp_ns < self._time_ns:
            late = (self._time_ns - stamp_ns) / SECOND
            self._refuse('landmarks.late', f'{late:.3f} s behind the estimate')
        elif stamp_ns > self._track[-1].stamp_ns + self._patience_ns:
            ahead = (stamp_ns - self._track[-1].stamp_ns) / SECOND
            self._refuse('landmarks.ahead of odom', f'by {ahead:.3f} s')
        else:
            insort(self._looks, _Look(stamp_ns, readings), key=attrgetter('stamp_ns'))
        if len(self._looks) > MOST_WAITING:
            self._looks.pop(0)
            self._refuse('landmarks.too many wait for odom', '')
        return list(self._take_looks())

    def _restart(self, stamp_ns: int, pose: Array) -> None:
        """Begin anew, at this odometry."""
        self._track = deque((_Instant(stamp_ns, pose, np.zeros(2)),))
        self._looks.clear()
        self._time_ns, self._told_ns, self._behind = stamp_ns, stamp_ns - 1, None
        self._estimator.begin(self._next or self._beginning)
        self._next = None

    def _go_back(self, stamp_ns: int, pose: Array) -> None:
        """Drop odometry that is old, unless time itself goes back."""
        newest, before = self._track[-1], self._behind
        late = f'{(newest.stamp_ns - stamp_ns) / SECOND:.3f} s'
        if stamp_ns == newest.stamp_ns:
            if not np.array_equal(pose, newest.pose):
                self._refuse('odom.contradicting', 'another pose at the same instant')
        elif stamp_ns < newest.stamp_ns - self._patience_ns:
            self._refuse('clock.jumped back', f'by {late}; the estimate begins anew')
            self._restart(stamp_ns, pose)
        elif before is not None and stamp_ns > before.stamp_ns:
            self._refuse('clock.jumped back', f'by {late}; the estimate begins anew')
            self._restart(before.stamp_ns, before.pose)
            self._track.append(self._lead(stamp_ns, pose))
        else:
            self._refuse('odom.out of order', f'by {late}')
            self._behind = _Instant(stamp_ns, pose, np.zeros(2))

    def _lead(self, stamp_ns: int, pose: Array) -> _Instant:
        """Find the command that led to a pose."""
        last = self._track[-1]
        passed = (stamp_ns - last.stamp_ns) / SECOND
        if passed > self._longest_gap:
            self._refuse('odom.gap', f'{passed:.3f} s')
        command = command_between(last.pose, pose, passed)
        if not (np.abs(command) * passed <= FASTEST * max(passed, JITTER)).all():
            self._refuse('odom.jumped', f'as if by {command[0]:.0f} m/s, {command[1]:.0f} rad/s')
            command = np.zeros(2)
        return _Instant(stamp_ns, pose, command)

    def _take_looks(self) -> Iterator[Fix]:
        """Take in the looks at what odometry has come to."""
        while self._looks and self._looks[0].stamp_ns <= self._track[-1].stamp_ns:
            look = self._looks.pop(0)
            if look.stamp_ns <= self._told_ns:
                self._refuse('landmarks.repeated', '')
            else:
                self._advance(look.stamp_ns)
                yield self._tell(self._estimator.correct(look.readings))

    def _settle(self) -> Iterator[Fix]:
        """Take in odometry for which no look will come any more."""
        while (
            len(self._track) > 1
            and self._track[1].stamp_ns <= self._track[-1].stamp_ns - self._patience_ns
        ):
            self._advance(self._track[1].stamp_ns)
            yield self._tell(None)

    def _advance(self, stamp_ns: int) -> None:
        """Let the robot drive until then, arc by arc."""
        while self._time_ns < stamp_ns:
            arc = self._track[1]
            until_ns = min(stamp_ns, arc.stamp_ns)
            self._estimator.predict(arc.command, (until_ns - self._time_ns) / SECOND)
            self._time_ns = until_ns
            if until_ns == arc.stamp_ns:
                self._track.popleft()

    def _tell(self, verdict: Verdict | None) -> Fix:
        self._told_ns = self._time_ns
        return Fix(self._time_ns, self._estimator.estimate, self._odometry(), verdict)

    def _odometry(self) -> Array:
        """Find where the robot takes itself to be at the instant of the belief."""
        passed = (self._time_ns - self._track[0].stamp_ns) / SECOND
        if not passed:
            return self._track[0].pose
        first, arc = self._track[0], self._track[1]
        moved: Array = move(first.pose[None], arc.command[None], passed)[0]
        return moved


def command_between(before: Array, after: Array, dt: float) -> Array:
    """
    Find the command (2,), nu [m/s] and omega [rad/s], of the arc from one pose (3,) to another.

    What lies aside of any arc, as commands changed meanwhile, is left out; and of a robot that
    turned by more than half a turn it is taken that it turned the other way.
    """
    x, y, turn = after - before
    turn = float(wrap(turn))
    middle = before[2] + 0.5 * turn
    chord = x * math.cos(middle) + y * math.sin(middle)
    path = chord / float(chord_ratio(np.array([0.5 * turn]))[0])
    return np.array((path, turn)) / dt
