# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model world landmarks`: the map of a world for localizers."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from world_model_core.virtual_world.senses.landmarks import fixed_landmarks
from world_model_nodes.commands.world_source import load_named_world
from world_model_nodes.virtual_world.engine_import import import_engine

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from world_model_core.virtual_world.senses.landmarks import Landmarks

# Digits of a coordinate: millimeters.
DIGITS = 3


def print_landmarks(path: Path, assets: Sequence[Path], *, as_json: bool) -> None:
    """
    Read a world, and print its landmarks as a parameter file or JSON.

    Raises
    ------
    WorldFileError, EngineError
        The world cannot be used.
    ConfigurationError
        MuJoCo is not installed.

    """
    engine_type = import_engine()
    world, _ = load_named_world(path, assets)
    landmarks = fixed_landmarks(engine_type(world))
    sys.stdout.write(_document(landmarks) if as_json else _parameters(landmarks))


def _document(landmarks: Landmarks) -> str:
    places = zip(landmarks.names, landmarks.places.round(DIGITS).tolist(), strict=True)
    listed = [{'name': name, 'x': x, 'y': y} for name, (x, y) in places]
    return json.dumps({'landmarks': listed}, ensure_ascii=False) + '\n'


def _parameters(landmarks: Landmarks) -> str:
    numbers = landmarks.places.round(DIGITS).ravel().tolist()
    return (
        '# Landmarks of virtual_world and of the map of the localizers: x and y of each [m].\n'
        f'/**:\n  ros__parameters:\n    landmarks: {numbers}\n'
    )
