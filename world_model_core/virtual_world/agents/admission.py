# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which controllers may act for which agent."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.virtual_world.agents.events import HANDLERS, AgentError
from world_model_core.virtual_world.agents.wire_values import PROTOCOL_VERSION, Welcome
from world_model_core.virtual_world.agents.world_access import nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.virtual_world.agents.wire_values import Hello

__all__ = ['MOST_CONTROLLERS', 'OpenWorld', 'RefusedHelloError', 'check_agent', 'check_greeting']

# At the same time; each needs a file descriptor, of which a process usually has 1,024.
MOST_CONTROLLERS = 256


@dataclass(frozen=True, slots=True)
class OpenWorld:
    """
    What controllers may act in.

    Attributes
    ----------
    name : str
    seed : int
        Of the run.
    step : float
        Duration of a physics step [s].
    entities : frozenset of str
        Names of those for which controllers may act: all.
    length_unit : float
        Of the world file [m].
    original_modes : bool
        Whether what the mode of an object does not allow is ignored.

    """

    name: str
    seed: int
    step: float
    entities: frozenset[str]
    length_unit: float = 0.01
    original_modes: bool = False

    def welcome(self, agent: str) -> Welcome:
        """Return the answer to a controller that may act for an agent."""
        return Welcome(
            agent, self.name, self.seed, self.step, self.length_unit, self.original_modes
        )


class RefusedHelloError(AgentError):
    """
    A controller may not act for an agent.

    Attributes
    ----------
    cause : str
        What is wrong, in a few words that are the same for all such controllers.

    """

    def __init__(self, cause: str, text: str) -> None:
        super().__init__(text)
        self.cause = cause


def check_greeting(hello: Hello, token: str) -> None:
    """
    Check that a controller may hear of the world at all.

    Parameters
    ----------
    hello : Hello
    token : str
        What it must know; empty: nothing.

    Raises
    ------
    RefusedHelloError

    """
    # In constant time: the duration says nothing about how much of a token was right.
    if token and not hmac.compare_digest(hello.token.encode(errors='replace'), token.encode()):
        raise RefusedHelloError('wrong token', 'the token is wrong')
    if hello.version != PROTOCOL_VERSION:
        raise RefusedHelloError(
            'other version',
            f'the controller has version {hello.version} of the protocol; '
            f'the world has {PROTOCOL_VERSION}',
        )


def check_agent(hello: Hello, world: OpenWorld, taken: Mapping[str, str]) -> None:
    """
    Check that a controller may act for its agent.

    Parameters
    ----------
    hello : Hello
    world : OpenWorld
    taken : mapping of str to str
        Who acts for which agent already.

    Raises
    ------
    RefusedHelloError

    """
    if len(taken) >= MOST_CONTROLLERS:
        raise RefusedHelloError(
            'too many controllers',
            f'the world has {len(taken)} controllers, the most that it can have',
        )
    if hello.agent not in world.entities:
        raise RefusedHelloError(
            'unknown agent',
            f'no entity has the name {hello.agent!r}; there are '
            f'{nearest(hello.agent, world.entities)}',
        )
    if hello.agent in taken:
        raise RefusedHelloError(
            'agent taken', f'{taken[hello.agent]} already acts for {hello.agent!r}'
        )
    unknown = sorted(set(hello.handlers) - set(HANDLERS.values()))
    if unknown:
        raise RefusedHelloError(
            'unknown handler',
            f'{unknown[0]!r} is not a handler; there are {", ".join(HANDLERS.values())}',
        )
