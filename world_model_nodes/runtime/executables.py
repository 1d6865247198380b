# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Entry points of the nodes: `executables:NAME` runs the node NAME.

Importing a node takes about a second. SIGINT and SIGTERM end the process quietly during the import
as well: when one node of a scenario refuses to start, the others are stopped while they import,
and their tracebacks would hide its error.
"""

from __future__ import annotations

import os
import signal
from functools import partial
from typing import TYPE_CHECKING

from world_model_nodes.nodes import NODES
from world_model_nodes.runtime.registry import import_node

if TYPE_CHECKING:
    from collections.abc import Callable


def _run(name: str) -> None:
    """Import a node's module and run the node."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, _end) for number in numbers]
    module = import_node(name)
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)
    module.main()


def _end(*_: object) -> None:
    """Exit at once: an exception during an import could be reported as a failed import."""
    os._exit(0)


def __getattr__(name: str) -> Callable[[], None]:
    """Return the entry point of a node by the node's name."""
    if name in NODES:
        return partial(_run, name)
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
