# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Selection of the kick model: which models are fitted, searched and selected, and when."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from world_model_core.gaussian import Posterior
from world_model_core.match.ball.kick_model_selection import (
    GROWTH,
    KickModelCandidate,
    KickModelSelector,
    KickModelSolution,
    KickPrior,
)
from world_model_core.match.ball.measurement_table import MeasurementArrays

PRIOR = KickPrior(0.0, 0.01, (0.0, 0.0), 0.1, 0.02, 0.05)


@dataclass
class FixedModel:
    """A model whose fit has a given cost for each measurement; it counts its fits."""

    cost: float
    solved: list[int] = field(default_factory=list)
    searched: list[int] = field(default_factory=list)

    def _fit(self, measurements):
        count = len(measurements.times)
        mean = np.array((0.0, 0.0, 1.0, 0.0, 3.0, 0.0))
        piece = Posterior(mean, 1e-4 * np.eye(6), np.zeros(2 * count), 0.0, 0.0)
        misfits = np.full(count, self.cost)
        return KickModelSolution((piece,), self.cost * count, misfits, measurements.times)

    def solve(self, measurements, kick_prior):
        """Fit the model."""
        del kick_prior
        self.solved.append(len(measurements.times))
        return self._fit(measurements)

    def search(self, measurements, kick_prior):
        """Fit the model from several guesses."""
        del kick_prior
        self.searched.append(len(measurements.times))
        return self._fit(measurements)


def measurements(count):
    """Make measurements that show a flight."""
    zeros, pairs = np.zeros(count), np.zeros((2, count))
    times = 0.01 * np.arange(count)
    shows = np.ones(count, dtype=bool)
    return MeasurementArrays(
        times, pairs, pairs, zeros, zeros, zeros, zeros, shows, np.ones((1, count))
    )


def decide(models, last):
    """Decide after each of the first measurements; return the last decision."""
    candidates = [KickModelCandidate(model, 0.0) for model in models]
    selector = KickModelSelector(*candidates)
    for count in range(3, last + 1):
        best, probability = selector.decide(measurements(count), PRIOR, count)
    return candidates.index(best), probability


@pytest.mark.parametrize('best', range(3))
def test_the_model_of_least_cost_is_selected(best):
    """The model that fits must be selected, and a chip be certain only where it fits."""
    models = [FixedModel(0.5 if index == best else 3.0) for index in range(3)]
    selected, probability = decide(models, 30)
    assert selected == best
    assert (probability > 0.99) == (best == 2)
    assert (probability < 0.01) == (best != 2)


@pytest.mark.parametrize('best', range(3))
def test_the_selected_model_is_fitted_to_each_measurement(best):
    """The selected model must use all measurements, the others be fitted more and more rarely."""
    models = [FixedModel(0.5 if index == best else 3.0) for index in range(3)]
    decide(models, 60)
    fits = [sorted({*model.solved, *model.searched}) for model in models]
    assert fits[best][-50:] == list(range(11, 61))
    for index in {0, 1, 2} - {best}:
        late = [count for count in fits[index] if count > 20]
        assert len(late) <= np.log(60 / 20) / np.log(GROWTH) + 1


def test_a_selected_chip_ends_the_search_for_a_straight_kick():
    """Straight kicks are searched before a chip is selected, and not after."""
    chips = [FixedModel(3.0), FixedModel(3.0), FixedModel(0.5)]
    decide(chips, 60)
    assert len(chips[0].searched) == 1
    straight = [FixedModel(0.5), FixedModel(3.0), FixedModel(3.0)]
    decide(straight, 60)
    assert 1 < len(straight[0].searched) < 10
