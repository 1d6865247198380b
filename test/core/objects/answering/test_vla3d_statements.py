# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Referential statements of VLA-3D are resolved."""

from __future__ import annotations

from dataclasses import replace

import pytest

from world_model_core.objects.answer import ReferenceAnswer
from world_model_core.objects.answering.answerer import Answerer
from world_model_core.objects.documents.scene_files import load_scene, load_statements

SCENES = ('3RScan_02b33e01-be2b-2d54-93fb-4145a709cec5', 'ARKitScenes_47204840')


@pytest.mark.parametrize('name', SCENES)
def test_statements_mean_their_objects(name, shared_data):
    """At least 99 of 100 statements of a scene lead to the object that they describe."""
    folder = shared_data(f'vla/vla3d/{name}')
    scene, statements, right = load_scene(folder), load_statements(folder), 0
    rooms = {
        region: replace(
            scene,
            objects=tuple(each for each in scene.objects if each.extra.get('region_id') == region),
        )
        for region in {statement.region for statement in statements}
    }
    answerer = Answerer()
    for statement in statements:
        answer = answerer.answer(statement.text, rooms[statement.region])
        right += isinstance(answer, ReferenceAnswer) and answer.object.id == statement.target
    assert right >= 0.99 * len(statements) > 0
