# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A virtual world whose agents are called in the same process."""

from __future__ import annotations

import importlib.util
import sys
from typing import TYPE_CHECKING, Any

from world_model_core.virtual_world.agents.commands import apply
from world_model_core.virtual_world.agents.controller import AgentWorld
from world_model_core.virtual_world.agents.known_objects import KnownObjects
from world_model_core.virtual_world.agents.queries import answer
from world_model_core.virtual_world.agents.turns import AgentTurns
from world_model_core.virtual_world.agents.wire_values import Reply

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from world_model_core.virtual_world.agents.controller import Controller
    from world_model_core.virtual_world.agents.wire_values import Turn
    from world_model_core.virtual_world.engine.engine import Engine


class DirectLink:
    """Link that asks the engine at once."""

    def __init__(self, engine: Engine, agent: str) -> None:
        self._engine, self._agent = engine, agent

    def query(self, method: str, arguments: Mapping[str, object]) -> Any:
        """Return the answer of the engine."""
        return answer(self._engine, self._agent, method, arguments)

    def log(self, text: str) -> None:
        """Write a line to the standard error."""
        sys.stderr.write(f'{self._agent}: {text}\n')


class ControlledWorld:
    """
    Steps a world, and calls the controllers of its agents in between.

    Parameters
    ----------
    engine : Engine
    controllers : mapping of str to Controller
        By the names of the agents.

    """

    def __init__(self, engine: Engine, controllers: Mapping[str, Controller]) -> None:
        self._engine, self._controllers = engine, controllers
        self._turns = AgentTurns(apply)
        self._known = {name: KnownObjects() for name in controllers}
        for name, controller in controllers.items():
            link = DirectLink(engine, name)
            controller.attach(AgentWorld(name, link, seed=engine.seed))
            self._turns.attach(name, controller.handlers)

    def run_until(self, time_ns: int) -> None:
        """Step to a time [ns]."""
        engine, step_ns = self._engine, self._engine.physics.step_ns
        self._act()
        while engine.time_ns < time_ns:
            due_ns = self._turns.next_due_ns
            until_ns = time_ns if due_ns is None else min(time_ns, due_ns)
            engine.step(max(1, -((engine.time_ns - until_ns) // step_ns)) * engine.world.step)
            self._act()

    def _act(self) -> None:
        """Let all agents act that are due now."""
        due_ns = self._turns.next_due_ns
        if due_ns is None or due_ns > self._engine.time_ns:
            return
        for name, turn in self._turns.begin(self._engine).items():
            self._turns.accept(name, self._reply(name, turn))
        self._turns.finish(self._engine)

    def _reply(self, name: str, turn: Turn) -> Reply:
        """Call the handlers of an agent."""
        controller, known = self._controllers[name], self._known[name]
        known.update(turn.changes)
        controller.world.begin(turn.time_ns, known)
        seconds = None
        for event in turn.events:
            returned = controller.handle(event)
            seconds = seconds if returned is None else returned
        return Reply(turn.number, seconds, controller.world.writes, controller.world.outgoing)


def load_controller(path: Path, name: str) -> Controller:
    """Import a controller from its file, and make one."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None  # noqa: S101 (for the type checker)
    assert spec.loader is not None  # noqa: S101
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made: Controller = getattr(module, name)()
    return made
