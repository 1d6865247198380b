# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which requests the standard for simulators allows in each state."""

from __future__ import annotations

import pytest

from world_model_core.virtual_world.simulation_state import (
    AlreadyInStateError,
    IncorrectTransitionError,
    NotPausedError,
    NoWorldError,
    ResetScope,
    SimulationState,
    check_paused,
    check_transition,
    check_world,
    reset_scope,
    state_of,
)

STOPPED, PLAYING, PAUSED, QUITTING, NO_WORLD, LOADING = SimulationState


@pytest.mark.parametrize('state', [STOPPED, PLAYING, PAUSED])
@pytest.mark.parametrize('target', [STOPPED, PLAYING, PAUSED, QUITTING])
def test_a_world_can_be_played_paused_and_stopped(state, target):
    """From each of these states to each other one, but not to the same."""
    if state is target:
        with pytest.raises(AlreadyInStateError, match='already'):
            check_transition(state, target)
    else:
        check_transition(state, target)


@pytest.mark.parametrize('target', [STOPPED, PLAYING, PAUSED, LOADING])
def test_a_simulation_without_a_world_cannot_run(target):
    """It can quit; a world is loaded by another request."""
    with pytest.raises(IncorrectTransitionError, match='no world'):
        check_transition(NO_WORLD, target)
    check_transition(NO_WORLD, QUITTING)


@pytest.mark.parametrize('target', [NO_WORLD, LOADING])
def test_worlds_are_not_unloaded_by_a_state(target):
    """UnloadWorld and LoadWorld do that."""
    with pytest.raises(IncorrectTransitionError):
        check_transition(PLAYING, target)


def test_steps_need_a_paused_world():
    """A stopped world is paused at its start."""
    check_paused(PAUSED)
    check_paused(STOPPED)
    with pytest.raises(NotPausedError, match='playing'):
        check_paused(PLAYING)
    with pytest.raises(NoWorldError):
        check_paused(NO_WORLD)
    with pytest.raises(NoWorldError):
        check_world(NO_WORLD)


@pytest.mark.parametrize(
    ('loaded', 'paused', 'at_start', 'state'),
    [
        (False, True, True, NO_WORLD),
        (True, False, True, PLAYING),
        (True, True, True, STOPPED),
        (True, True, False, PAUSED),
    ],
)
def test_a_world_paused_at_its_start_is_stopped(loaded, paused, at_start, state):
    """The state follows from three facts."""
    assert state_of(loaded=loaded, paused=paused, at_start=at_start) is state


@pytest.mark.parametrize('bits', range(256))
def test_scopes_of_a_reset(bits):
    """Each bit counts alone and with others; none, all, and only unknown bits stand for all."""
    scope = reset_scope(bits)
    expected = ResetScope(bits & 7) if bits & 7 else ResetScope.ALL
    assert scope is expected
    assert reset_scope(255) is reset_scope(0) is ResetScope.ALL
