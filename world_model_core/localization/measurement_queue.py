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
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.angles import wrap_angle
from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds
from world_model_core.uncertainty.limits import LONGEST_STEP
from world_model_core.uncertainty.unicycle import chord_ratio, move

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from world_model_core.gaussian import Array
    from world_model_core.localization.estimator import Estimate, Estimator, Verdict

# Stamps may be off by so much [s].
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


class Limits(NamedTuple):
    """
    What is odd.

    `patience`, how much later than odometry a look may come, or earlier, and by how much odometry
    may be out of order [s]; `longest_gap`, a longer time [s] between two messages of odometry is
    told, and taken for one arc; `fastest` [m/s] and `fastest_turn` [rad/s], of a robot.
    """

    patience: float
    longest_gap: float
    fastest: float
    fastest_turn: float


class Follower:
    """
    Moves a filter by odometry, and corrects it by looks, as their stamps say.

    Odometry that goes back by up to `patience` was overtaken, or its clock was set. It is left
    out until stamps are newer than before, and the arc to where it leads by then follows: so no
    way is lost, and no stamp is told twice. When time goes back by more all begins anew: it is
    that of a simulation, which does so as well.

    Parameters
    ----------
    estimator : Estimator
    begin : callable
        Lets the estimator begin, at the first odometry and whenever all begins anew.
    limits : Limits
    refuse : callable
        Called with the cause, and more about it, when something cannot be used.

    """

    def __init__(
        self,
        estimator: Estimator,
        begin: Callable[[], None],
        limits: Limits,
        refuse: Callable[[str, object], None],
    ) -> None:
        self._estimator, self._begin = estimator, begin
        self._limits, self._refuse = limits, refuse
        self._patience_ns = to_nanoseconds(limits.patience)
        self._track: deque[_Instant] = deque()
        self._looks: list[_Look] = []
        self._time_ns = self._told_ns = 0
        self._looked_ns: int | None = None
        self._behind_ns = 0

    def begin(self, estimate: Estimate) -> None:
        """Believe the robot to be here: now, at its first odometry, whenever all begins anew."""
        self._begin = partial(self._estimator.begin, estimate)
        self._give_up_looks('the robot was put elsewhere')
        if self._track:
            self._track = deque((self._track[-1],))
            self._time_ns = self._track[-1].stamp_ns
            self._begin()

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
        elif stamp_ns - self._track[-1].stamp_ns > LONGEST_STEP * NANOSECONDS_PER_SECOND:
            self._refuse('clock.jumped ahead', 'by more than a day; the estimate begins anew')
            self._restart(stamp_ns, pose)
        else:
            self._track.append(self._lead(stamp_ns, pose))
            self._behind_ns = 0
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
        elif stamp_ns == self._looked_ns:
            self._refuse('landmarks.repeated', 'another look at the same instant')
        elif stamp_ns <= self._told_ns or stamp_ns < self._time_ns:
            late = (self._time_ns - stamp_ns) / NANOSECONDS_PER_SECOND
            self._refuse('landmarks.late', f'{late:.3f} s behind the estimate')
        elif stamp_ns > self._track[-1].stamp_ns + self._patience_ns:
            ahead = (stamp_ns - self._track[-1].stamp_ns) / NANOSECONDS_PER_SECOND
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
        self._give_up_looks('the estimate begins anew')
        self._time_ns, self._told_ns, self._behind_ns = stamp_ns, stamp_ns - 1, 0
        self._looked_ns = None
        self._begin()

    def _give_up_looks(self, cause: str) -> None:
        """Drop the looks that wait."""
        for _ in self._looks:
            self._refuse('landmarks.given up', cause)
        self._looks.clear()

    def _go_back(self, stamp_ns: int, pose: Array) -> None:
        """Leave out odometry that is old, unless time itself went back."""
        newest = self._track[-1]
        behind_ns = newest.stamp_ns - stamp_ns
        late = f'{behind_ns / NANOSECONDS_PER_SECOND:.3f} s'
        if stamp_ns == newest.stamp_ns:
            if not np.array_equal(pose, newest.pose):
                self._refuse('odom.contradicting', 'another pose at the same instant')
        elif behind_ns > self._patience_ns:
            self._refuse('clock.jumped back', f'by {late}; the estimate begins anew')
            self._restart(stamp_ns, pose)
        else:
            self._refuse('odom.out of order', f'by {late}')
            self._behind_ns = max(self._behind_ns, behind_ns)

    def _lead(self, stamp_ns: int, pose: Array) -> _Instant:
        """Find the command that led to a pose."""
        last = self._track[-1]
        passed = (stamp_ns - last.stamp_ns) / NANOSECONDS_PER_SECOND
        if passed > self._limits.longest_gap:
            self._refuse('odom.gap', f'{passed:.3f} s')
        if self._can_be_driven(last.pose, pose, passed + self._behind_ns / NANOSECONDS_PER_SECOND):
            return _Instant(stamp_ns, pose, command_between(last.pose, pose, passed))
        return _Instant(stamp_ns, pose, np.zeros(2))

    def _can_be_driven(self, before: Array, after: Array, within: float) -> bool:
        """Tell whether any robot gets from one pose to the other in that time [s]."""
        distance = math.hypot(*(after - before)[:2])
        turn = abs(wrap_angle(float(after[2] - before[2])))
        time = within + JITTER
        if distance <= self._limits.fastest * time and turn <= self._limits.fastest_turn * time:
            return True
        self._refuse('odom.jumped', f'by {distance:.2f} m, {turn:.2f} rad in {within:.3f} s')
        return False

    def _take_looks(self) -> Iterator[Fix]:
        """Take in the looks at what odometry has come to."""
        while self._looks and self._looks[0].stamp_ns <= self._track[-1].stamp_ns:
            look = self._looks.pop(0)
            if look.stamp_ns <= self._told_ns:
                self._refuse('landmarks.repeated', 'another look at the same instant')
            else:
                self._advance(look.stamp_ns)
                self._looked_ns = look.stamp_ns
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
            self._estimator.predict(
                arc.command, (until_ns - self._time_ns) / NANOSECONDS_PER_SECOND
            )
            self._time_ns = until_ns
            if until_ns == arc.stamp_ns:
                self._track.popleft()

    def _tell(self, verdict: Verdict | None) -> Fix:
        self._told_ns = self._time_ns
        return Fix(self._time_ns, self._estimator.estimate, self._odometry(), verdict)

    def _odometry(self) -> Array:
        """Find where the robot takes itself to be at the instant of the belief."""
        passed = (self._time_ns - self._track[0].stamp_ns) / NANOSECONDS_PER_SECOND
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
    turn = wrap_angle(turn)
    middle = before[2] + 0.5 * turn
    chord = x * math.cos(middle) + y * math.sin(middle)
    path = chord / float(chord_ratio(np.array([0.5 * turn]))[0])
    return np.array((path, turn)) / dt
