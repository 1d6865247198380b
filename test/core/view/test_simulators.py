# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulators are found by their services; their states allow what the standard says."""

import pytest

from world_model_core.view.simulators import (
    SERVICE_TYPES,
    Simulator,
    SimulatorAction,
    SimulatorFeature,
    find_simulators,
    next_toggle,
)
from world_model_core.virtual_world.simulation_state import SimulationState

PLAY, PAUSE, STEP, RESET, QUIT = SimulatorAction
STANDARD = Simulator('/world', frozenset(SERVICE_TYPES))
PLAIN = Simulator('/match', frozenset({'pause', 'step', 'reset', 'set_parameters'}))
ALL_FEATURES = {feature.value for feature in SimulatorFeature}
STOPPED, PLAYING, PAUSED, QUITTING, NO_WORLD, LOADING = SimulationState


def offered(node, *services):
    """Return services of a node with their types, as ROS lists them."""
    return {f'{node}/{name}': [SERVICE_TYPES[name]] for name in services}


def test_simulators_are_nodes_that_pause_or_have_the_features_of_the_standard():
    """Other nodes, and services of other types, must not count."""
    graph = {
        **offered('/world', 'get_simulator_features', 'set_simulation_state'),
        **offered('/a/match', 'pause', 'set_parameters'),
        **offered('/map', 'get_parameters', 'reset'),
        '/recorder/pause': ['other_msgs/srv/Pause'],
    }
    assert find_simulators(graph) == (
        Simulator('/a/match', frozenset({'pause', 'set_parameters'})),
        Simulator('/world', frozenset({'get_simulator_features', 'set_simulation_state'})),
    )
    assert [each.name for each in find_simulators(graph, '/a')] == ['/a/match']
    assert find_simulators({}) == ()


@pytest.mark.parametrize(
    ('state', 'allowed'),
    [
        (STOPPED, {PLAY, PAUSE, STEP, RESET, QUIT}),
        (PLAYING, {PAUSE, RESET, QUIT}),
        (PAUSED, {PLAY, STEP, RESET, QUIT}),
        (QUITTING, set()),
        (NO_WORLD, {QUIT}),
        (LOADING, {QUIT}),
        (None, {PLAY, PAUSE, RESET, QUIT}),
    ],
)
def test_a_state_allows_what_the_standard_says(state, allowed):
    """A simulator with pause, step and reset alone must differ only in that it cannot quit."""
    assert STANDARD.allowed(state, ALL_FEATURES) == allowed
    assert PLAIN.allowed(state) == allowed - {QUIT}


def test_what_a_simulator_does_not_support_is_not_allowed():
    """Neither actions without their feature nor those without their service."""
    assert STANDARD.allowed(PAUSED) == set()
    assert STANDARD.allowed(PAUSED, {SimulatorFeature.STEP.value}) == {STEP}
    replay = Simulator('/replay', frozenset({'pause'}))
    assert replay.allowed(PLAYING) == {PAUSE}
    assert replay.allowed(PAUSED) == {PLAY}


def test_the_standard_comes_first():
    """A simulator with both kinds of services must be asked by those of the standard."""
    assert STANDARD.service(STEP) == 'step_simulation'
    assert PLAIN.service(STEP) == 'step'
    assert PLAIN.service(QUIT) is None


def test_one_key_plays_and_pauses():
    """A simulation that plays, or may play, is paused."""
    assert next_toggle(PLAYING) is next_toggle(None) is PAUSE
    assert next_toggle(PAUSED) is next_toggle(STOPPED) is PLAY
