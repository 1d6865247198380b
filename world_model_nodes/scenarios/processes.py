# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Runs the nodes of a scenario, a process each, until one of them or the user ends it.

Each node leads a session of its own: a terminal's Ctrl-C reaches the runner alone, which passes
one SIGINT on. Should the runner be killed, the kernel kills the nodes (PR_SET_PDEATHSIG).
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

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# How long a node may take to end after each signal, as in launch.
ESCALATION = ((signal.SIGINT, 5.0), (signal.SIGTERM, 5.0), (signal.SIGKILL, None))
# A longer line is shown in pieces, so that output without an end cannot fill the memory.
LINE_LIMIT = 2**20
# A process that a node leaves behind may hold its output open; it is not waited for longer.
OUTPUT_GRACE = 1.0
_COLOURS = (36, 33, 32, 35, 34, 31)
_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_SCREEN = Lock()


def run_scenario(name_or_path: str, arguments: Sequence[str]) -> int:
    """
    Run a scenario until a node ends, or SIGINT, SIGTERM or SIGHUP arrives; then stop all nodes.

    A further signal while the nodes are being stopped goes on to the next, stronger one at once.

    Parameters
    ----------
    name_or_path : str
        A scenario of the package, or the path of an XML launch file.
    arguments : sequence of str
        Each ``name:=value``.

    Returns
    -------
    int
        0 when every node ended with 0 or of the SIGINT sent to stop it, else the exit code of
        the first that did not, 128 + n for signal n.

    Raises
    ------
    ArgumentError
        If the arguments do not fit the scenario.
    LaunchFileError
        If the launch file or something it names cannot be used.

    """
    return run_nodes(plan_scenario(locate_scenario(name_or_path), parse_arguments(arguments)))


def run_nodes(plan: Sequence[NodePlan]) -> int:
    """
    Run nodes until one ends or a signal arrives; return the exit code as `run_scenario` does.

    Raises
    ------
    LaunchFileError
        If the plan is empty or an executable cannot be started; those started are stopped.

    """
    if not plan:
        raise LaunchFileError('there is no node to start')
    with TemporaryDirectory(prefix='world_model_') as folder:
        return _supervise(plan, Path(folder))


@dataclass(frozen=True, eq=False)
class _Child:
    """A node's process, under the label that its output carries."""

    label: str
    process: subprocess.Popen[bytes]

    @property
    def failed(self) -> bool:
        """Whether it ended otherwise than with 0 or of SIGINT, which stops every node."""
        return self.process.returncode not in (0, -signal.SIGINT)

    @property
    def exit_code(self) -> int:
        """What a shell would report: 128 + n for signal n."""
        code = self.process.returncode
        return code if code >= 0 else 128 - code

    @property
    def end(self) -> str:
        code = self.process.returncode
        how = f'exit code {code}' if code >= 0 else signal.Signals(-code).name
        return f'[{self.label}] ended with {how}'


# What the runner waits for: a node that ended, or the number of a signal.
_Events: TypeAlias = 'SimpleQueue[_Child | int]'


def _supervise(plan: Sequence[NodePlan], folder: Path) -> int:
    events: _Events = SimpleQueue()
    with _signals_held_back():
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
def _signals_held_back() -> Iterator[None]:
    """Keep the signals that end a program for `_await_signals`; threads inherit the mask."""
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)


def _await_signals(events: _Events) -> None:
    """Queue each signal; a handler could be late, when one comes just before a thread waits."""
    while True:
        events.put(signal.sigwait(SIGNALS))


def _start(plan: Sequence[NodePlan], folder: Path) -> list[_Child]:
    children: list[_Child] = []
    try:
        for node in plan:
            children.append(_Child(node.label, _open(command_line(node, folder))))
    except OSError as error:
        for child in children:
            child.process.kill()
            child.process.wait()
        raise LaunchFileError(f'{node.executable} cannot be started: {error}') from error
    return children


def _open(words: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a process that dies with this one, which has no other thread yet."""
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()

    def prepare() -> None:
        # A shell's background job has SIGINT ignored, which Python would pass on.
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        # The parent may have died before the kernel was told.
        if os.getppid() != parent:
            os._exit(1)

    return subprocess.Popen(  # noqa: S603 - what to start is this module's input
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
    """Show a node's output as whole lines, bytes as they come."""
    prefix = f'[{child.label}]'
    if sys.stdout.isatty():
        prefix = f'\x1b[{_COLOURS[number % len(_COLOURS)]}m{prefix}\x1b[0m'
    output = cast('BinaryIO', child.process.stdout)
    for line in iter(lambda: output.readline(LINE_LIMIT), b''):
        _show(prefix.encode() + b' ' + line.rstrip(b'\r\n') + b'\n', events)


def _show(line: bytes, events: _Events) -> None:
    with _SCREEN:
        try:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            # Nobody reads any more (`| head`): go on into nothing while the nodes are stopped.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            events.put(signal.SIGPIPE)


def _stop_after(event: _Child | int, children: list[_Child], events: _Events) -> list[_Child]:
    """Stop all nodes; return them in the order of their ends."""
    ended = [event] if isinstance(event, _Child) else []
    _say(event.end if isinstance(event, _Child) else f'{signal.Signals(event).name} received')
    for number, patience in ESCALATION:
        for child in children:
            if child not in ended:
                _say(f'sending {number.name} to [{child.label}]')
                child.process.send_signal(number)
        if _all_end(children, ended, events, patience):
            break
    return ended


def _all_end(
    children: list[_Child],
    ended: list[_Child],
    events: _Events,
    patience: float | None,
) -> bool:
    """Wait for all nodes to end, at most `patience` seconds (None: for ever) or to a signal."""
    deadline = None if patience is None else time.monotonic() + patience
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
    """Say which node decided the exit code, and return that."""
    failed = [child for child in ended if child.failed]
    decisive = failed[0] if failed else ended[0]
    _say(decisive.end if failed else f'all nodes ended, first {decisive.end}')
    return decisive.exit_code if failed else 0


def _say(message: str) -> None:
    sys.stderr.write(f'world_model run: {message}\n')
    sys.stderr.flush()
