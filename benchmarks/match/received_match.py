# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A simulated match as the datagrams of its hosts, received in process, with the true ball."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.match.recording import EPOCH_NS
from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.datagrams import Datagram, SenderAddress
from world_model_core.match.match import Match
from world_model_core.match.ssl.referee_packets import encode_referee
from world_model_core.match.ssl.referee_values import Referee
from world_model_core.match.ssl.tracker_packets import encode_tracker
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.values import Channel, MatchParameters, SourceMode
from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.random_streams import RandomStream, random_stream
from world_model_core.simulation.match.simulated_play import SimulatedPlay

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from world_model_core.match.game.game_state import GameState
    from world_model_core.match.values import MatchChanges
    from world_model_core.simulation.match.parameters import SslMatchParameters

HOSTS = {
    Channel.VISION: SenderAddress('10.0.0.5', 4000),
    Channel.TRACKER: SenderAddress('10.0.0.6', 4000),
    Channel.REFEREE: SenderAddress('10.0.0.7', 4000),
}
# Delay of the tracker's packets after those of vision [ns].
TRACKER_DELAY_NS = 2_000_000
ODD_CAUSES = ('clock jumped', 'jumped back', 'stamp far off', 'Error')


class ReceivedMatch(NamedTuple):
    """
    What was published.

    Attributes
    ----------
    stamps : array of int, shape (n,)
        Time of each published ball [ns since the match began].
    errors : array, shape (n,)
        Distance of the ball on the carpet to the true one [m]; NaN where no sensor observed it.
    games : list of GameState
    faults : dict
        Resets, clock jumps and errors, by cause.
    warnings : tuple of str
        At the end.

    """

    stamps: np.ndarray
    errors: np.ndarray
    games: list[GameState]
    faults: dict[str, int]
    warnings: tuple[str, ...]


def send_match(parameters: SslMatchParameters, duration_ns: int) -> list[Datagram]:
    """Return the datagrams of vision, referee and a tracker of a simulated match, in order."""
    tracker = Match(MatchParameters(mode=SourceMode.VISION, uuid='honest', source_name='honest'))
    datagrams = []
    packets = SslMatch(parameters, EPOCH_NS).packets()
    for sent in takewhile(lambda each: each.sent_ns < duration_ns, packets):
        received_ns = EPOCH_NS + sent.sent_ns
        if isinstance(sent.packet, Referee):
            datagrams.append(_from_host(Channel.REFEREE, encode_referee(sent.packet), received_ns))
            continue
        datagrams.append(_from_host(Channel.VISION, encode_vision(sent.packet), received_ns))
        tracked = tracker.receive(datagrams[-1]).tracked
        if tracked is not None:
            later_ns = received_ns + TRACKER_DELAY_NS
            datagrams.append(_from_host(Channel.TRACKER, encode_tracker(tracked), later_ns))
    return in_order(datagrams)


def _from_host(channel: Channel, data: bytes, received_ns: int) -> Datagram:
    return Datagram(channel, data, received_ns, HOSTS[channel])


def in_order(datagrams: Iterable[Datagram]) -> list[Datagram]:
    """Return datagrams in the order of their reception."""
    return sorted(datagrams, key=lambda each: each.received_ns)


def receive_match(
    datagrams: Sequence[Datagram], mode: SourceMode, parameters: SslMatchParameters
) -> ReceivedMatch:
    """Receive datagrams and compare the published ball with the truth."""
    match = Match(MatchParameters(mode=mode))
    published, games = [], []
    for datagram in datagrams:
        changes = match.receive(datagram)
        if changes.game is not None:
            games.append(replace(changes.game, stamp_ns=0))
        if changes.ball is not None:
            published.append(position_of(changes, match))
    stamps, positions = zip(*sorted(published, key=lambda each: each[0]), strict=True)
    faults = {
        cause: count for cause, count in match.counters.items() if cause.endswith(ODD_CAUSES)
    }
    return ReceivedMatch(
        np.array(stamps) - EPOCH_NS,
        np.linalg.norm(np.array(positions) - true_places(stamps, parameters), axis=1),
        games,
        faults,
        match.warnings(datagrams[-1].received_ns),
    )


def position_of(changes: MatchChanges, match: Match) -> tuple[int, tuple[float, float]]:
    """Return the time of the published ball by the clock of vision [ns], and x, y [m] or NaN."""
    assert changes.ball is not None  # noqa: S101 (checked by the caller)
    stamp_ns = match.clocks[Channel.VISION].to_sender(changes.ball.stamp_ns)
    observed = match.source in {BallSource.VISION, BallSource.TRACKER}
    x, y, _ = changes.ball.position.tolist() if observed else (np.nan,) * 3
    return stamp_ns, (x, y)


def true_places(stamps: Sequence[int], parameters: SslMatchParameters) -> np.ndarray:
    """Return the true x, y at times of vision's clock in order, shape (n, 2) [m]."""
    play = SimulatedPlay(parameters, random_stream(parameters.seed, RandomStream.PLAYERS))
    truths = (play.advance(max(stamp_ns - EPOCH_NS, 0)) for stamp_ns in stamps)
    return np.array([truth.position[:2] for truth in truths])
