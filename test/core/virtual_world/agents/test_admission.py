# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Only a controller that knows the token, and names a free agent, is admitted."""

from __future__ import annotations

import pytest

from world_model_core.virtual_world.agents.admission import (
    MOST_CONTROLLERS,
    OpenWorld,
    RefusedHelloError,
    check_agent,
    check_greeting,
)
from world_model_core.virtual_world.agents.wire_values import Hello

WORLD = OpenWorld('hall', 1, 0.01, frozenset(('ann', 'bob')))


TAKEN = {'bob': 'process 7'}


@pytest.mark.parametrize('token', ['', 'secret'])
def test_a_free_agent_is_admitted(token):
    """With the token, if there is one."""
    hello = Hello('ann', ('on_init', 'on_end'), token)
    check_greeting(hello, token)
    check_agent(hello, WORLD, TAKEN)


@pytest.mark.parametrize(
    ('hello', 'cause', 'text'),
    [
        (Hello('ann', ()), 'wrong token', 'the token is wrong'),
        (Hello('ann', (), 'sécret\ud800'), 'wrong token', 'the token is wrong'),
        (Hello('ann', (), 'secret', 2), 'other version', 'version 2 of the protocol'),
    ],
)
def test_strangers_hear_nothing_of_the_world(hello, cause, text):
    """A controller must know the token and the protocol."""
    with pytest.raises(RefusedHelloError, match=text) as refused:
        check_greeting(hello, 'secret')
    assert refused.value.cause == cause


@pytest.mark.parametrize(
    ('hello', 'cause', 'text'),
    [
        (Hello('carl', ()), 'unknown agent', "'carl'; there are a"),
        (Hello('bob', ()), 'agent taken', "process 7 already acts for 'bob'"),
        (Hello('ann', ('handle',)), 'unknown handler', "'handle' is not a handler"),
    ],
)
def test_others_are_refused_with_a_reason(hello, cause, text):
    """It names who is there."""
    with pytest.raises(RefusedHelloError, match=text) as refused:
        check_agent(hello, WORLD, TAKEN)
    assert refused.value.cause == cause


def test_the_number_of_controllers_is_limited():
    """Of 1,000 entities, 256 may have one."""
    taken = {f'agent {number}': 'process 7' for number in range(MOST_CONTROLLERS)}
    with pytest.raises(RefusedHelloError, match='the world has 256 controllers, the most'):
        check_agent(Hello('ann', ()), WORLD, taken)
    taken.popitem()
    check_agent(Hello('ann', ()), WORLD, taken)
