# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Share of VLA-3D's referential statements that are resolved, scene by scene.

A statement refers to the objects of its room. Only the text of the statement is used.
"""

from __future__ import annotations

import time
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.match.recording import RECORDINGS
from world_model_core.objects.answer import ReferenceAnswer
from world_model_core.objects.answering.answerer import Answerer
from world_model_core.objects.documents.scene_files import load_scene, load_statements

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from world_model_core.objects.answer import Scene
    from world_model_core.objects.documents.vla3d import Statement

SCENES = RECORDINGS / 'vla' / 'vla3d'
TARGET = 0.99
# Number of wrong statements that are listed.
LISTED = 20


def measure(folder: Path = SCENES) -> dict[str, Any]:
    """Evaluate all scenes of a folder that have statements."""
    folders = sorted(path.parent for path in folder.glob('*/*_referential_statements.json*'))
    return {
        'target of each scene': TARGET,
        'scenes': {path.name: try_scene(path) for path in folders},
    }


def try_scene(folder: Path) -> dict[str, Any]:
    """Resolve every statement of a scene in its room."""
    scene, statements = load_scene(folder), load_statements(folder)
    answerers = {room: Answerer() for room in {each.region for each in statements}}
    rooms = {room: replace(scene, objects=tuple(_inside(scene, room))) for room in answerers}
    wrong, times = [], []
    for statement in statements:
        start = time.process_time()
        answer = answerers[statement.region].answer(statement.text, rooms[statement.region])
        times.append(time.process_time() - start)
        if not _is_right(answer, statement):
            wrong.append(statement.text)
    return {
        'statements': len(statements),
        'right': round(1.0 - len(wrong) / max(1, len(statements)), 4),
        'median time [ms]': round(1e3 * median(times), 2),
        'wrong': wrong[:LISTED],
    }


def _inside(scene: Scene, room: str) -> Iterable[Any]:
    return (each for each in scene.objects if each.extra.get('region_id') == room)


def _is_right(answer: object, statement: Statement) -> bool:
    return isinstance(answer, ReferenceAnswer) and answer.object.id == statement.target
