# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
States of a simulation, and which requests each of them allows.

The states and rules are those of the package simulation_interfaces (2.1.0): SimulationState.msg,
SetSimulationState.srv, ResetSimulation.srv and StepSimulation.srv.
"""

from __future__ import annotations

from enum import Enum, Flag

from world_model_core.errors import WorldModelError

__all__ = [
    'AlreadyInStateError',
    'IncorrectTransitionError',
    'NoWorldError',
    'NotPausedError',
    'ResetScope',
    'SimulationState',
    'check_paused',
    'check_transition',
    'check_world',
    'reset_scope',
    'state_of',
]


class SimulationState(Enum):
    """State of a simulation; the values are those of SimulationState.msg."""

    STOPPED = 0
    PLAYING = 1
    PAUSED = 2
    QUITTING = 3
    NO_WORLD = 4
    LOADING_WORLD = 5


# States that a simulation with a world can be set to.
_RUNNING = (SimulationState.STOPPED, SimulationState.PLAYING, SimulationState.PAUSED)


class AlreadyInStateError(WorldModelError):
    """The simulation is already in the requested state."""


class IncorrectTransitionError(WorldModelError):
    """The requested state cannot be reached from the present one."""


class NoWorldError(WorldModelError):
    """No world is loaded."""


class NotPausedError(WorldModelError):
    """The request is allowed only while the simulation is paused or stopped."""


class ResetScope(Flag):
    """What a reset returns to the start; the values are those of ResetSimulation.srv."""

    TIME = 1
    STATE = 2
    SPAWNED = 4
    ALL = TIME | STATE | SPAWNED


def reset_scope(bits: int) -> ResetScope:
    """Return the scope of a request, 0 to 255; 0 and 255 stand for all."""
    known = bits & ResetScope.ALL.value
    return ResetScope(known) if known else ResetScope.ALL


def state_of(*, loaded: bool, paused: bool, at_start: bool) -> SimulationState:
    """
    Return the state of a simulation.

    Parameters
    ----------
    loaded : bool
        Whether there is a world.
    paused : bool
    at_start : bool
        Whether the world is as it was loaded: a world that is paused at its start is stopped.

    """
    if not loaded:
        return SimulationState.NO_WORLD
    if not paused:
        return SimulationState.PLAYING
    return SimulationState.STOPPED if at_start else SimulationState.PAUSED


def check_transition(state: SimulationState, target: SimulationState) -> None:
    """
    Check that a simulation can be set to another state.

    A stopped simulation can be paused: it is then at its start, and has taken no step. A
    simulation without a world can only quit; worlds are loaded and unloaded by other requests.

    Raises
    ------
    AlreadyInStateError
        It is in this state.
    IncorrectTransitionError
        It cannot be set to this state.

    """
    if state is target:
        raise AlreadyInStateError(f'the simulation is already {_word(target)}')
    if target is SimulationState.QUITTING:
        return
    if target not in _RUNNING or state not in _RUNNING:
        raise IncorrectTransitionError(
            f'the simulation is {_word(state)}; it cannot be set to {_word(target)}'
        )


def check_world(state: SimulationState) -> None:
    """
    Check that there is a world.

    Raises
    ------
    NoWorldError
        There is none.

    """
    if state is SimulationState.NO_WORLD:
        raise NoWorldError('no world is loaded')


def check_paused(state: SimulationState) -> None:
    """
    Check that steps can be requested.

    Raises
    ------
    NoWorldError
        There is no world.
    NotPausedError
        The simulation is playing.

    """
    check_world(state)
    if state not in {SimulationState.PAUSED, SimulationState.STOPPED}:
        raise NotPausedError(f'the simulation is {_word(state)}; it must be paused or stopped')


def _word(state: SimulationState) -> str:
    return state.name.lower().replace('_', ' ')
