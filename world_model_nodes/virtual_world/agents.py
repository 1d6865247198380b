# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Agents of a virtual world: their controllers are called between its steps, and act in it."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from world_model_core.errors import WorldModelError
from world_model_core.findings import shorten
from world_model_core.virtual_world.agents.admission import OpenWorld
from world_model_core.virtual_world.agents.commands import apply
from world_model_core.virtual_world.agents.named_controllers import named_controllers
from world_model_core.virtual_world.agents.queries import answer
from world_model_core.virtual_world.agents.rendered_queries import (
    RENDERED,
    QueryOptions,
    rendered_query,
)
from world_model_core.virtual_world.agents.turns import AgentTurns
from world_model_core.virtual_world.agents.wire import InvalidFrame, WireError
from world_model_core.virtual_world.agents.wire_values import Query, Reply, Result
from world_model_nodes.runtime.diagnostics import Report
from world_model_nodes.runtime.io_thread import IoThread
from world_model_nodes.virtual_world.controller_link import ControllerLink, Joined, Left
from world_model_nodes.virtual_world.controller_listener import (
    ControllerListener,
    TcpPlace,
    UnixPlace,
)
from world_model_nodes.virtual_world.controller_processes import ControllerProcesses
from world_model_nodes.virtual_world.controller_socket import read_token, socket_path
from world_model_nodes.virtual_world.finding_log import log_findings
from world_model_nodes.virtual_world.virtual_world_config import AgentTime

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from rclpy.node import Node

    from world_model_core.virtual_world.agents.wire_values import WireValue
    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_nodes.virtual_world.controller_link import News
    from world_model_nodes.virtual_world.controller_listener import Place
    from world_model_nodes.virtual_world.controller_processes import ControllerProcess
    from world_model_nodes.virtual_world.images import Images
    from world_model_nodes.virtual_world.virtual_world_config import VirtualWorldConfig
    from world_model_nodes.virtual_world.world_loader import WorldLoader

# While the world waits for replies, it looks this often whether it is to end [s].
STOP_PERIOD = 0.1
# Real time that a world waits at its start for the controllers that it names: each is a process
# that imports for a second, and several start at once [s].
STARTING_TIME = 5.0
# Shortest time between two log lines about exceptions of controllers [s].
LOG_PERIOD = 1.0


