# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Runner of the nodes of a scenario: one process each, until a node ends or the user stops it.

Each node has its own session: Ctrl-C in a terminal reaches only the runner, which sends one SIGINT
to each node. If the runner is killed, the kernel kills the nodes (PR_SET_PDEATHSIG).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias, cast

from world_model_nodes.scenarios.command_line import command_line
from world_model_nodes.scenarios.launch_arguments import parse_arguments
from world_model_nodes.scenarios.launch_xml import LaunchFileError
from world_model_nodes.scenarios.plan import NodePlan, locate_scenario, plan_scenario

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
_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_SCREEN = Lock()


def run_scenario(name_or_path: str, arguments: Sequence[str]) -> int:
    """
    Run a scenario until a node ends, or SIGINT, SIGTERM or SIGHUP arrives; then stop all nodes.

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
    Run nodes until one ends or a signal arrives; return the exit code of `run_scenario`.

    Raises
    ------
    LaunchFileError
        The plan is empty, or an executable cannot be started; the started nodes are stopped.

    """
    if not plan:
        raise LaunchFileError('the launch file starts no node')
    with TemporaryDirectory(prefix='world_model_') as folder:
        return _supervise(plan, Path(folder))


@dataclass(frozen=True, eq=False)
class _Child:
    """Process of a node, with the label of its output."""

    label: str
    process: subprocess.Popen[bytes]

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
        code = self.process.returncode
        how = f'exit code {code}' if code >= 0 else signal.Signals(-code).name
        return f'[{self.label}] ended with {how}'


# Events of the runner: a node that ended, or the number of a signal.
_Events: TypeAlias = 'SimpleQueue[_Child | int]'


def _supervise(plan: Sequence[NodePlan], folder: Path) -> int:
    events: _Events = SimpleQueue()
    with _blocked_signals():
        children = _start(plan, folder)
        relays = [
            _in_background(_relay, child, number, events) for number, child in enumerate(children)
        ]
        for child in children:
            _in_background(_await_end, child, events)
        _in_background(_await_signals, events)
        ended = _stop_after(events.get(), children, events)
    for relay in relays:
        relay.join(OUTPUT_GRACE)
    return _conclude(ended)


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


def _start(plan: Sequence[NodePlan], folder: Path) -> list[_Child]:
    children: list[_Child] = []
    try:
        for node in plan:
            blocked = STOP_SIGNALS if node.unblocks_signals else ()
            children.append(_Child(node.label, _open(command_line(node, folder), blocked)))
    except OSError as error:
        for child in children:
            child.process.kill()
            child.process.wait()
        raise LaunchFileError(f'{node.executable} cannot be started: {error}') from error
    return children


def _open(words: Sequence[str], blocked: Sequence[int]) -> subprocess.Popen[bytes]:
    """Start a process that is killed when this one dies; no other thread may run yet."""
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()

    def prepare() -> None:
        # Background jobs of a shell ignore SIGINT, and child processes would inherit that.
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        # The parent may have died before prctl was called.
        if os.getppid() != parent:
            os._exit(1)

    return subprocess.Popen(  # noqa: S603 - the command is the input of this module
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=prepare,  # noqa: PLW1509 - no thread runs yet
    )


def _in_background(function: Callable[..., None], *arguments: Any) -> Thread:
    thread = Thread(target=function, args=arguments, daemon=True)
    thread.start()
    return thread


def _await_end(child: _Child, events: _Events) -> None:
    child.process.wait()
    events.put(child)


def _relay(child: _Child, number: int, events: _Events) -> None:
    """Print the output of a node line by line, without decoding it."""
    prefix = f'[{child.label}]'
    if sys.stdout.isatty():
        prefix = f'\x1b[{_COLORS[number % len(_COLORS)]}m{prefix}\x1b[0m'
    output = cast('BinaryIO', child.process.stdout)
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


def _stop_after(event: _Child | int, children: list[_Child], events: _Events) -> list[_Child]:
    """Stop all nodes; return them in the order in which they ended."""
    ended = [event] if isinstance(event, _Child) else []
    _print(event.end if isinstance(event, _Child) else f'{signal.Signals(event).name} received')
    for number, timeout in ESCALATION:
        for child in children:
            if child not in ended:
                _print(f'sending {number.name} to [{child.label}]')
                child.process.send_signal(number)
        if _all_end(children, ended, events, timeout):
            break
    return ended


def _all_end(
    children: list[_Child],
    ended: list[_Child],
    events: _Events,
    timeout: float | None,
) -> bool:
    """Wait until all nodes end, for `timeout` seconds (None: unlimited) or until a signal."""
    deadline = None if timeout is None else time.monotonic() + timeout
    while len(ended) < len(children):
        try:
            event = events.get(timeout=deadline and max(0.0, deadline - time.monotonic()))
        except Empty:
            return False
        if isinstance(event, _Child):
            ended.append(event)
        elif deadline is not None:
            return False
    return True


def _conclude(ended: list[_Child]) -> int:
    """Print which node determines the exit code, and return that code."""
    failed = [child for child in ended if child.failed]
    decisive = failed[0] if failed else ended[0]
    _print(decisive.end if failed else f'all nodes ended, first {decisive.end}')
    return decisive.exit_code if failed else 0


def _print(message: str) -> None:
    sys.stderr.write(f'world_model run: {message}\n')
    sys.stderr.flush()
