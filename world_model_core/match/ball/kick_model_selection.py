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

    from world_model_core.match.ball.kick_models import Hypothesis, Premise, Solution
    from world_model_core.match.ball.measurement_table import Sights

# A ball that rises slower than this [m/s], or by less than so many standard deviations, does not
# fly; nor does one that rises faster (the rules allow 6.5 m/s in all, Rules of the SSL 2024,
# 8.4.1), or whose flight fits as badly as this.
SLOWEST_CLIMB, SURELY, FASTEST_CLIMB, CHIP_MISFIT = 0.8, 2.5, 7.0, 4.0
# The hypotheses are compared each time that there are so many times as many sights; one that was
# so far behind (in log odds) takes part more seldom.
GROWTH, FAR_BEHIND, SELDOM = 1.1, 6.0, 1.5
# Calibration errs smoothly, so that neighbouring sights err alike and tell less by this factor.
ALIKE = 1.3
# A straight kick this far from its prior may have been sought in the wrong place.
STRAIN = 6.0
# With fewer sights than this no ball has slid for long.
FEWEST_TO_SEARCH = 8
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
        """Whether it is to be compared again."""
        return self.behind < FAR_BEHIND or count >= SELDOM * self.solved

    def update(self, sights: Sights, premise: Premise, count: int) -> None:
        """Solve it."""
        self.solution, self.solved = self.hypothesis.solve(sights, premise), count

    def search_due(self) -> float:
        """Tell at how many sights to seek it anew: soon if its constants are hardly likely."""
        strained = self.solution is None or self.solution.strain > STRAIN
        return (GROWTH if strained else SELDOM) * self.searched

    def search(self, sights: Sights, premise: Premise, count: int) -> None:
        """Seek it anew."""
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
        self._slide, self._roll, self._chip = slide, roll, chip
        self._best = slide
        self._odds = -LARGEST_ODDS
        self._compared = 0

    def decide(self, sights: Sights, premise: Premise, count: int) -> tuple[Candidate, float]:
        """
        Find the hypothesis that the sights favour, and the probability that the ball flies.

        Parameters
        ----------
        sights : Sights
        premise : Premise
        count : int
            How many sights there have been, those that were forgotten included.

        """
        together = count >= GROWTH * self._compared
        for candidate in (self._slide, self._roll, self._chip):
            if candidate is self._best or (together and candidate.due(count)):
                candidate.update(sights, premise, count)
        if together:
            self._compared = count
            self._judge(sights, premise, count)
        return self._best, 1.0 / (1.0 + math.exp(-self._odds))

    def _judge(self, sights: Sights, premise: Premise, count: int) -> None:
        """Look for another way in which it slid, now and then, and before it is said to fly."""
        slide, flew = self._slide, self._best is self._chip
        odds = self._compare(sights, count)
        again = not flew and count >= max(slide.search_due(), FEWEST_TO_SEARCH)
        if (odds > 0.0 and not flew) or again:
            slide.search(sights, premise, count)
            odds = self._compare(sights, count)
        straight = min((slide, self._roll), key=lambda item: item.behind)
        self._best = self._chip if odds > 0.0 else straight
        self._odds = odds

    def _compare(self, sights: Sights, count: int) -> float:
        """Rank what was solved just now; give the log odds of a flight."""
        candidates = (self._slide, self._roll, self._chip)
        scores = _scores([item for item in candidates if item.solved == count], sights)
        top = max(scores.values(), default=0.0)
        for candidate, score in scores.items():
            candidate.behind = top - score
        flight = scores.pop(self._chip, None)
        if flight is None or not scores:
            return LARGEST_ODDS if self._best is self._chip else -LARGEST_ODDS
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
            costs[candidate] = solution.cost - hidden, solution.log_occam()
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
    return max(SLOWEST_CLIMB, SURELY * climb_std) <= climb <= FASTEST_CLIMB
