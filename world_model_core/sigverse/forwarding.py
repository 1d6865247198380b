# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Who gets a packet that a controller sends to others."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from world_model_core.sigverse.packet_types import ForwardFlag

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from world_model_core.sigverse.header import Forwarding

__all__ = ['receivers']


def receivers(
    forwarding: Forwarding,
    sender: str,
    controllers: Collection[str],
    positions: Mapping[str, Sequence[float]],
) -> tuple[str, ...]:
    """
    Return the agents whose controllers get a packet, by name.

    As in SIGVerse (PacketForward.cpp): the agent that it is for, also if that is the sender; or
    all others. With REACH_RADIUS and a radius that is not negative, those that are nearer to the
    sender, but not at its place; a radius of 0 reaches nobody.

    Parameters
    ----------
    forwarding : Forwarding
    sender : str
        Agent of the controller that sends.
    controllers : collection of str
        Agents that have a controller.
    positions : mapping of str to sequence of float
        Of entities, in the unit of the radius.

    """
    if not forwarding.flags & ForwardFlag.FORWARD:
        return ()
    named = (forwarding.to,) if forwarding.to else sorted(set(controllers) - {sender})
    present = [name for name in named if name in controllers]
    if forwarding.flags & ForwardFlag.REACH_RADIUS and forwarding.radius >= 0.0:
        present = [
            name
            for name in present
            if 0.0 < _distance(sender, name, positions) < forwarding.radius
        ]
    return tuple(present)


def _distance(one: str, other: str, positions: Mapping[str, Sequence[float]]) -> float:
    """Return the distance of two entities; infinite if one of them is not in the world."""
    if one not in positions or other not in positions:
        return math.inf
    return math.dist(positions[one], positions[other])
