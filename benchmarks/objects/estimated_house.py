# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Simulated house as estimated by a map with calibrated probabilities, and its ground truth.

Calibrated means that statements with probability p are true with frequency p: positions deviate
as their covariances say, an object with confidence 0.8 is present eight times in ten, and classes
and colors are the posterior of a detector's votes with known confusion rates.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.objects.values import Swatch
from world_model_core.simulation.house.house_generator import generate_house

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.objects.values import MapObject

ROOMS = 3
# Standard deviations of positions [m], one for each house.
SIGMAS = (0.02, 0.05, 0.1, 0.2, 0.3)
# Fraction of votes for a wrong class or color; range of the additional number of votes.
CONFUSION, MORE_VOTES = 0.2, 6
# Minimum confidence of objects.
LEAST_CONFIDENCE = 0.6


class EstimatedHouse(NamedTuple):
    """Estimated objects of a house, and those that are really present."""

    estimated: tuple[MapObject, ...]
    true: tuple[MapObject, ...]


def estimate_house(seed: int, rooms: int = ROOMS, least_votes: int = 1) -> EstimatedHouse:
    """Generate a house, and a possible estimate of it after some votes."""
    random = np.random.default_rng(seed)
    sigma = SIGMAS[seed % len(SIGMAS)]
    objects = generate_house(seed, rooms).objects
    labels = Counter(each.label for each in objects)
    colors = Counter(each.color for each in objects)
    estimated, true = [], []
    for each in objects:
        confidence = random.uniform(LEAST_CONFIDENCE, 1.0)
        if random.random() < confidence:
            true.append(each)
        classes = _vote(each.label, labels, least_votes, random)
        named = _vote(each.color, colors, least_votes, random)
        seen = replace(
            each,
            label=max(classes, key=classes.__getitem__),
            position=each.position + random.normal(0.0, sigma, 3),
            covariance=np.eye(3) * sigma**2,
            colors=_swatches(named),
            classes=classes,
            confidence=confidence,
        )
        estimated.append(seen)
    return EstimatedHouse(tuple(estimated), tuple(true))


def _vote(
    word: str, frequencies: Counter[str], least: int, random: np.random.Generator
) -> dict[str, float]:
    """Draw votes of a detector, and return the posterior."""
    words = sorted(frequencies)
    wrong = CONFUSION / (len(words) - 1)
    chances = np.where(np.array(words) == word, 1.0 - CONFUSION, wrong)
    votes = random.multinomial(least + random.integers(MORE_VOTES), chances / chances.sum())
    logs = votes * np.log((1.0 - CONFUSION) / wrong)
    posterior = np.array([frequencies[each] for each in words]) * np.exp(logs - logs.max())
    shares = (posterior / posterior.sum()).tolist()
    return dict(zip(words, shares, strict=True))


def _swatches(named: dict[str, float]) -> tuple[Swatch, ...]:
    ordered: Sequence[str] = sorted(named, key=named.__getitem__, reverse=True)
    return tuple(Swatch(name, named[name]) for name in ordered)
