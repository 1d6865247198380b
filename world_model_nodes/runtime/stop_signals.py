# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""SIGINT and SIGTERM, each of which stops a node."""

from __future__ import annotations

import os
import signal
from threading import Thread
from typing import TYPE_CHECKING

from world_model_nodes.runtime.exit_timer import exit_after

if TYPE_CHECKING:
    from collections.abc import Callable

NUMBERS = (signal.SIGINT, signal.SIGTERM)
# Time for an orderly end; any end must come within 2 s [s].
PATIENCE = 1.5


class StopSignals:
    """
    The stop signals of this process: kept from construction on, for one action in a thread.

    rclpy's handler loses a signal now and then: the node stays in rcl_wait. Here Python's handler,
    in C, writes each signal to a pipe that the thread reads. In contrast to sigwait this needs no
    signal mask, which threads that an import has started before (OpenBLAS) would not have: the
    kernel may choose any of them to handle the signal.

    Attributes
    ----------
    received : bool
        Whether a signal has come; set before its action is called.

    """

    def __init__(self) -> None:
        self.received = False
        self._source, sink = os.pipe()
        os.set_blocking(sink, False)
        signal.set_wakeup_fd(sink, warn_on_full_buffer=False)
        for number in NUMBERS:
            signal.signal(number, _leave_to_thread)
        # A program that `hold` or `world_model run` has started begins with blocked signals.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, NUMBERS)

    def call_at_first(self, action: Callable[[], None]) -> None:
        """
        Call `action` in a thread at the first signal, which may have come already.

        If the process has not ended after PATIENCE, it exits with 0: a large file that is being
        loaded cannot be interrupted, nor can DDS, and no node may depend on an orderly end.
        """
        Thread(target=self._await, args=(action,), daemon=True).start()

    def _await(self, action: Callable[[], None]) -> None:
        # Signals of other handlers are in the pipe, too.
        while os.read(self._source, 1)[0] not in NUMBERS:
            pass
        self.received = True
        exit_after(PATIENCE)
        action()

    def hold(self) -> None:
        """Block the signals in this thread, so that a program that replaces this one gets them."""
        signal.pthread_sigmask(signal.SIG_BLOCK, NUMBERS)

    def ignore(self) -> None:
        """
        Ignore the signals from now on.

        In a terminal `ros2 launch` and its nodes receive the same Ctrl-C, and launch then sends
        SIGINT to the nodes again. During exit, Python would restore the handler that kills.
        """
        for number in NUMBERS:
            signal.signal(number, signal.SIG_IGN)


def _leave_to_thread(*_: object) -> None:
    """Do nothing in the main thread: Python's KeyboardInterrupt could be raised inside rclpy."""
