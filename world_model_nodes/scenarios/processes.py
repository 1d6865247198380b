# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Runner of the nodes of a scenario: one process each, until a node ends or the user stops it.

A node that the launch file respawns is started again. Each node has its own session: Ctrl-C in a
terminal reaches only the runner, which sends one SIGINT to each node. If the runner is killed, the
kernel kills the nodes.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias, cast

from world_model_nodes.scenarios.command_line import command_line
from world_model_nodes.scenarios.launch_arguments import parse_arguments
from world_model_nodes.scenarios.launch_xml import LaunchFileError
from world_model_nodes.scenarios.node_process import NodeProcess
from world_model_nodes.scenarios.plan import NodePlan, locate_scenario, plan_scenario
from world_model_nodes.scenarios.respawn import Restarts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
SIGNALS = (*STOP_SIGNALS, signal.SIGHUP)
# Signals that stop a node, each with the time to wait before the next one [s]; as in launch.
ESCALATION = ((signal.SIGINT, 5.0), (signal.SIGTERM, 5.0), (signal.SIGKILL, None))
# A longer line is printed in pieces, so that endless output cannot fill the memory [bytes].
LINE_LIMIT = 2**20
# Time to wait for the rest of the output: a child process of a node may keep it open [s].
OUTPUT_GRACE = 1.0
_COLORS = (36, 33, 32, 35, 34, 31)
_SCREEN = Lock()


def run_scenario(name_or_path: str, arguments: Sequence[str]) -> int:
    """
    Run a scenario until a node ends that is not restarted, or SIGINT, SIGTERM or SIGHUP arrives.

    Then stop all nodes.

    Another signal while the nodes are being stopped sends the next, stronger signal at once.

    Parameters
    ----------
    name_or_path : str
        Name of an installed scenario, or path of an XML launch file.
    arguments : sequence of str
        Each ``name:=value``.

    Returns
    -------
    int
        0 if every node ended with 0 or by the SIGINT that stopped it; otherwise the exit code of
        the first node that did not, with 128 + n for signal n.

    Raises
    ------
    ArgumentError
        The arguments do not fit the scenario.
    LaunchFileError
        The launch file, or a file or package named in it, cannot be used.

    """
    return run_nodes(plan_scenario(locate_scenario(name_or_path), parse_arguments(arguments)))


def run_nodes(plan: Sequence[NodePlan]) -> int:
    """
    Run nodes until one ends for good or a signal arrives; return the exit code of `run_scenario`.

    Raises
    ------
    LaunchFileError
        The plan is empty.

    """
    if not plan:
        raise LaunchFileError('the launch file starts no node')
    with TemporaryDirectory(prefix='world_model_') as folder:
        return _Runner(plan, Path(folder)).run()


class _Node:
    """A node of the plan, with its present process while it has one."""

    def __init__(self, plan: NodePlan, folder: Path) -> None:
        self.label = plan.label
        self.restarts = Restarts(plan.respawn)
        self.process: NodeProcess | None = None
        self._words = command_line(plan, folder)
        self._blocked = STOP_SIGNALS if plan.unblocks_signals else ()

    def start(self) -> NodeProcess:
        self.process = NodeProcess(self.label, self._words, self._blocked)
        return self.process


# Events of the runner: a process that ended, or the number of a signal.
_Events: TypeAlias = 'SimpleQueue[NodeProcess | int]'


