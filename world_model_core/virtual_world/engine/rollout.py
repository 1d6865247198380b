# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Many runs of a world from one snapshot, with different seeds and commands.

Each run is that of an Engine, to the bit. MuJoCo's own `mujoco.rollout` is not used: it calls
nothing between physics steps, where joints are braked at their limits, entities are held, and
bases and targets moved. Runs are independent; `world_model_nodes.virtual_world.rollouts` spreads
them over the cores.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.uncertainty.random_draws import Draws
from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.engine.errors import EngineError
from world_model_core.virtual_world.values import World

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.values import State, Vector

__all__ = ['COMMANDS', 'Run', 'RunResult', 'Runner', 'TimedCommand', 'push']


# Methods of Engine that a run may call; spawning would change the size of its states.
COMMANDS = frozenset(
    {
        'apply_wrench', 'connect', 'disconnect', 'drive', 'grasp', 'release', 'set_attribute',
        'set_collides', 'set_dynamics', 'set_gravity', 'set_joint_target', 'set_mass', 'set_state',
        'set_wheel_velocities', 'set_wheels', 'show_state',
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TimedCommand:
    """
    A command within a run.

    Attributes
    ----------
    step : int
        Physics step before which it is given, from 0.
    name : str
        Method of Engine, such as "drive".
    arguments : tuple
    keywords : mapping of str to object

    """

    step: int
    name: str
    arguments: tuple[Any, ...] = ()
    keywords: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run:
    """
    One of many runs.

    Attributes
    ----------
    seed : int
        Of the world in this run, and of the push.
    push : float
        Standard deviation of what is added to the velocities at the start, see `push`.
    commands : tuple of TimedCommand

    """

    seed: int
    push: float = 0.0
    commands: tuple[TimedCommand, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class RunResult:
    """
    What happened in a run.

    Attributes
    ----------
    run : Run
    states : array, shape (k, n)
        MuJoCo's mjSTATE_INTEGRATION after each of the steps asked for.
    end : State
    error : str
        Why the run ended early; empty if it did not.

    """

    run: Run
    states: Array
    end: State
    error: str = ''


class Runner:
    """
    Runs a world again and again from a snapshot; it is compiled once.

    Parameters
    ----------
    snapshot : bytes

    Raises
    ------
    SnapshotError

    """

    def __init__(self, snapshot: bytes) -> None:
        self._engine = Engine(World('runs'))
        self._engine.restore(snapshot)
        self._start = self._engine.live_snapshot()

    def run(self, run: Run, steps: int, every: int = 1) -> RunResult:
        """
        Run the world.

        Parameters
        ----------
        run : Run
        steps : int
            Number of physics steps.
        every : int
            Steps between two states in the result.

        Returns
        -------
        RunResult
            A command that is refused, or a divergence, ends the run.

        """
        engine = self._engine
        engine.restore(self._start)
        engine.seed = run.seed
        push(engine, run.seed, run.push)
        states: list[Array] = []
        error = ''
        try:
            for step, following in pairwise(_stops(run, steps, every)):
                _give(engine, run.commands, step)
                engine.physics.step(following - step)
                if following % every == 0:
                    states.append(engine.physics.state())
        except EngineError as failure:
            error = str(failure)
        width = len(engine.physics.state())
        return RunResult(run, np.array(states).reshape(-1, width), engine.truth, error)


def _stops(run: Run, steps: int, every: int) -> list[int]:
    """Return the steps before which a command is given or a state is kept, and both ends."""
    given = (command.step for command in run.commands if 0 <= command.step < steps)
    return sorted({0, steps, *given, *range(every, steps, every)})


def _give(engine: Engine, commands: Iterable[TimedCommand], step: int) -> None:
    """Give the commands of a step to an engine."""
    for command in commands:
        if command.step == step:
            if command.name not in COMMANDS:
                raise EngineError(
                    f'command is {command.name!r}; it must be one of {sorted(COMMANDS)}'
                )
            getattr(engine, command.name)(*command.arguments, **command.keywords)


def push(engine: Engine, seed: int, deviation: float) -> None:
    """
    Add random velocities to all that moves freely.

    Parameters
    ----------
    engine : Engine
    seed : int
    deviation : float
        Standard deviation of each component [m/s, rad/s]; 0: nothing is drawn.

    """
    if not deviation:
        return
    draws, held = Draws(seed), set(engine.grasps.values())
    for name in engine.names:
        entity = engine.entity(name)
        if entity.movable and entity.dynamics and name not in held:
            drawn = deviation * draws.normal(f'push {name}', 0, range(6), 1)[0]
            state = engine.state_of(name)
            pushed = replace(
                state,
                linear_velocity=_added(state.linear_velocity, drawn[:3]),
                angular_velocity=_added(state.angular_velocity, drawn[3:]),
            )
            engine.set_state(name, pushed)


def _added(velocity: Vector, drawn: Array) -> Vector:
    x, y, z = np.add(velocity, drawn).tolist()
    return x, y, z
