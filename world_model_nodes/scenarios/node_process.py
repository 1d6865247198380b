# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Process of a node: its start in a session of its own, and its end in words."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# A program between this process and the node: Python may not run code between fork and exec while
# other threads run. Background jobs of a shell ignore SIGINT, and Python ignores SIGPIPE and
# SIGXFSZ; a node must inherit none of this. It is killed when this process dies, which may have
# happened before prctl(PR_SET_PDEATHSIG).
_STARTER = """
import ctypes, os, signal, sys
parent, blocked, *words = sys.argv[1:]
for name in ('SIGINT', 'SIGTERM', 'SIGHUP', 'SIGPIPE', 'SIGXFSZ'):
    signal.signal(getattr(signal, name), signal.SIG_DFL)
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
if os.getppid() != int(parent):
    sys.exit(1)
signal.pthread_sigmask(signal.SIG_SETMASK, [int(each) for each in blocked.split()])
try:
    os.execv(words[0], words)
except OSError as error:
    sys.exit(f'{words[0]} cannot be started: {error}')
"""


class NodeProcess:
    """
    A process with a label, started at once.

    Parameters
    ----------
    label : str
        Prefix of its output.
    words : sequence of str
        Command line.
    blocked : sequence of int
        Signals that are blocked at its start; the caller has blocked all that end it.

    """

    def __init__(self, label: str, words: Sequence[str], blocked: Sequence[int]) -> None:
        self.label = label
        self._started = time.monotonic()
        numbers = ' '.join(str(int(number)) for number in blocked)
        self.process = subprocess.Popen(  # noqa: S603 - the command is the input of this module
            [sys.executable, '-ISc', _STARTER, str(os.getpid()), numbers, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    @property
    def uptime(self) -> float:
        """Time since its start [s]."""
        return time.monotonic() - self._started

    @property
    def failed(self) -> bool:
        """Whether it ended neither with 0 nor by SIGINT, with which nodes are stopped."""
        return self.process.returncode not in (0, -signal.SIGINT)

    @property
    def exit_code(self) -> int:
        """Exit code as in a shell: 128 + n for signal n."""
        code = self.process.returncode
        return code if code >= 0 else 128 - code

    @property
    def end(self) -> str:
        """How it ended, for the user."""
        code = self.process.returncode
        how = f'exit code {code}' if code >= 0 else signal.Signals(-code).name
        return f'[{self.label}] ended with {how}'
