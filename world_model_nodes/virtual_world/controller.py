# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A controller in a process of its own, without ROS: it connects to a world and acts in it."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.errors import ConfigurationError
from world_model_core.virtual_world.agents.controller import AgentWorld
from world_model_core.virtual_world.agents.controller_run import ControllerRun
from world_model_core.virtual_world.agents.events import AgentError
from world_model_core.virtual_world.agents.wire import WireError
from world_model_core.virtual_world.agents.wire_values import (
    Goodbye,
    Hello,
    Late,
    Refused,
    Reply,
    Turn,
    Welcome,
)
from world_model_nodes.virtual_world.controller_client import ControllerClient, WorldEndedError
from world_model_nodes.virtual_world.controller_file import load_controller
from world_model_nodes.virtual_world.controller_socket import check_folder, read_token, socket_path

if TYPE_CHECKING:
    from pathlib import Path

    from world_model_core.virtual_world.agents.controller import Controller
    from world_model_core.virtual_world.agents.wire_values import WireValue

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
# Time between two attempts to connect, and between two looks at the source [s].
RETRY = 0.5
# Time in which a TCP connection must be made [s].
TIMEOUT = 5.0


@dataclass(frozen=True, slots=True)
class ControllerSettings:
    """
    Settings of the process.

    Attributes
    ----------
    file : Path
    class_name : str
        Empty: the only controller of the file.
    agent : str
        Name of the entity.
    world : str
        Full name of the node that runs the world.
    address : tuple of str and int, optional
        Host and port of a world on another host; None: the world is on this machine.
    token_file : Path, optional
        For TCP.
    reloads : bool
        Whether it starts anew when the file changes.
    once : bool
        Whether it ends with the world instead of waiting for the next.

    """

    file: Path
    class_name: str
    agent: str
    world: str
    address: tuple[str, int] | None = None
    token_file: Path | None = None
    reloads: bool = False
    once: bool = False


class RefusedError(AgentError):
    """The world refuses the controller."""


def run_controller(settings: ControllerSettings) -> int:
    """
    Run a controller until Ctrl-C, SIGTERM or its own end, and return the exit code.

    Raises
    ------
    ConfigurationError
        The file or the token cannot be used.
    RefusedError

    """
    for number in STOP_SIGNALS:
        signal.signal(number, _interrupt_once)
    if settings.reloads:
        threading.Thread(target=_restart_when_changed, args=(settings.file,), daemon=True).start()
    with suppress(KeyboardInterrupt):
        try:
            _Process(settings).run()
        except ConfigurationError as error:
            if not settings.reloads:
                raise
            _log(f'{error}; waiting for a change')
            signal.pause()
    _end_threads()
    return 0


