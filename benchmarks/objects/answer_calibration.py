# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Calibration of answers: of the answers with probability 0.8, eight in ten should be right.

Answers to questions about simulated houses, known with realistic uncertainty, are compared with
the truth. The expected calibration error is the mean over all answers of the difference between
probability and share of right answers, in ten equal bins (Naeini, Cooper, Hauskrecht, AAAI 2015).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.objects.estimated_house import estimate_house
from benchmarks.objects.simulated_questions import COUNT, INSTRUCTION, REFERENCE, Questioner
from world_model_core.objects.answer import (
    InstructionAnswer,
    NoAnswer,
    NumericalAnswer,
    ReferenceAnswer,
    Scene,
)
from world_model_core.objects.answering.answerer import Answerer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from world_model_core.objects.answer import Answer

QUESTIONS, HOUSES = 10_000, 100
BINS = 10
TARGET = 0.05


class Outcome(NamedTuple):
    """Type of a question, probability of its answer, and whether the answer was right."""

    type: str
    probability: float
    right: bool


def measure(questions: int = QUESTIONS, houses: int = HOUSES) -> dict[str, Any]:
    """Ask questions about houses, and compare probabilities with the share of right answers."""
    outcomes = [
        outcome for seed in range(houses) for outcome in answer_house(seed, questions // houses)
    ]
    return {
        'questions': len(outcomes),
        'houses': houses,
        'target of the expected calibration error': TARGET,
        'all': rate(outcomes),
        **{
            kind: rate([each for each in outcomes if each.type == kind])
            for kind in (COUNT, REFERENCE, INSTRUCTION)
        },
    }


def answer_house(seed: int, number: int) -> list[Outcome]:
    """Ask questions about one house; missing answers count as wrong with probability 0."""
    house = estimate_house(seed)
    scene, answerer = Scene(house.estimated), Answerer()
    questioner = Questioner(house.true, np.random.default_rng((seed, 1)))
    outcomes = []
    for question in questioner.ask(number):
        answer = answerer.answer(question.text, scene)
        said, probability = _shorten(answer)
        outcomes.append(Outcome(question.type, probability, said == question.truth))
    return outcomes


def _shorten(answer: Answer) -> tuple[int | tuple[str, ...] | None, float]:
    if isinstance(answer, NoAnswer):
        return None, 0.0
    if isinstance(answer, NumericalAnswer):
        return answer.count, answer.probability
    if isinstance(answer, ReferenceAnswer):
        return (answer.object.id,), answer.probability
    assert isinstance(answer, InstructionAnswer)  # noqa: S101 (there is no other kind)
    return tuple(each.id for each in answer.objects), answer.probability


def rate(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Compute the calibration of probabilities, overall and per bin."""
    probabilities = np.array([each.probability for each in outcomes])
    right = np.array([each.right for each in outcomes], dtype=np.float64)
    bins = np.minimum((probabilities * BINS).astype(int), BINS - 1)
    counts = np.bincount(bins, minlength=BINS)
    expected = np.bincount(bins, probabilities, BINS) / np.maximum(counts, 1)
    found = np.bincount(bins, right, BINS) / np.maximum(counts, 1)
    error = float((counts * np.abs(expected - found)).sum() / counts.sum())
    return {
        'expected calibration error': round(error, 4),
        'right': round(float(right.mean()), 4),
        'mean probability': round(float(probabilities.mean()), 4),
        'bins': [
            {'answers': int(n), 'probability': round(float(p), 4), 'right': round(float(r), 4)}
            for n, p, r in zip(counts, expected, found, strict=True)
        ],
    }


def save_plot(results: dict[str, Any], path: Path) -> None:
    """Draw the reliability diagram."""
    import matplotlib as mpl  # noqa: PLC0415 (needed for plots only)

    mpl.use('Agg')
    from matplotlib import pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(figsize=(5.5, 5.0), layout='constrained')
    axes.plot((0, 1), (0, 1), color='0.7', linestyle='--', linewidth=1)
    for name in (COUNT, REFERENCE, INSTRUCTION, 'all'):
        bins = [each for each in results[name]['bins'] if each['answers']]
        x, y = ([each[key] for each in bins] for key in ('probability', 'right'))
        error = results[name]['expected calibration error']
        width = 2.5 if name == 'all' else 1.0
        axes.plot(x, y, marker='o', linewidth=width, label=f'{name}: error {error:.3f}')
    axes.set(xlabel='probability of the answer', ylabel='share of right answers')
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect='equal')
    axes.legend()
    figure.savefig(path, dpi=120)
    plt.close(figure)
