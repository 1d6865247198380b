# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Only a controller that knows the token, and names a free agent, is admitted."""

from __future__ import annotations

import pytest

from world_model_core.virtual_world.agents.admission import (
    OpenWorld,
    RefusedHelloError,
    check_hello,
)
from world_model_core.virtual_world.agents.wire_values import Hello

WORLD = OpenWorld('hall', 1, 0.01, 0.01, False, frozenset(('ann', 'bob')))


@pytest.mark.parametrize('token', ['', 'secret'])
def test_a_free_agent_is_admitted(token):
    """With the token, if there is one."""
    check_hello(Hello('ann', ('on_init', 'on_end'), token), WORLD, {'bob': 'process 7'}, token)


@pytest.mark.parametrize(
    ('hello', 'cause', 'text'),
    [
        (Hello('carl', (), 'wrong'), 'wrong token', 'the token is wrong'),
        (Hello('carl', (), 'sécret\ud800'), 'wrong token', 'the token is wrong'),
        (Hello('ann', (), 'secret', 2), 'other version', 'version 2 of the protocol'),
        (Hello('carl', (), 'secret'), 'unknown agent', "'carl'; there are a"),
        (Hello('bob', (), 'secret'), 'agent taken', "process 7 already acts for 'bob'"),
        (Hello('ann', ('handle',), 'secret'), 'unknown handler', "'handle' is not a handler"),
    ],
)
def test_others_are_refused_with_a_reason(hello, cause, text):
    """Without the token nothing is said about the world."""
    with pytest.raises(RefusedHelloError, match=text) as refused:
        check_hello(hello, WORLD, {'bob': 'process 7'}, 'secret')
    assert refused.value.cause == cause
