# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A match's health: what is silent, what was dropped, what each clock is off by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_core.match.values import Channel, SourceMode
from world_model_core.time import NANOSECONDS_PER_SECOND, to_seconds
from world_model_nodes.runtime.diagnostics import Report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.match.match import Match
    from world_model_nodes.match.datagram_sender import DatagramSender
    from world_model_nodes.runtime.udp import ChannelStatus

SILENCE_NS = NANOSECONDS_PER_SECOND
# The outlet's only channel.
TRACKER_OUTPUT = 'tracker output'


def report_match(
    match: Match,
    channels: Mapping[Any, ChannelStatus],
    now_ns: int,
    outlet: DatagramSender | None = None,
) -> Report:
    """
    Say how a match is received.

    Parameters
    ----------
    match : Match
    channels : mapping
        From Channel to the state of its socket; empty while nothing is configured.
    now_ns : int
        [ns, the node's clock]; 0 while simulated time has not begun.
    outlet : DatagramSender, optional
        Through which our own tracking is sent.

    """
    if not channels:
        return Report(warnings=('not configured',), values=dict(match.counters))
    if now_ns <= 0:
        return Report(errors=('use_sim_time is set, but /clock has not been heard',))
    broken = tuple(status.error for status in channels.values() if status.error)
    silent = [channel for channel in Channel if _is_silent(match, channel, now_ns)]
    errors, warnings = _judge(match.mode, silent, channels)
    values = _values(match, channels, now_ns)
    if outlet is not None:
        errors, values = errors + outlet.errors, {**outlet.values, **values}
    return Report(broken + errors, warnings + _strangers(match), values)


def _strangers(match: Match) -> tuple[str, ...]:
    """Warn of a team name that no team of the match has: it may be misspelt."""
    game, name = match.game, match.team_name
    if not name or game is None or game.our_team is not None:
        return ()
    return (f'no team is called {name!r}; there are {game.yellow.name!r}, {game.blue.name!r}',)


def _is_silent(match: Match, channel: Channel, now_ns: int) -> bool:
    return now_ns - match.heard_ns.get(channel, 0) > SILENCE_NS


def _judge(
    mode: SourceMode, silent: list[Channel], channels: Mapping[Any, ChannelStatus]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Silence is an error where nothing is left to see by, else a warning."""
    needed = {
        SourceMode.AUTO: {Channel.VISION, Channel.TRACKER},
        SourceMode.VISION: {Channel.VISION},
        SourceMode.TRACKER: {Channel.TRACKER},
    }[mode]
    said = [f'no {c.value} packets on {channels[c].endpoint} for 1 s' for c in silent]
    if needed <= set(silent):
        return tuple(said), ()
    # A league game goes on without a tracker: in auto its absence is no fault.
    return (), tuple(
        text
        for channel, text in zip(silent, said, strict=True)
        if channel is not Channel.TRACKER or mode is SourceMode.TRACKER
    )


def _values(match: Match, channels: Mapping[Any, ChannelStatus], now_ns: int) -> dict[str, Any]:
    values: dict[str, Any] = {'ball source': match.source.value}
    values['tracker'] = match.election.name or match.election.uuid or 'none'
    for channel, status in channels.items():
        name = channel.value
        values[f'{name}.endpoint'] = status.endpoint
        values[f'{name}.interfaces'] = ' '.join(status.interfaces)
        if channel in match.heard_ns:
            values[f'{name}.age [s]'] = f'{to_seconds(now_ns - match.heard_ns[channel]):.3f}'
        if match.clocks[channel].known:
            offset = to_seconds(match.clocks[channel].offset_ns)
            values[f'{name}.clock offset [s]'] = f'{offset:.6f}'
        values[f'{name}.dropped by the kernel'] = status.kernel_drops
        values[f'{name}.dropped by our queue'] = status.queue_drops
    return {**values, **dict(sorted(match.counters.items()))}
