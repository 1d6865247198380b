# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which of several hypotheses on a kick the sights favour."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.ball.hypothesis import Hypothesis, Premise, Solution
    from world_model_core.ball.sight_table import Sights

# Fewer sights in the air leave open whether the ball flies.
FEWEST_ALOFT = 5
# A ball that rises slower [m/s], or by less than so many standard deviations, does not fly; nor
# is it believed to when its flight fits as badly as this.
SLOWEST_CLIMB, SURELY, CHIP_MISFIT = 0.8, 2.5, 10.0
# A hypothesis so far behind (in log odds) is looked at only when there are so many times as many
# sights as when it was looked at last.
FAR_BEHIND, GROWTH = 12.0, 1.25
# Calibration errs smoothly, so that neighbouring sights err alike and tell less by this factor.
ALIKE = 1.3
# A straight kick that fits worse than this may have been sought in the wrong place.
STRAIGHT_MISFIT = 1.5
LARGEST_ODDS = 500.0


@dataclass(slots=True, eq=False)
class Candidate:
    """
    A hypothesis and how it does.

    Parameters
    ----------
    hypothesis : Hypothesis
    prior : float
        Logarithm of its odds before any sight.
    solution : Solution or None
        Its last fit; None if that came to nothing, or the ball would not be seen so.
    behind : float
        Log odds that the best had over it when it was compared last.
    solved, searched : int
        How many sights there were when it was solved, and sought from anew.

    """

    hypothesis: Hypothesis
    prior: float
    solution: Solution | None = None
    behind: float = 0.0
    solved: int = 0
    searched: int = 0

    def due(self, count: int) -> bool:
        """Whether it is worth a look."""
        return self.behind < FAR_BEHIND or count >= GROWTH * self.solved

    def update(self, sights: Sights, premise: Premise) -> None:
        """Solve it."""
        self.solution = self.hypothesis.solve(sights, premise)
        self.solved = len(sights.times)

    @property
    def lost(self) -> bool:
        """Whether it fits so badly that it may have been sought in the wrong place, long ago."""
        bad = self.solution is None or self.solution.misfit > STRAIGHT_MISFIT
        return bad and self.solved >= GROWTH * self.searched

    def search(self, sights: Sights, premise: Premise) -> None:
        """Seek it anew, unless that was just done."""
        count = len(sights.times)
        if self.searched < count:
            self.solution = self.hypothesis.search(sights, premise)
            self.searched = self.solved = count


class Contest:
    """
    Straight kicks of two kinds, and a chip, compared by their evidence.

    Parameters
    ----------
    slide, roll, chip : Candidate

    """

    def __init__(self, slide: Candidate, roll: Candidate, chip: Candidate) -> None:
        self._straight, self._chip = (slide, roll), chip
        self._flies = False

    def decide(self, sights: Sights, premise: Premise) -> tuple[Candidate, float]:
        """
        Find the hypothesis that the sights favour, and the probability that the ball flies.

        Before a ball is said to fly, no other way is left in which it may not.
        """
        count = len(sights.times)
        for candidate in self._straight:
            if candidate.due(count):
                candidate.update(sights, premise)
        if self._chip.due(count):
            self._update_chip(sights, premise)
        odds = self._compare(sights)
        slide, _ = self._straight
        if (odds > 0.0 and not self._flies) or (slide.behind == 0.0 and slide.lost):
            slide.search(sights, premise)
            odds = self._compare(sights)
        self._flies = odds > 0.0
        best = self._chip if self._flies else min(self._straight, key=lambda item: item.behind)
        return best, 1.0 / (1.0 + math.exp(-odds))

    def _update_chip(self, sights: Sights, premise: Premise) -> None:
        """Let the ball fly, as far as cameras could see it fly."""
        self._chip.solution, self._chip.solved = None, len(sights.times)
        aloft = sights.seen_aloft
        if np.count_nonzero(aloft) >= FEWEST_ALOFT:
            seen = sights if aloft.all() else sights.chosen(aloft)
            self._chip.solution = self._chip.hypothesis.solve(seen, premise)

    def _compare(self, sights: Sights) -> float:
        """Rank what was solved just now; give the log odds of a flight."""
        count, unchanged = len(sights.times), LARGEST_ODDS if self._flies else -LARGEST_ODDS
        fresh = [item for item in (*self._straight, self._chip) if item.solved == count]
        scores = _scores(fresh, sights)
        top = max(scores.values(), default=0.0)
        for candidate, score in scores.items():
            candidate.behind = top - score
        flight = scores.pop(self._chip, None)
        if flight is None or not scores:
            return unchanged
        if not _may_fly(self._chip.solution):
            return -LARGEST_ODDS
        odds = flight - float(np.logaddexp.reduce(list(scores.values())))
        return min(max(odds, -LARGEST_ODDS), LARGEST_ODDS)


def _scores(candidates: Sequence[Candidate], sights: Sights) -> dict[Candidate, float]:
    """
    Measure the evidence of those that have a solution, in logarithms.

    They are compared where a ball in the air would be seen as such. One that has come down for
    good, or does not know yet where it comes down, is not. Where even the best fits badly, the
    sights err by more than their noise, and tell less.
    """
    aloft = sights.seen_aloft
    count = int(np.count_nonzero(aloft))
    costs = {}
    for candidate in candidates:
        solution = candidate.solution
        if solution is not None and len(solution.times) >= count:
            elsewhere = len(solution.times) > count
            hidden = float(solution.misfits[~aloft].sum()) if elsewhere else 0.0
            costs[candidate] = solution.cost - hidden, solution.log_occam
    least = min((cost for cost, _ in costs.values()), default=0.0)
    scale = ALIKE * max(1.0, least / max(2 * count, 1))
    return {
        candidate: candidate.prior + log_occam - 0.5 * cost / scale
        for candidate, (cost, log_occam) in costs.items()
    }


def _may_fly(chip: Solution | None) -> bool:
    """Tell whether a flight rises surely, and fits at all."""
    if chip is None or chip.misfit > CHIP_MISFIT:
        return False
    first = chip.pieces[0]
    climb, climb_std = float(first.mean[4]), math.sqrt(first.covariance[4, 4])
    return climb >= max(SLOWEST_CLIMB, SURELY * climb_std)
