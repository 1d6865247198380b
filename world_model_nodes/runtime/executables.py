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
from typing import TYPE_CHECKING

from world_model_nodes.nodes import NODES

if TYPE_CHECKING:
    from collections.abc import Callable


def _run(name: str) -> None:
    """Import a node's module and run the node."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, _end) for number in numbers]
    module = importlib.import_module(f'world_model_nodes.{NODES[name]}.{name}')
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)
    module.main()


def _end(*_: object) -> None:
    """End at once: an exception in the midst of an import could be taken for a failed one."""
    os._exit(0)


def __getattr__(name: str) -> Callable[[], None]:
    """Return the entry point of a node, by the node's name."""
    if name in NODES:
        return partial(_run, name)
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
