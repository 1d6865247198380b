# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Random datagrams of all kinds: noise, damaged packets, and well-formed ones of many senders."""

from __future__ import annotations

from random import Random

from match_packets import MS, START, referee, tracker, vision
from samples import CAMERA, FIELD

from world_model_core.match.datagrams import Datagram, SenderAddress
from world_model_core.match.ssl.geometry_values import Geometry
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.ssl.vision_values import VisionPacket
from world_model_core.match.values import Channel

# Well-formed packets of each channel, over some seconds, cameras, clocks and identities.
COUNT = 64
# More than a whole packet: parts of two packets are joined.
LARGEST = 1400
SENDERS = tuple(SenderAddress(f'10.0.0.{number}', 4000 + number) for number in range(6))
SECOND = 1000 * MS
CLOCKS = (0, 0, 0, -SECOND, 3600 * SECOND)


def well_formed():
    """Return packets of each channel that a decoder accepts."""
    geometry = encode_vision(VisionPacket(None, Geometry(FIELD, (CAMERA,))))
    frames = [
        vision(index, x=0.05 * index, camera_id=index % 5, clock_ns=CLOCKS[index % len(CLOCKS)])
        for index in range(COUNT)
    ]
    tracked = [tracker(index, x=0.05 * index, uuid=f'uuid-{index % 3}') for index in range(COUNT)]
    return {
        Channel.VISION: [*frames, geometry],
        Channel.TRACKER: tracked,
        Channel.REFEREE: [referee(index, command_counter=index // 8) for index in range(COUNT)],
    }


def keep(data, _random):
    """Return a packet as it is."""
    return data


def noise(_data, random):
    """Return random bytes of any length."""
    return random.randbytes(random.randrange(200))


def truncate(data, random):
    """Cut a packet off."""
    return data[: random.randrange(len(data))]


def flip(data, random):
    """Replace some bytes."""
    changed = bytearray(data)
    for _ in range(random.randrange(1, 5)):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def splice(data, random):
    """Remove or repeat a part of a packet."""
    first, second = random.randrange(len(data)), random.randrange(len(data))
    return (data[:first] + data[second:])[:LARGEST]


CHANGES = (keep, noise, truncate, flip, flip, splice)


def fuzzed(seed):
    """Yield channel, bytes and sender of datagrams, without end."""
    random, packets = Random(seed), well_formed()  # noqa: S311 (no secret)
    channels = (Channel.VISION, Channel.VISION, Channel.TRACKER, Channel.REFEREE)
    while True:
        channel = random.choice(channels)
        data = random.choice(CHANGES)(random.choice(packets[channel]), random)
        yield channel, data, random.choice(SENDERS)


def fuzzed_datagrams(seed):
    """Yield datagrams with times of reception: steady, in bursts, and now and then set back."""
    random, now_ns = Random(seed), START  # noqa: S311 (no secret)
    for channel, data, sender in fuzzed(seed):
        now_ns += random.choice((0, 0, MS, 10 * MS))
        if random.random() < 1e-4:
            now_ns = START
        yield Datagram(channel, data, now_ns, sender)


def stalling_clock(seed):
    """Return a clock by which work takes about 1 ms, and now and then much longer."""
    random, now_ns = Random(seed), 0  # noqa: S311 (no secret)

    def read():
        nonlocal now_ns
        now_ns += MS if random.random() > 2e-4 else random.randrange(20, 2000) * MS
        return now_ns

    return read
