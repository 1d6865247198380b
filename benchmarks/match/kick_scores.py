# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How well kicks of simulated matches were found, and what they were taken for."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.match.spread import spread
from world_model_core.time import to_seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.match.tracked_match import PublishedKick, TrackedMatch
    from world_model_core.simulation.match.ground_truth import MatchTruth, TrueKick

# A told kick is one that was when no further from it than this; by then it is to be called
# straight or a chip [ns].
SAME_KICK_NS = CALLED_NS = 150_000_000
# A kick is to be told within so many pictures of one camera.
TARGET = 3


class JudgedKick(NamedTuple):
    """A kick that was, what was told of it, and in how many pictures of one camera."""

    truth: TrueKick
    told: list[PublishedKick]
    frames: int

    @property
    def chip(self) -> bool:
        """Whether it was one."""
        return self.truth.velocity[2] > 0.0

    @property
    def called(self) -> bool | None:
        """Whether it was called a chip in time; None if nothing was told in time."""
        soon = [each for each in self.told if each.frame_ns <= self.truth.stamp_ns + CALLED_NS]
        return soon[-1].kick.chip_probability > 0.5 if soon else None

    @property
    def ever_called(self) -> bool:
        """Whether any estimate of it called it a chip."""
        return any(each.kick.chip_probability > 0.5 for each in self.told)

    def failures(self) -> list[str]:
        """List what was wrong."""
        if not self.told:
            return ['missed']
        found = []
        if self.told[-1].kick.kicker != self.truth.kicker:
            found.append('wrong kicker')
        if self.called is not None and self.called != self.chip:
            found.append('chip called straight' if self.chip else 'straight called chip')
        elif self.ever_called and not self.chip:
            found.append('straight called chip later')
        return found


class JudgedMatch(NamedTuple):
    """All kicks of a match, and by number those told that were none, with their causes."""

    kicks: list[JudgedKick]
    false: list[tuple[str, PublishedKick]]


def score_kicks(match: TrackedMatch) -> JudgedMatch:
    """Compare the kicks that were told with those that were."""
    told: dict[int, list[PublishedKick]] = {}
    for each in match.kicks:
        told.setdefault(each.kick.number, []).append(each)
    truths = {
        each.truth.kick.stamp_ns: each.truth.kick for each in match.moments if each.truth.kick
    }
    kicks = []
    for stamp_ns, truth in sorted(truths.items()):
        estimates = told.pop(_nearest(stamp_ns, told), [])
        # Nobody can have told of a kick at the very end.
        if estimates or stamp_ns < match.end_ns - CALLED_NS:
            kicks.append(JudgedKick(truth, estimates, _frames(match, stamp_ns, estimates)))
    false = [(_cause(match, estimates[-1]), estimates[-1]) for estimates in told.values()]
    return JudgedMatch(kicks, false)


def _nearest(stamp_ns: int, told: dict[int, list[PublishedKick]]) -> int:
    """Find the number under which a kick was told; 0, nobody's number, if it was missed."""
    off = {number: abs(kicks[-1].stamp_ns - stamp_ns) for number, kicks in told.items()}
    number = min(off, key=lambda key: off[key], default=0)
    return number if off.get(number, SAME_KICK_NS) < SAME_KICK_NS else 0


def _frames(match: TrackedMatch, stamp_ns: int, estimates: Sequence[PublishedKick]) -> int:
    """Count one camera's pictures that had shown the ball when its kick was told."""
    if not estimates:
        return 0
    # Pictures are under way for some 10 ms.
    until_ns = estimates[0].frame_ns - 8_000_000
    return max(
        (
            bisect_right(each, until_ns) - bisect_right(each, stamp_ns)
            for each in match.shown.values()
        ),
        default=0,
    )


def _cause(match: TrackedMatch, told: PublishedKick) -> str:
    """Tell what truly happened about when a kick is told that was none."""
    instants = np.array([moment.truth.stamp_ns for moment in match.moments])
    begin, end = np.searchsorted(
        instants, (told.stamp_ns - SAME_KICK_NS, told.stamp_ns + SAME_KICK_NS)
    )
    truths = [moment.truth for moment in match.moments[begin:end]]
    if any(
        truth.kick and abs(truth.kick.stamp_ns - told.stamp_ns) < SAME_KICK_NS for truth in truths
    ):
        return 'kick told twice'
    if any(truth.holder for truth in truths):
        return 'ball held by a robot'
    if any(_touched(truth, told.stamp_ns) for truth in truths):
        return 'bounce'
    return 'nothing'


def _touched(truth: MatchTruth, stamp_ns: int) -> bool:
    return abs(truth.touched_ns - stamp_ns) < SAME_KICK_NS


def summarise_kicks(matches: Sequence[JudgedMatch]) -> dict[str, Any]:
    """Count, and tell the errors of the last estimates."""
    kicks = [kick for match in matches for kick in match.kicks]
    failures = Counter(failure for kick in kicks for failure in kick.failures())
    found = [kick for kick in kicks if kick.told]
    last = [(kick.truth, kick.told[-1]) for kick in found]
    delays = [(kick.told[0].frame_ns - kick.truth.stamp_ns) / 1e6 for kick in found]
    frames = [kick.frames for kick in found]
    return {
        'kicks': len(kicks),
        'chips': sum(kick.chip for kick in kicks),
        'found': len(found),
        **{name: failures[name] for name in (
            'missed', 'wrong kicker', 'chip called straight', 'straight called chip',
            'straight called chip later',
        )},
        'false': dict(Counter(cause for match in matches for cause, _ in match.false)),
        'delay [ms]': spread(delays),
        'delay [frames of one camera]': spread(frames),
        f'within {TARGET} frames': round(np.mean(np.array(frames) <= TARGET), 3),
        'error of instant [ms]': spread(
            [abs(told.stamp_ns - truth.stamp_ns) / 1e6 for truth, told in last]
        ),
        'error of place [mm]': spread(
            [1e3 * np.hypot(*(told.kick.position - truth.position[:2])) for truth, told in last]
        ),
        'error of velocity [m/s]': spread(
            [float(np.linalg.norm(told.kick.velocity - truth.velocity)) for truth, told in last]
        ),
    }  # fmt: skip


def list_failures(match: JudgedMatch) -> list[str]:
    """Say what went wrong and when [s], to be looked into."""
    found = [(kick.truth.stamp_ns, failure) for kick in match.kicks for failure in kick.failures()]
    found += [(told.stamp_ns, f'false kick ({cause})') for cause, told in match.false]
    return [f'{to_seconds(stamp_ns):.3f} {what}' for stamp_ns, what in sorted(found)]