class _Process:
    """Connects to a world, again and again, and acts in it."""

    def __init__(self, settings: ControllerSettings) -> None:
        self._settings = settings
        self._token = '' if settings.token_file is None else read_token(settings.token_file)
        self._type = load_controller(settings.file, settings.class_name)
        self._client: ControllerClient | None = None
        if settings.address is None:
            check_folder(socket_path(settings.world).parent)
        # A child of the controller cannot send in its name, nor keep the connection open.
        os.register_at_fork(after_in_child=self._forget_client)

    def run(self) -> None:
        """Act until the process ends; with `once`, until the world does."""
        said = ''
        while True:
            self._client = client = ControllerClient(self._connect())
            try:
                self._act(client)
            except WorldEndedError as ended:
                # A node without a world says so at each attempt.
                if (reason := str(ended)) != said:
                    _log(reason)
                said = reason
            if self._settings.once:
                return
            time.sleep(RETRY)

    def _forget_client(self) -> None:
        if self._client is not None:
            self._client.forget()

    def _connect(self) -> socket.socket:
        """Wait until the world is there."""
        waits = False
        while True:
            try:
                return self._open()
            except OSError as error:
                if not waits:
                    _log(f'waiting for the world {self._place}: {error.strerror or error}')
                waits = True
                time.sleep(RETRY)

    def _open(self) -> socket.socket:
        if self._settings.address is not None:
            opened = socket.create_connection(self._settings.address, TIMEOUT)
            opened.settimeout(None)
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return opened
        opened = socket.socket(socket.AF_UNIX)
        try:
            opened.connect(str(socket_path(self._settings.world)))
        except OSError:
            opened.close()
            raise
        return opened

    @property
    def _place(self) -> str:
        """Where the world should be, for the user."""
        if self._settings.address is not None:
            host, port = self._settings.address
            return f'at {host}:{port}'
        domain = os.environ.get('ROS_DOMAIN_ID') or '0'
        path = socket_path(self._settings.world)
        return f'{self._settings.world} of ROS domain {domain} ({path})'

    def _act(self, client: ControllerClient) -> None:
        """Act for the agent until the connection ends."""
        controller, agent = _make(self._type), self._settings.agent
        client.send(Hello(agent, controller.handlers, self._token))
        welcome = _welcome(client.receive())
        _log(f'acts for {agent!r} in {welcome.world!r}')
        world = AgentWorld(
            agent,
            client,
            seed=welcome.seed,
            length_unit=welcome.length_unit,
            original_modes=welcome.original_modes,
        )
        run = ControllerRun(controller, world)
        try:
            while True:
                _handle(run, client, client.receive())
        finally:
            with suppress(WorldEndedError):
                _report(run.end())
            if world.ignored:
                counts = ', '.join(f'{name} {count}' for name, count in world.ignored.items())
                _log(f'ignored in the wrong mode: {counts}')
            client.close('the controller ends')


def _make(controller_type: type[Controller]) -> Controller:
    try:
        return controller_type()
    # Whatever the class of a user raises, but not what ends the process.
    except Exception as error:
        traceback.print_exc()
        raise ConfigurationError(f'{controller_type.__name__}() failed: {error}') from error


def _welcome(answer: WireValue) -> Welcome:
    if isinstance(answer, Refused):
        raise RefusedError(f'refused: {answer.reason}')
    if isinstance(answer, Welcome):
        return answer
    raise WorldEndedError(answer.reason if isinstance(answer, Goodbye) else f'{answer}')


def _handle(run: ControllerRun, client: ControllerClient, value: WireValue) -> None:
    """Do what the world wants."""
    if isinstance(value, Goodbye):
        raise WorldEndedError(value.reason)
    if isinstance(value, Late):
        _log(f'late: the world went on without the reply to turn {value.number}')
    elif isinstance(value, Turn):
        for error in value.errors:
            _log(f'the world refused: {error}')
        reply = run.take(value)
        for trace in reply.errors:
            _report(trace)
        try:
            client.send(reply)
        except WireError as error:
            _log(str(error))
            client.send(Reply(value.number, errors=(str(error),)))


def _restart_when_changed(file: Path) -> None:
    """Start the process anew, in any state of its handlers, when its source changes."""
    before = _version(file)
    while True:
        time.sleep(RETRY)
        # A file that is being written may be missing or empty for a moment.
        if _version(file) not in (before, None):
            _log(f'{file} has changed')
            os.execv(sys.executable, sys.orig_argv)  # noqa: S606 (our own command line)


def _version(file: Path) -> tuple[int, int] | None:
    """Return what differs after a change; None: there is nothing in the file."""
    try:
        found = file.stat()
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_ino) if found.st_size else None


def _interrupt_once(*_: object) -> None:
    """
    Raise KeyboardInterrupt, and ignore the signals from now on.

    In a terminal `ros2 launch` and its processes receive the same Ctrl-C, and launch then sends
    SIGINT to them again: the second one must not end what the first one does.
    """
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _end_threads() -> None:
    """End the process now if threads of the controller would keep it alive."""
    others = (each for each in threading.enumerate() if each is not threading.current_thread())
    if any(not each.daemon for each in others):
        sys.stdout.flush()
        os._exit(0)


def _report(trace: str) -> None:
    if trace:
        sys.stderr.write(trace)


def _log(text: str) -> None:
    sys.stderr.write(f'world_model controller: {text}\n')
