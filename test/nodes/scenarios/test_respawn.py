# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Restarts are judged by exit code, uptime and number, without processes."""

from __future__ import annotations

import signal

import pytest

from world_model_nodes.scenarios.respawn import RECOVERED_AFTER, Respawn, Restarts

KILLED = -signal.SIGKILL
SHORT = RECOVERED_AFTER - 0.1


def delays(restarts, *ends):
    """Judge the ends of a node; return the delays."""
    return [restarts.judge(code, uptime).delay for code, uptime in ends]


@pytest.mark.parametrize('code', [KILLED, -signal.SIGSEGV, 0, 2])
def test_a_node_is_restarted_until_the_limit(code):
    """Every end but that of an invalid value counts, a regular one too."""
    ends = [(code, SHORT)] * 3
    assert delays(Restarts(Respawn(1.5, 2)), *ends) == [1.5, 1.5, None]


def test_a_node_that_ran_for_long_has_all_restarts_again():
    """Kills once per hour never end a scenario."""
    ends = [(KILLED, SHORT), (KILLED, RECOVERED_AFTER), (KILLED, SHORT)] * 10
    assert None not in delays(Restarts(Respawn(1.0, 3)), *ends)


def test_a_negative_limit_is_none():
    """Without a limit, as launch does by default, a node is always restarted."""
    ends = [(KILLED, 0.0)] * 1000
    assert set(delays(Restarts(Respawn()), *ends)) == {0.0}


def test_no_restart_at_all_is_possible():
    """The limit 0 is no special case."""
    assert delays(Restarts(Respawn(1.0, 0)), (KILLED, SHORT)) == [None]


@pytest.mark.parametrize(
    ('respawn', 'code', 'text'),
    [
        (None, 0, 'the scenario ends with this node'),
        (Respawn(1.0, 20), 1, 'it is not restarted, because a start would fail again'),
        (Respawn(1.0, 20), KILLED, 'restart 1 of 20 in 1 s'),
        (Respawn(), KILLED, 'restart 1 in 0 s'),
        (
            Respawn(1.0, 0),
            KILLED,
            'it is not restarted again: it did not run for 60 s after any of 0 restarts',
        ),
    ],
)
def test_a_verdict_is_explained(respawn, code, text):
    """The user reads what follows, and why."""
    assert Restarts(respawn).judge(code, SHORT).text == text
