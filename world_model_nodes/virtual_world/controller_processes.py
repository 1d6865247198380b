# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Processes of the controllers that a world names: they start with the world and end with it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

from world_model_nodes.runtime.child_python import environment
from world_model_nodes.runtime.io_thread import READ
from world_model_nodes.virtual_world import controller_supervisor
from world_model_nodes.virtual_world.controller_supervisor import END_MARK

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from world_model_core.virtual_world.agents.named_controllers import NamedController
    from world_model_nodes.runtime.io_thread import IoThread

SUPERVISOR = controller_supervisor.__file__
READ_BYTES = 2**16
# Time for the controllers to end by themselves, and for their supervisors after that [s].
GRACE, SUPERVISOR_GRACE = 0.5, 0.5


class ControllerProcess:
    """
    A controller in a process of its own, below a supervisor that ends it with all its children.

    Parameters
    ----------
    named : NamedController
    world : str
        Full name of the node.

    Attributes
    ----------
    agent : str
    end : str
        How it ended; empty while it runs.

    """

    def __init__(self, named: NamedController, world: str) -> None:
        self.agent, self.end = named.agent, ''
        self._rest = b''
        self._process = subprocess.Popen(  # noqa: S603 (our own module)
            [sys.executable, '-IS', SUPERVISOR, *_command(named, world)],
            env={**environment(), 'PYTHONUNBUFFERED': '1'},
            cwd=named.file.parent,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Ctrl-C ends the world, which ends the controller.
            start_new_session=True,
        )

    @property
    def output(self) -> int:
        """Descriptor of the output of the supervisor."""
        assert self._process.stdout is not None  # noqa: S101 (it is a pipe)
        return self._process.stdout.fileno()

    def read(self) -> list[str]:
        """Read lines of the controller; the last one, of the supervisor, sets `end`."""
        data = os.read(self.output, READ_BYTES)
        *lines, self._rest = (self._rest + data).split(b'\n')
        texts = [line.decode(errors='replace') for line in lines]
        if texts and texts[-1].startswith(END_MARK):
            self.end = texts.pop()[1:]
        elif not data:
            self.end = self.end or 'an end of its supervisor'
        return texts

    def kill(self) -> None:
        """End the controller with all its children, soon."""
        assert self._process.stdin is not None  # noqa: S101 (it is a pipe)
        self._process.stdin.close()

    def wait(self, seconds: float) -> bool:
        """Wait until all have ended; return whether they have."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True


class ControllerProcesses:
    """
    Runs the controllers that a world names.

    Parameters
    ----------
    thread : IoThread
        Reads the output.
    world : str
        Full name of the node.
    log : callable
        Receives the name of an agent and a line of its controller, in that thread.
    ended : callable
        Called in that thread when one has ended.

    """

    def __init__(
        self,
        thread: IoThread,
        world: str,
        log: Callable[[str, str], None],
        ended: Callable[[ControllerProcess], None],
    ) -> None:
        self._thread, self._world, self._log, self._ended = thread, world, log, ended
        self._running: list[ControllerProcess] = []

    def start(self, controllers: Sequence[NamedController]) -> None:
        """Start controllers, in the main thread."""
        for named in controllers:
            process = ControllerProcess(named, self._world)
            self._running.append(process)
            self._thread.call(partial(self._watch, process))

    @property
    def ends(self) -> dict[str, str]:
        """How those ended that run no longer, by their agents."""
        return {each.agent: each.end for each in self._running if each.end}

    def stop(self) -> None:
        """End all, after the connections to the world have been ended."""
        deadline = time.monotonic() + GRACE
        for process in self._running:
            process.wait(max(0.0, deadline - time.monotonic()))
        for process in self._running:
            process.kill()
        deadline = time.monotonic() + SUPERVISOR_GRACE
        for process in self._running:
            process.wait(max(0.0, deadline - time.monotonic()))
        self._running = []

    def _watch(self, process: ControllerProcess) -> None:
        self._thread.watch(process.output, READ, lambda _: self._read(process))

    def _read(self, process: ControllerProcess) -> None:
        for line in process.read():
            self._log(process.agent, line)
        if process.end:
            self._thread.watch(process.output, 0, lambda _: None)
            self._ended(process)


def _command(named: NamedController, world: str) -> list[str]:
    """Return the command of a controller."""
    file = str(named.file) + (f':{named.class_name}' if named.class_name else '')
    module = 'world_model_nodes.commands'
    options = ['--agent', named.agent, '--world', world, '--once']
    return [sys.executable, '-m', module, 'controller', file, *options]
