# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Where each node's process begins.

A node takes about a second to import. A signal meanwhile must be as quiet an end as a later one:
when one node of a scenario refuses to start, the others are stopped as they import, and their
traces from amid an import would bury its reason.
"""

from __future__ import annotations

import importlib
import os
import signal
from functools import partial


def _run(name: str) -> None:
    """Import a node's module and run the node."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, _end) for number in numbers]
    module = importlib.import_module(f'world_model_nodes.{name}')
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)
    module.main()


def _end(*_: object) -> None:
    """End at once: an exception in the midst of an import could be taken for a failed one."""
    os._exit(0)


ball_predictor = partial(_run, 'ball_predictor')
ekf_localizer = partial(_run, 'ekf_localizer')
house_simulator = partial(_run, 'house_simulator')
object_map = partial(_run, 'object_map')
particle_localizer = partial(_run, 'particle_localizer')
question_answerer = partial(_run, 'question_answerer')
robot_simulator = partial(_run, 'robot_simulator')
ssl_receiver = partial(_run, 'ssl_receiver')
ssl_replay = partial(_run, 'ssl_replay')
ssl_simulator = partial(_run, 'ssl_simulator')
world_bundle = partial(_run, 'world_bundle')
world_model_publisher = partial(_run, 'world_model_publisher')
