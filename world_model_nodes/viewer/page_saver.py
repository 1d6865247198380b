# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A viewer that nobody sees: it keeps what it would show, writes it to a file, and ends."""

from __future__ import annotations

import sys
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from rclpy.clock import Clock, ClockType
from rclpy.executors import ExternalShutdownException

from world_model_core.errors import ConfigurationError
from world_model_core.files.atomic_write import write_atomically
from world_model_nodes.runtime.lifecycle import run
from world_model_nodes.viewer.saved_page import saved_page
from world_model_nodes.viewer.viewer import Viewer
from world_model_nodes.viewer.viewer_config import LONGEST_KEEP

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from world_model_nodes.viewer.guard import GuardedServer

# Of looking whether it is time to end [s].
PERIOD = 0.1
# Longest time until there is anything to keep [s].
PATIENCE = 30.0


class PageSaver(Viewer):
    """
    Keeps states for a time from the first one on, and writes them to an HTML file.

    Parameters
    ----------
    path : Path
    duration : float
        [s, real time].
    **kwargs
        Of the node.

    """

    def __init__(self, path: Path, duration: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._path, self._duration = path, duration
        # When the node started, and when it kept the first state [s].
        self._started_at, self._first_at = monotonic(), 0.0
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._watch = self.create_timer(PERIOD, self._end_in_time, clock=steady)

    def announce(self, server: GuardedServer) -> None:
        """Tell nobody of the page."""

    def _end_in_time(self) -> None:
        now = monotonic()
        if not len(self._history):
            if now - self._started_at > PATIENCE:
                raise ConfigurationError(f'no scenario to show was found within {PATIENCE:g} s')
            return
        self._first_at = self._first_at or now
        if now - self._first_at >= self._duration:
            self._write()
            raise ExternalShutdownException

    def _write(self) -> None:
        page = saved_page(self._history).encode()
        try:
            write_atomically(self._path, page)
        except OSError as error:
            raise ConfigurationError(f'{self._path}: {error}') from error
        states, seconds = len(self._history), self._history.age(0)
        size = len(page) / 1e6
        sys.stdout.write(f'{self._path}: {states} states of {seconds:.1f} s, {size:.1f} MB\n')


def save_page(path: Path, duration: float, arguments: Sequence[str]) -> None:
    """
    Write what is shown for some time to a file, and exit.

    Parameters
    ----------
    path : Path
    duration : float
        [s, real time].
    arguments : sequence of str
        Arguments of ROS.

    """
    own = ('-r', '__node:=page_saver', '-p', 'port:=0', '-p', f'keep:={LONGEST_KEEP}')
    run(partial(PageSaver, path, duration), ['--ros-args', *own, *arguments])