class _Runner:
    """Runs the nodes of one plan."""

    def __init__(self, plan: Sequence[NodePlan], folder: Path) -> None:
        self._nodes = [_Node(node, folder) for node in plan]
        self._events: _Events = SimpleQueue()
        self._relays: list[Thread] = []
        # Times at which nodes start again [s].
        self._due: dict[_Node, float] = {}

    def run(self) -> int:
        with _blocked_signals():
            for node in self._nodes:
                self._start(node)
            _in_background(_await_signals, self._events)
            last_word, ended = self._run_until_end()
            self._stop(ended)
        for relay in self._relays:
            relay.join(OUTPUT_GRACE)
        return _conclude(ended, last_word)

    def _start(self, node: _Node) -> None:
        process = node.start()
        number = self._nodes.index(node)
        self._relays = [relay for relay in self._relays if relay.is_alive()]
        self._relays.append(_in_background(_relay, process, number, self._events))
        _in_background(_await_end, process, self._events)

    def _run_until_end(self) -> tuple[str, list[NodeProcess]]:
        """Restart nodes until a signal arrives or one ends for good; return why, and which."""
        while True:
            event = self._next_event()
            if isinstance(event, int):
                _print(f'{signal.Signals(event).name} received')
                return '', []
            if event is None:
                self._start_due()
            elif (last_word := self._restart(event)) is not None:
                return last_word, [event]

    def _next_event(self) -> NodeProcess | int | None:
        """Wait for an event; return None when it is time to start a node again."""
        timeout = min(self._due.values()) - time.monotonic() if self._due else None
        try:
            return self._events.get(timeout=timeout and max(0.0, timeout))
        except Empty:
            return None

    def _restart(self, ended: NodeProcess) -> str | None:
        """Plan the restart of a node; return why not if it ended for good."""
        node = next(each for each in self._nodes if each.process is ended)
        verdict = node.restarts.judge(ended.process.returncode, ended.uptime)
        _print(f'{ended.end}; {verdict.text}')
        if verdict.delay is None:
            return verdict.text
        node.process = None
        self._due[node] = time.monotonic() + verdict.delay
        return None

    def _start_due(self) -> None:
        now = time.monotonic()
        for node in [node for node, due in self._due.items() if due <= now]:
            del self._due[node]
            self._start(node)

    def _stop(self, ended: list[NodeProcess]) -> None:
        """Stop all nodes that run; append them to `ended` in the order in which they end."""
        running = [node.process for node in self._nodes if node.process is not None]
        for number, timeout in ESCALATION:
            for process in running:
                if process not in ended:
                    _print(f'sending {number.name} to [{process.label}]')
                    process.process.send_signal(number)
            if self._all_end(running, ended, timeout):
                break

    def _all_end(
        self, running: list[NodeProcess], ended: list[NodeProcess], timeout: float | None
    ) -> bool:
        """Wait until all have ended, for `timeout` seconds (None: unlimited) or until a signal."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not set(running).issubset(ended):
            try:
                event = self._events.get(
                    timeout=deadline and max(0.0, deadline - time.monotonic())
                )
            except Empty:
                return False
            if isinstance(event, NodeProcess):
                ended.append(event)
            elif deadline is not None:
                return False
        return True


@contextlib.contextmanager
def _blocked_signals() -> Iterator[None]:
    """Block the terminating signals for `_await_signals`; threads inherit the mask."""
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)


def _await_signals(events: _Events) -> None:
    """Queue each signal; unlike a handler, this cannot miss one just before a thread waits."""
    while True:
        events.put(signal.sigwait(SIGNALS))


def _in_background(function: Callable[..., None], *arguments: Any) -> Thread:
    thread = Thread(target=function, args=arguments, daemon=True)
    thread.start()
    return thread


def _await_end(process: NodeProcess, events: _Events) -> None:
    process.process.wait()
    events.put(process)


def _relay(process: NodeProcess, number: int, events: _Events) -> None:
    """Print the output of a node line by line, without decoding it."""
    prefix = f'[{process.label}]'
    if sys.stdout.isatty():
        prefix = f'\x1b[{_COLORS[number % len(_COLORS)]}m{prefix}\x1b[0m'
    with cast('BinaryIO', process.process.stdout) as output:
        for line in iter(lambda: output.readline(LINE_LIMIT), b''):
            _write(prefix.encode() + b' ' + line.rstrip(b'\r\n') + b'\n', events)


def _write(line: bytes, events: _Events) -> None:
    with _SCREEN:
        try:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            # The reader of the output has ended (`| head`): discard the rest, stop the nodes.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            events.put(signal.SIGPIPE)


def _conclude(ended: list[NodeProcess], last_word: str) -> int:
    """Print which node determines the exit code, and return that code."""
    if not ended:  # the signal came while every node waited for its next start
        return 0
    decisive = next((process for process in ended if process.failed), ended[0])
    how = '' if decisive.failed else 'all nodes ended, first '
    why = f'; {last_word}' if last_word and decisive is ended[0] else ''
    _print(f'{how}{decisive.end}{why}')
    return decisive.exit_code if decisive.failed else 0


def _print(message: str) -> None:
    sys.stderr.write(f'world_model run: {message}\n')
    sys.stderr.flush()
