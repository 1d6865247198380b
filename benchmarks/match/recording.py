# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The match to replay: the recorded one if its file exists, otherwise a simulated one."""

from __future__ import annotations

import os
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from world_model_core.match.datagrams import Datagram
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.referee_packets import encode_referee
from world_model_core.match.ssl.referee_values import Referee
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.values import Channel
from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.parameters import SslMatchParameters

if TYPE_CHECKING:
    from world_model_core.simulation.match.vision_broadcast import SentPacket

PROJECT = Path(__file__).resolve().parents[2]
RECORDINGS = Path(os.environ.get('WORLD_MODEL_DATA', PROJECT.parent / 'shared' / 'data'))
RECORDING = 'ssl/match_2022_part1.log.gz'
CHANNELS = {
    MessageKind.VISION_2014: Channel.VISION,
    MessageKind.VISION_TRACKER_2020: Channel.TRACKER,
    MessageKind.REFBOX_2013: Channel.REFEREE,
}
# Duration and start of the simulated match [ns]: as long as the recorded one, after 1970.
SIMULATED_NS = 3_300_000_000
EPOCH_NS = 1_700_000_000_000_000_000


def load_match() -> tuple[str, list[Datagram]]:
    """Return the name and the datagrams of the match."""
    path = RECORDINGS / RECORDING
    if path.exists():
        return RECORDING, read_datagrams(path)
    return 'simulated', simulate_match(SIMULATED_NS)


def read_datagrams(path: Path) -> list[Datagram]:
    """Return the datagrams of a recording."""
    return [
        Datagram(CHANNELS[MessageKind(message.kind)], message.data, message.received_ns)
        for message in RecordingReader(path)
        if message.kind in CHANNELS
    ]


def as_datagram(sent: SentPacket) -> Datagram:
    """Return the datagram of a simulated packet, received when it is sent."""
    received_ns = EPOCH_NS + sent.sent_ns
    if isinstance(sent.packet, Referee):
        return Datagram(Channel.REFEREE, encode_referee(sent.packet), received_ns)
    return Datagram(Channel.VISION, encode_vision(sent.packet), received_ns)


def simulate_match(
    duration_ns: int, parameters: SslMatchParameters | None = None
) -> list[Datagram]:
    """Simulate vision and referee, without a tracker, for a duration [ns]."""
    packets = SslMatch(parameters or SslMatchParameters(), EPOCH_NS).packets()
    return [as_datagram(sent) for sent in takewhile(lambda e: e.sent_ns < duration_ns, packets)]
