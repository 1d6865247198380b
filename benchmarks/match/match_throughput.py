# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Speed of a match replayed without ROS on one core, as a multiple of real time.

Each stage includes those before it: protobuf's parser alone (the baseline of the ratios), the
decoders, the match (source selection, filters, extrapolation), and the prediction of every ball,
sampled for 3 s in steps of 0.05 s as ball_predictor does by default.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.match.recording import load_match
from benchmarks.timing import one_core, time_tasks
from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.match.match import Match
from world_model_core.match.ssl import wire
from world_model_core.match.ssl.referee_packets import decode_referee
from world_model_core.match.ssl.tracker_packets import decode_tracker
from world_model_core.match.ssl.vision_packets import decode_vision
from world_model_core.match.values import Channel, MatchParameters, SourceMode
from world_model_core.time import to_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from benchmarks.match.recording import Datagram
    from benchmarks.timing import Timing

ROUNDS = 10
HORIZON, STEP = 3.0, 0.05
TARGET = 20.0
PARSERS: dict[Channel, Callable[[bytes], object]] = {
    Channel.VISION: wire.WrapperPacket.FromString,
    Channel.TRACKER: wire.TrackerWrapperPacket.FromString,
    Channel.REFEREE: wire.Referee.FromString,
}
DECODERS: dict[Channel, Callable[[bytes], object]] = {
    Channel.VISION: decode_vision,
    Channel.TRACKER: decode_tracker,
    Channel.REFEREE: decode_referee,
}


def measure(rounds: int = ROUNDS, most: int | None = None) -> dict[str, Any]:
    """Replay the match, or at most its first datagrams, in every mode that it has packets for."""
    name, recorded = load_match()
    datagrams = recorded[:most]
    duration = to_seconds(datagrams[-1].received_ns - datagrams[0].received_ns)
    modes = [mode for mode in SourceMode if replay(mode, datagrams)]
    tasks: dict[str, Callable[[], object]] = {}
    for channel in Channel:
        tasks[f'parse {channel.value}'] = partial(apply, PARSERS, channel, datagrams)
        tasks[f'decode {channel.value}'] = partial(apply, DECODERS, channel, datagrams)
    for mode in modes:
        tasks[f'match {mode.value}'] = partial(feed, mode, datagrams)
        tasks[f'all {mode.value}'] = partial(replay, mode, datagrams)
    with one_core():
        timings = time_tasks(tasks, rounds)
    return {
        'recording': name,
        'duration [s]': duration,
        'datagrams': {c.value: count(c, datagrams) for c in Channel},
        'target [times real time]': TARGET,
        'decoding [us per datagram]': {
            c.value: _decoding(c, datagrams, timings) for c in Channel if count(c, datagrams)
        },
        'modes': {m.value: _mode(m, datagrams, duration, timings) for m in modes},
    }


def count(channel: Channel, datagrams: Iterable[Datagram]) -> int:
    """Return the number of datagrams of a channel."""
    return sum(datagram.channel is channel for datagram in datagrams)


def apply(
    functions: dict[Channel, Callable[[bytes], object]],
    channel: Channel,
    datagrams: Iterable[Datagram],
) -> None:
    """Apply a channel's function to all datagrams of the channel."""
    function = functions[channel]
    for datagram in datagrams:
        if datagram.channel is channel:
            function(datagram.data)


def feed(mode: SourceMode, datagrams: Iterable[Datagram]) -> None:
    """Process all datagrams."""
    match = Match(MatchParameters(mode=mode))
    for datagram in datagrams:
        match.receive(datagram)


def replay(mode: SourceMode, datagrams: Iterable[Datagram]) -> int:
    """Process all datagrams, predict and sample every ball, and return their number."""
    match, predictor = Match(MatchParameters(mode=mode)), BallPredictor(BallParameters())
    balls = 0
    for datagram in datagrams:
        changes = match.receive(datagram)
        if changes.kick is not None:
            predictor.observe_kick(changes.kick)
        if changes.ball is not None:
            predictor.predict(changes.ball).trajectory.sample(HORIZON, STEP)
            balls += 1
    return balls


def _decoding(
    channel: Channel, datagrams: Iterable[Datagram], timings: dict[str, Timing]
) -> dict[str, float]:
    """Compare the decoder of a channel with its protobuf parser."""
    per_datagram = 1e6 / count(channel, datagrams)
    parse, decode = (timings[f'{stage} {channel.value}'].least for stage in ('parse', 'decode'))
    return {
        'protobuf alone': round(parse * per_datagram, 2),
        'decoder': round(decode * per_datagram, 2),
        'ratio': round(decode / parse, 2),
    }


def _mode(
    mode: SourceMode, datagrams: Iterable[Datagram], duration: float, timings: dict[str, Timing]
) -> dict[str, Any]:
    """Return the speed in a mode, its variation, and the CPU time of each stage."""
    ignored = Channel.TRACKER if mode is SourceMode.VISION else None
    used = [c for c in Channel if count(c, datagrams) and c is not ignored]
    parse = sum(timings[f'parse {c.value}'].least for c in used)
    decode = sum(timings[f'decode {c.value}'].least for c in used)
    match, everything = timings[f'match {mode.value}'], timings[f'all {mode.value}']
    return {
        'times real time': round(duration / everything.least, 1),
        'times real time, median of rounds': round(duration / everything.median, 1),
        'balls predicted': replay(mode, datagrams),
        'CPU [ms]': round(everything.least * 1e3, 1),
        'CPU, protobuf alone [ms]': round(parse * 1e3, 1),
        'ratio to protobuf alone': round(everything.least / parse, 1),
        'of which [ms]': {
            'decoding': round(decode * 1e3, 1),
            'match': round((match.least - decode) * 1e3, 1),
            'prediction': round((everything.least - match.least) * 1e3, 1),
        },
    }