class Agents:
    """
    Runs a turn of all agents that are due: a StepListener.

    Parameters
    ----------
    node : Node
    config : VirtualWorldConfig
    loader : WorldLoader
        Has the folder of the world.
    images : Images

    Raises
    ------
    ConfigurationError
        The token of TCP connections cannot be used.

    """

    def __init__(
        self, node: Node, config: VirtualWorldConfig, loader: WorldLoader, images: Images
    ) -> None:
        self._node, self._config, self._loader = node, config, loader
        self._images = images
        listeners = [ControllerListener(place) for place in _places(node, config)]
        self.turns = AgentTurns(apply, lockstep=config.agent_time is AgentTime.LOCKSTEP)
        self._engine: Engine | None = None
        # Agents whose controllers are starting; the world waits for them at its start.
        self._expected: set[str] = set()
        self._in_turn = False
        self._news = node.create_guard_condition(self._handle_news)
        self._thread = IoThread('controllers')
        self._link = ControllerLink(self._thread, listeners, self._notify)
        name = node.get_fully_qualified_name()
        self._processes = ControllerProcesses(self._thread, name, self._log_line, self._ended)

    @property
    def next_due_ns(self) -> int | None:
        """Simulated time of the next turn of any agent [ns]."""
        return 0 if self._expected else self.turns.next_due_ns

    def on_instant(self, engine: Engine, stamp_ns: int) -> None:
        """Run a turn: call all agents that are due, wait for them, and let them act."""
        del stamp_ns
        self._in_turn = True
        starting_time = max(self._config.patience, STARTING_TIME)
        self._wait(lambda: bool(self._expected), time.monotonic() + starting_time)
        self._expected.clear()
        self._handle_news()
        deadline = time.monotonic() + self._config.patience
        for agent, turn in self.turns.begin(engine).items():
            self._send(agent, turn)
        self._wait(lambda: bool(self.turns.waiting), deadline)
        for agent, late in self.turns.mark_late().items():
            self._send(agent, late)
        self.turns.finish(engine)
        self._in_turn = False
        # It may have come when nobody looked any more, but the flag was still set.
        if self._link.has_news:
            self._news.trigger()

    def reset(self) -> None:
        """Let all agents begin again."""
        self.turns.reset()

    def replaced(self, engine: Engine | None) -> None:
        """Act in another world, or with other entities; None: the world was unloaded."""
        if self._engine is not None and engine is not self._engine:
            self._leave('the world was unloaded')
        is_new = engine is not None and engine is not self._engine
        self._engine = engine
        if engine is None:
            self._link.world = None
            return
        world = engine.world
        self._link.world = OpenWorld(
            world.name,
            engine.seed,
            world.step,
            frozenset(engine.names),
            self._config.length_unit,
            self._config.original_modes,
        )
        if is_new:
            self._start_controllers(engine)

    def close(self) -> None:
        """End all connections, and all controllers that were started with the world."""
        if self._engine is not None:
            self._leave('the world has ended')
        self._link.close('the world has ended')
        self._thread.close()
        self._node.destroy_guard_condition(self._news)

    def report(self) -> Report:
        """Report agents, what was refused or late, and whose controllers have ended."""
        turns = self.turns
        values = {
            'agents': len(turns.agents),
            **{f'controllers refused.{cause}': n for cause, n in self._link.refusals.items()},
            **{f'agents.{cause}': count for cause, count in turns.counts.items()},
        }
        warnings = [
            *(f'{name!r} is left alone after exceptions' for name in turns.left_alone),
            *(f'{name!r} does not reply' for name in turns.unresponsive),
            *(f'controller of {name!r} has ended with {how}'
              for name, how in self._processes.ends.items() if name not in turns.agents),
        ]  # fmt: skip
        return Report(self._link.errors, tuple(warnings), values)

    def _start_controllers(self, engine: Engine) -> None:
        """Start the controllers that a new world names."""
        loaded = self._loader.current
        folder = None if loaded is None else loaded.folder
        controllers, findings = named_controllers(engine.world.entities, folder)
        log_findings(self._node, findings)
        self._expected = {each.agent for each in controllers}
        self._processes.start(controllers)

    def _leave(self, reason: str) -> None:
        """End what acts in the present world."""
        assert self._engine is not None  # noqa: S101 (for the type checker)
        for agent, turn in self.turns.end(self._engine.time_ns).items():
            self._send(agent, turn)
        for agent in self.turns.agents:
            self._link.disconnect(agent, reason)
            self.turns.detach(agent)
        self._expected.clear()
        self._processes.stop()

    def _wait(self, is_missing: Callable[[], bool], deadline: float) -> None:
        """Handle news until nothing is missing, or until a time."""
        while is_missing() and self._node.context.ok():
            left = deadline - time.monotonic()
            if left <= 0.0:
                return
            news = self._link.receive(min(left, STOP_PERIOD))
            if news is not None:
                self._handle(news)
                self._handle_news()

    def _notify(self) -> None:
        """Let the executor handle news, unless a turn does."""
        if not self._in_turn:
            self._news.trigger()

    def _handle_news(self) -> None:
        """Handle all news that there is."""
        while (news := self._link.receive()) is not None:
            self._handle(news)

    def _handle(self, news: News) -> None:
        if isinstance(news, Joined):
            self._join(news)
        elif isinstance(news, Left):
            self.turns.detach(news.agent)
            self._expected.discard(news.agent)
            reason = shorten(news.reason)
            self._node.get_logger().info(f'controller of {news.agent!r} has gone: {reason}')
        elif isinstance(news.value, Query):
            self._answer(news.agent, news.value)
        elif isinstance(news.value, InvalidFrame):
            self.turns.refuse(news.agent, news.value.reason)
        else:
            self._accept(news.agent, news.value)

    def _join(self, joined: Joined) -> None:
        """Attach an agent, whose controller has come."""
        self.turns.attach(joined.agent, joined.handlers)
        self._expected.discard(joined.agent)
        self._node.get_logger().info(f'{joined.peer} acts for {joined.agent!r}')

    def _accept(self, agent: str, reply: Reply) -> None:
        """Take a reply, and log what failed in it; the trace is in the controller's own log."""
        for error in reply.errors:
            last = shorten(error.strip().rpartition('\n')[2])
            self._node.get_logger().warning(
                f'controller of {agent!r} raised {last}', throttle_duration_sec=LOG_PERIOD
            )
        self.turns.accept(agent, reply)

    def _answer(self, agent: str, query: Query) -> None:
        """Answer a query from the present state of the world."""
        if self._engine is None:
            return
        try:
            if query.method in RENDERED:
                self._request_images(self._engine, agent, query)
                return
            value = answer(self._engine, agent, query.method, query.arguments)
        except WorldModelError as error:
            self._send(agent, Result(query.number, error=str(error)))
        else:
            self._send(agent, Result(query.number, value))

    def _request_images(self, engine: Engine, agent: str, query: Query) -> None:
        """Let the thread of images answer a query."""
        options = QueryOptions(self._config.image_quality, self._config.visibility_rule)
        wanted = rendered_query(engine, agent, query.method, query.arguments, options)
        future = self._images.request(engine, wanted)
        future.add_done_callback(lambda done: self._send(agent, _result(query.number, done)))

    def _send(self, agent: str, value: WireValue) -> None:
        """Send a value; if a turn cannot be sent, its controller is useless."""
        try:
            self._link.send(agent, value)
        except WireError as error:
            if isinstance(value, Result):
                self._link.send(agent, Result(value.number, error=str(error)))
            else:
                self._link.disconnect(agent, str(error))

    def _ended(self, process: ControllerProcess) -> None:
        """Wait for a controller no longer, in the I/O thread."""
        self._log_line(process.agent, f'controller ended with {process.end}')
        self._link.abandon(process.agent, process.end)

    def _log_line(self, agent: str, line: str) -> None:
        """Log what a controller prints; while the node ends, no log can be published."""
        if self._node.context.ok():
            self._node.get_logger().info(f'[{agent}] {line}')
        else:
            sys.stderr.write(f'[{agent}] {line}\n')


def _result(number: int, done: Future[Any]) -> Result:
    """Return the result of a query."""
    error = done.exception()
    return Result(number, done.result()) if error is None else Result(number, error=str(error))


def _places(node: Node, config: VirtualWorldConfig) -> list[Place]:
    """Return where controllers can connect."""
    places: list[Place] = [UnixPlace(socket_path(node.get_fully_qualified_name()))]
    if config.controller_port:
        token = read_token(Path(config.controller_token_file).expanduser())
        places.append(TcpPlace(config.controller_host, config.controller_port, token))
    return places
