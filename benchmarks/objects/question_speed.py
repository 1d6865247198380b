# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Time per answer, for a map of 1,000 uncertain objects.

Questions are parsed and answered one by one, without repetitions. The baseline is a loop in plain
Python over the objects, which ignores uncertainty and knows the meaning of the question.
"""

from __future__ import annotations

import math
import time
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.objects.estimated_house import estimate_house
from benchmarks.objects.simulated_questions import COUNT, INSTRUCTION, REFERENCE, Questioner
from benchmarks.timing import one_core
from world_model_core.objects.answer import Scene
from world_model_core.objects.answering.answerer import Answerer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from world_model_core.objects.values import MapObject

OBJECTS, QUESTIONS = 1000, 1000
SEED, ROOMS = 0, 40
# Least number of frames in which each object was detected.
VOTES = 4
TARGET_MS = 5.0


def measure(questions: int = QUESTIONS) -> dict[str, Any]:
    """Answer questions and measure the time of each."""
    house = estimate_house(SEED, ROOMS, VOTES)
    estimated = house.estimated[:OBJECTS]
    known = {each.id for each in estimated}
    true = [each for each in house.true if each.id in known]
    asked = Questioner(true, np.random.default_rng(0)).ask(questions)
    scene, answerer = Scene(estimated), Answerer()
    answerer.answer('How many objects are there?', scene)
    times: dict[str, list[float]] = {COUNT: [], REFERENCE: [], INSTRUCTION: []}
    loops: list[float] = []
    with one_core():
        for question in asked:
            times[question.type].append(clock(partial(answerer.answer, question.text, scene)))
            loops.append(clock(partial(search, estimated, question.labels)))
    together = [each for kind in times.values() for each in kind]
    return {
        'objects': len(estimated),
        'questions': len(asked),
        'target of the median [ms]': TARGET_MS,
        'median [ms]': round(1e3 * median(together), 2),
        '90th percentile [ms]': round(1e3 * float(np.quantile(together, 0.9)), 2),
        'median by type [ms]': {
            kind: round(1e3 * median(each), 2) for kind, each in times.items()
        },
        'loop in plain Python, median [ms]': round(1e3 * median(loops), 2),
        'ratio to the loop': round(median(together) / median(loops), 2),
    }


def clock(task: Callable[[], object]) -> float:
    """Return the processor time of a task [s]."""
    start = time.process_time()
    task()
    return time.process_time() - start


def search(objects: Sequence[MapObject], phrases: Iterable[tuple[str, ...]]) -> list[str]:
    """Find the objects of a class, or the nearest ones to another class, by loops."""
    found = []
    for label, *anchors in phrases:
        best = math.inf
        for each in objects:
            if each.label == label and not anchors:
                found.append(each.id)
            for other in objects if each.label == label and anchors else ():
                if other.label == anchors[0]:
                    apart = math.dist(each.position, other.position)
                    if apart < best:
                        best = apart
                        found.append(each.id)
    return found
