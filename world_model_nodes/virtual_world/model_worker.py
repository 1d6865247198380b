# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The process in which models are tried, see `model_check`.

Each request is a line of JSON, followed by the contents of the assets. Each answer is one or more
lines of JSON: the name of each entity before it is tried, then the result.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from typing import TYPE_CHECKING, Any

from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.engine.errors import DivergedError
from world_model_core.virtual_world.values import Entity, Model, ModelFormat, World

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import BinaryIO

# Steps that are tried; what aborts MuJoCo does so in the first.
STEPS = 3
# The node stops waiting before [s].
LONGEST = 90


def main(memory: int) -> None:
    """Answer requests until the input ends, with at most some memory [bytes]."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # MuJoCo may print; answers go where the standard output was.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), 'w', buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    while request := sys.stdin.buffer.readline():
        # Ends a trial without end also after the node has died: no signal handler, no Python.
        signal.alarm(LONGEST)
        entities = [_entity(each, sys.stdin.buffer) for each in json.loads(request)]
        for number, entity in enumerate(entities):
            print(json.dumps({'trying': number}), file=answers)
            reason = try_entities([entity])
            if reason:
                break
        else:
            reason = try_entities(entities) if len(entities) > 1 else ''
        signal.alarm(0)
        print(json.dumps({'reason': reason}), file=answers)


def try_entities(entities: Sequence[Entity]) -> str:
    """Compile entities in one world and take some steps; return why that fails, or ''."""
    try:
        engine = Engine(World('trial', tuple(entities), ground=False))
        for _ in range(STEPS):
            engine.step(engine.world.step)
    except DivergedError:
        # The world handles this while it runs.
        return ''
    # MuJoCo raises several errors, also FatalError for what would otherwise abort it.
    except Exception as error:  # noqa: BLE001
        return str(error) or type(error).__name__
    return ''


def _entity(values: dict[str, Any], stream: BinaryIO) -> Entity:
    assets = {key: stream.read(size) for key, size in values['assets'].items()}
    model = Model(ModelFormat(values['format']), values['text'], assets)
    return Entity(
        values['name'], model=model, movable=values['movable'], dynamics=values['dynamics']
    )


if __name__ == '__main__':
    main(int(sys.argv[1]))
