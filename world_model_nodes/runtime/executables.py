# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Entry points of the nodes: `executables:NAME` runs the node NAME.

Importing a node takes about a second. SIGINT and SIGTERM end the process quietly during the import
as well: when one node of a scenario refuses to start, the others are stopped while they import,
and their tracebacks would hide its error. Therefore this module first handles these signals, for
the whole process, and then imports.
"""

from __future__ import annotations

import os
import signal


def _end(*_: object) -> None:
    """Exit at once: an exception during an import could be reported as a failed import."""
    os._exit(0)


_NUMBERS = (signal.SIGINT, signal.SIGTERM)
for _number in _NUMBERS:
    signal.signal(_number, _end)
# `world_model run` blocks them until here, so that none meets an interpreter without a handler.
signal.pthread_sigmask(signal.SIG_UNBLOCK, _NUMBERS)

import sys  # noqa: E402 - after the handlers, as all other imports
import traceback  # noqa: E402
from functools import partial  # noqa: E402
from typing import TYPE_CHECKING  # noqa: E402

from world_model_nodes.nodes import NODES  # noqa: E402
from world_model_nodes.runtime.registry import import_node  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable


def _run(name: str) -> None:
    """
    Import a node's module and run the node.

    An exception that nothing handles is a fault of the program: its exit code is not 1, with which
    a node refuses a value and which is final for `world_model run`.
    """
    try:
        import_node(name).main()
    except Exception:  # noqa: BLE001 - any fault: it is printed, and ends the process
        traceback.print_exc()
        sys.exit(os.EX_SOFTWARE)


def __getattr__(name: str) -> Callable[[], None]:
    """Return the entry point of a node by the node's name."""
    if name in NODES:
        return partial(_run, name)
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
