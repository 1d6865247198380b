# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Evaluation of kicks in simulated matches."""

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

# Largest time between a published and a real kick, and time to classify it [ns].
SAME_KICK_NS = CALLED_NS = 150_000_000
# Frames of one camera within which a kick must be published.
TARGET = 3


class JudgedKick(NamedTuple):
    """A real kick, its published estimates, and the frames of one camera until the first one."""

    truth: TrueKick
    published: list[PublishedKick]
    frames: int

    @property
    def chip(self) -> bool:
        """Whether it was a chip."""
        return self.truth.velocity[2] > 0.0

    @property
    def called(self) -> bool | None:
        """Whether it was published as a chip in time; None if it was not published in time."""
        soon = [
            each for each in self.published if each.frame_ns <= self.truth.stamp_ns + CALLED_NS
        ]
        return soon[-1].kick.chip_probability > 0.5 if soon else None

    @property
    def ever_called(self) -> bool:
        """Whether any estimate of it was a chip."""
        return any(each.kick.chip_probability > 0.5 for each in self.published)

    def failures(self) -> list[str]:
        """Return the failures."""
        if not self.published:
            return ['missed']
        found = []
        if self.published[-1].kick.kicker != self.truth.kicker:
            found.append('wrong kicker')
        if self.called is not None and self.called != self.chip:
            found.append('chip called straight' if self.chip else 'straight called chip')
        elif self.ever_called and not self.chip:
            found.append('straight called chip later')
        return found


class JudgedMatch(NamedTuple):
    """All real kicks of a match, and the false ones by number, with their causes."""

    kicks: list[JudgedKick]
    false: list[tuple[str, PublishedKick]]


def score_kicks(match: TrackedMatch) -> JudgedMatch:
    """Compare the published kicks with the real ones."""
    published: dict[int, list[PublishedKick]] = {}
    for each in match.kicks:
        published.setdefault(each.kick.number, []).append(each)
    truths = {
        each.truth.kick.stamp_ns: each.truth.kick for each in match.moments if each.truth.kick
    }
    kicks = []
    for stamp_ns, truth in sorted(truths.items()):
        estimates = published.pop(_nearest(stamp_ns, published), [])
        # A kick at the very end cannot be published in time.
        if estimates or stamp_ns < match.end_ns - CALLED_NS:
            kicks.append(JudgedKick(truth, estimates, _frames(match, stamp_ns, estimates)))
    false = [(_cause(match, estimates[-1]), estimates[-1]) for estimates in published.values()]
    return JudgedMatch(kicks, false)


def _nearest(stamp_ns: int, published: dict[int, list[PublishedKick]]) -> int:
    """Return the published number of a kick; 0 if it was missed."""
    off = {number: abs(kicks[-1].stamp_ns - stamp_ns) for number, kicks in published.items()}
    number = min(off, key=lambda key: off[key], default=0)
    return number if off.get(number, SAME_KICK_NS) < SAME_KICK_NS else 0


def _frames(match: TrackedMatch, stamp_ns: int, estimates: Sequence[PublishedKick]) -> int:
    """Return the frames of one camera from a kick to its publication."""
    if not estimates:
        return 0
    # Frames arrive after about 10 ms.
    until_ns = estimates[0].frame_ns - 8_000_000
    return max(
        (
            bisect_right(each, until_ns) - bisect_right(each, stamp_ns)
            for each in match.shown.values()
        ),
        default=0,
    )


def _cause(match: TrackedMatch, published: PublishedKick) -> str:
    """Return the event near a false kick."""
    instants = np.array([moment.truth.stamp_ns for moment in match.moments])
    begin, end = np.searchsorted(
        instants, (published.stamp_ns - SAME_KICK_NS, published.stamp_ns + SAME_KICK_NS)
    )
    truths = [moment.truth for moment in match.moments[begin:end]]
    if any(
        truth.kick and abs(truth.kick.stamp_ns - published.stamp_ns) < SAME_KICK_NS
        for truth in truths
    ):
        return 'kick published twice'
    if any(truth.holder for truth in truths):
        return 'ball held by a robot'
    if any(_touched(truth, published.stamp_ns) for truth in truths):
        return 'bounce'
    return 'nothing'


def _touched(truth: MatchTruth, stamp_ns: int) -> bool:
    return abs(truth.touched_ns - stamp_ns) < SAME_KICK_NS


def summarize_kicks(matches: Sequence[JudgedMatch]) -> dict[str, Any]:
    """Return counts, and the errors of the last estimates."""
    kicks = [kick for match in matches for kick in match.kicks]
    failures = Counter(failure for kick in kicks for failure in kick.failures())
    found = [kick for kick in kicks if kick.published]
    last = [(kick.truth, kick.published[-1]) for kick in found]
    delays = [(kick.published[0].frame_ns - kick.truth.stamp_ns) / 1e6 for kick in found]
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
            [abs(published.stamp_ns - truth.stamp_ns) / 1e6 for truth, published in last]
        ),
        'error of place [mm]': spread(
            [1e3 * np.hypot(*(found.kick.position - truth.position[:2])) for truth, found in last]
        ),
        'error of velocity [m/s]': spread(
            [float(np.linalg.norm(found.kick.velocity - truth.velocity)) for truth, found in last]
        ),
    }  # fmt: skip


def list_failures(match: JudgedMatch) -> list[str]:
    """Return the failures with their times [s]."""
    found = [(kick.truth.stamp_ns, failure) for kick in match.kicks for failure in kick.failures()]
    found += [(published.stamp_ns, f'false kick ({cause})') for cause, published in match.false]
    return [f'{to_seconds(stamp_ns):.3f} {what}' for stamp_ns, what in sorted(found)]
