# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Processes that keep processors busy while something is measured."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """Run a number of endless loops, each in a process of its own."""
    with ExitStack() as stack:
        for _ in range(count):
            loop = subprocess.Popen((sys.executable, '-c', 'while True: pass'))
            stack.callback(loop.wait)
            stack.callback(loop.kill)
        yield
