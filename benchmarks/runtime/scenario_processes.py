# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The processes of a running scenario."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_nodes.scenarios.plan import NodePlan


def isolate_ros() -> None:
    """Separate this process and its children from other ROS systems."""
    os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
    os.environ['ROS_DOMAIN_ID'] = str(os.getpid() % 100 + 1)


@contextmanager
def running_scenario(
    scenario: str, arguments: tuple[str, ...]
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a scenario within the context."""
    code = 'import sys; from world_model_nodes.commands.main import main; sys.exit(main())'
    words = (sys.executable, '-c', code, 'run', scenario, *arguments)
    with subprocess.Popen(  # noqa: S603 (fixed command)
        words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as runner:
        try:
            yield runner
        finally:
            runner.send_signal(signal.SIGINT)


def pid_of(node: NodePlan, runner: subprocess.Popen[bytes]) -> int:
    """Find the process of a node among the children of the runner."""
    executable = str(node.executable).encode()
    for folder in Path('/proc').glob('[0-9]*'):
        try:
            parent = int((folder / 'stat').read_text().rpartition(')')[2].split()[1])
            words = (folder / 'cmdline').read_bytes().split(b'\0')
        except OSError:  # a process that has just ended
            continue
        if parent == runner.pid and executable in words:
            return int(folder.name)
    raise LookupError(f'{node.label} does not run')
