# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""From an instruction to way points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.answer import InstructionAnswer, WayPoint
from world_model_core.objects.appraisal import AVOIDING
from world_model_core.objects.choice import rank
from world_model_core.objects.phrases import say_object, say_step

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.objects.answer import Scene
    from world_model_core.objects.query import Instruction
    from world_model_core.objects.resolution import Resolver


def plan(
    query: Instruction, resolver: Resolver, weights: Array, scene: Scene
) -> InstructionAnswer:
    """Lead from step to step."""
    points, objects, probability = [], [], 1.0
    for step in query.steps:
        if step.action not in AVOIDING:
            choices = [rank(target, resolver, weights) for target in step.targets]
            chosen = [choice.objects[0] for choice in choices]
            probability *= float(np.prod([choice.probabilities[0] for choice in choices]))
            x, y = np.mean([each.position[:2] for each in chosen], axis=0).tolist()
            named = ', '.join(say_object(each) for each in chosen)
            points.append(WayPoint(x, y, 0.0, f'{say_step(step)}: {named}'))
            objects += chosen
    notes = () if scene.robot is not None else ('the way begins at its first goal',)
    return InstructionAnswer(query, tuple(points), min(1.0, probability), tuple(objects), notes)
