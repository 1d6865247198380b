# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Diagnostics of ssl_receiver: silent channels, dropped packets, clock offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from world_model_core.match.output_age import LARGEST_AGE, AgeSummary
from world_model_core.match.values import Channel, SourceMode
from world_model_core.time import NANOSECONDS_PER_SECOND, to_seconds
from world_model_nodes.runtime.diagnostics import NO_CLOCK, Report

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping

    from world_model_core.match.match import Match
    from world_model_nodes.match.datagram_sender import DatagramSender
    from world_model_nodes.runtime.udp import ChannelStatus

SILENCE_NS = NANOSECONDS_PER_SECOND
AGE_KEYS = tuple(f'output age.{name} [s]' for name in AgeSummary._fields)
# The name of the sender's only channel.
TRACKER_OUTPUT = 'tracker output'


class Reception(NamedTuple):
    """State of the sockets by Channel, datagrams dropped by our queues, and age of the output."""

    channels: Mapping[Channel, ChannelStatus]
    dropped: Counter[str]
    age: AgeSummary | None


def report_match(
    match: Match,
    reception: Reception | None,
    now_ns: int,
    sender: DatagramSender | None = None,
) -> Report:
    """
    Return the diagnostics of a match that is being received.

    Parameters
    ----------
    match : Match
    reception : Reception or None
        None while the node is not configured.
    now_ns : int
        Current time [ns, the node's clock]; 0 before simulated time starts.
    sender : DatagramSender, optional
        Sender of our tracker packets.

    """
    if reception is None:
        return Report(warnings=('not configured',), values=dict(match.counters))
    if now_ns <= 0:
        return Report(errors=(NO_CLOCK,))
    channels = reception.channels
    broken = tuple(status.error for status in channels.values() if status.error)
    silent = [channel for channel in Channel if _is_silent(match, channel, now_ns)]
    errors, warnings = _check_silence(match.mode, silent, channels)
    warnings += _check_age(reception.age)
    values = _values(match, reception, now_ns)
    if sender is not None:
        errors, values = errors + sender.errors, {**sender.values, **values}
    warnings += _unknown_team_name(match) + match.warnings(now_ns)
    return Report(broken + errors, warnings, values)


def _check_age(age: AgeSummary | None) -> tuple[str, ...]:
    if age is None or not age.is_too_old:
        return ()
    return (f'the published states are up to {age.p99:.3f} s old, more than {LARGEST_AGE} s',)


def _unknown_team_name(match: Match) -> tuple[str, ...]:
    """Warn if no team of the match has the configured team name."""
    game, name = match.game, match.team_name
    if not name or game is None or game.our_team is not None:
        return ()
    return (
        (
            f'team_name: no team is called {name!r}; the teams are '
            f'{game.yellow.name!r} and {game.blue.name!r}'
        ),
    )


def _is_silent(match: Match, channel: Channel, now_ns: int) -> bool:
    return now_ns - match.received_ns.get(channel, 0) > SILENCE_NS


def _check_silence(
    mode: SourceMode, silent: list[Channel], channels: Mapping[Any, ChannelStatus]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return errors and warnings; silence is an error if no usable channel is left."""
    needed = {
        SourceMode.AUTO: {Channel.VISION, Channel.TRACKER},
        SourceMode.VISION: {Channel.VISION},
        SourceMode.TRACKER: {Channel.TRACKER},
    }[mode]
    texts = [f'no {c.value} packets on {channels[c].endpoint} for 1 s' for c in silent]
    if needed <= set(silent):
        return tuple(texts), ()
    # Not every match has a tracker: in auto mode its absence is no fault.
    return (), tuple(
        text
        for channel, text in zip(silent, texts, strict=True)
        if channel is not Channel.TRACKER or mode is SourceMode.TRACKER
    )


def _senders(match: Match) -> str:
    """Return each sender with what it is the incumbent of."""
    offices: dict[str, list[str]] = {}
    for office, identity in match.senders.incumbents:
        offices.setdefault(str(identity.sender), []).append(str(office))
    return '; '.join(f'{sender} ({", ".join(held)})' for sender, held in offices.items())


def _values(match: Match, reception: Reception, now_ns: int) -> dict[str, Any]:
    values: dict[str, Any] = {'ball source': match.source.value}
    values['tracker'] = match.tracker_selector.name or match.tracker_selector.uuid or 'none'
    values['senders'] = _senders(match)
    if reception.age is not None:
        for key, age in zip(AGE_KEYS, reception.age, strict=True):
            values[key] = f'{age:.4f}'
    for channel, status in reception.channels.items():
        name = channel.value
        values[f'{name}.endpoint'] = status.endpoint
        values[f'{name}.interfaces'] = ' '.join(status.interfaces)
        if channel in match.received_ns:
            values[f'{name}.age [s]'] = f'{to_seconds(now_ns - match.received_ns[channel]):.3f}'
        if match.clocks[channel].known:
            offset = to_seconds(match.clocks[channel].offset_ns)
            values[f'{name}.clock offset [s]'] = f'{offset:.6f}'
        values[f'{name}.dropped by the kernel'] = status.kernel_drops
    return {**values, **dict(sorted((match.counters + reception.dropped).items()))}
