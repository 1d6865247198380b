# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model world landmarks`: the map of a world for localizers."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from world_model_core.virtual_world.senses.base_motion import base_motions
from world_model_core.virtual_world.senses.landmarks import fixed_landmarks
from world_model_core.virtual_world.topic_names import escape_name
from world_model_nodes.commands.world_source import load_named_world
from world_model_nodes.virtual_world.engine_import import import_engine

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from world_model_core.virtual_world.senses.landmarks import Landmarks

# Digits of a coordinate: millimeters.
DIGITS = 3


def print_landmarks(path: Path, assets: Sequence[Path], seed: int, *, as_json: bool) -> None:
    """
    Read a world, and print its landmarks and robots as a parameter file or JSON.

    Parameters
    ----------
    path : Path
        A file, `house` or `kitchen`.
    assets : sequence of Path
    seed : int
        Of a house.
    as_json : bool

    Raises
    ------
    WorldFileError, EngineError
        The world cannot be used.
    ConfigurationError
        MuJoCo is not installed.

    """
    engine_type = import_engine()
    world, _ = load_named_world(path, assets, seed)
    engine = engine_type(world)
    robots = {
        each.name: base_motions(engine, (each.name,)).poses[0].round(DIGITS).tolist()
        for each in world.entities
        if each.wheels is not None
    }
    write = _document if as_json else _parameters
    sys.stdout.write(write(fixed_landmarks(engine), robots))


def _document(landmarks: Landmarks, robots: Mapping[str, list[float]]) -> str:
    places = zip(landmarks.names, landmarks.places.round(DIGITS).tolist(), strict=True)
    listed = [{'name': name, 'x': x, 'y': y} for name, (x, y) in places]
    starts = {
        name: {'x': x, 'y': y, 'heading': heading} for name, (x, y, heading) in robots.items()
    }
    return json.dumps({'landmarks': listed, 'robots': starts}, ensure_ascii=False) + '\n'


def _parameters(landmarks: Landmarks, robots: Mapping[str, list[float]]) -> str:
    numbers = landmarks.places.round(DIGITS).ravel().tolist()
    lines = [
        '# Landmarks of virtual_world and of the map of the localizers: x and y of each [m].',
        *('/**:', '  ros__parameters:', f'    landmarks: {numbers}'),
    ]
    for name, pose in robots.items():
        lines += [
            f'/**/{escape_name(name)}/*:',
            '  ros__parameters:',
            f'    initial_pose: {pose} # x, y [m] and heading [rad] at the start',
        ]
    return '\n'.join((*lines, ''))
