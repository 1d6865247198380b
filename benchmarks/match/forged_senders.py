# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The ball's error while another host forges packets, and while the network disturbs the right ones.

Simulated matches are received in process, in simulated time. The forger sends vision of the same
cameras and of a new one, trackers, geometries and referee packets, with right stamps and with
stamps an hour ahead. The baseline is the same match without it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.match.received_match import in_order, receive_match, send_match
from world_model_core.match.datagrams import Datagram, SenderAddress
from world_model_core.match.ssl.referee_packets import decode_referee, encode_referee
from world_model_core.match.ssl.referee_values import Command
from world_model_core.match.ssl.tracker_packets import decode_tracker, encode_tracker
from world_model_core.match.ssl.vision_packets import decode_vision, encode_vision
from world_model_core.match.ssl.vision_values import VisionPacket
from world_model_core.match.values import Channel, SourceMode
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.time import NANOSECONDS_PER_SECOND, to_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from world_model_core.match.ssl.tracker_values import TrackedFrame
    from world_model_core.match.ssl.vision_values import DetectionFrame

# One chip decides the largest errors of a match: fewer matches than these have no certain ratio.
SEEDS = tuple(range(1, 10))
DURATION_NS = 15 * NANOSECONDS_PER_SECOND
CAMERAS = 4
FORGER = SenderAddress('10.0.0.66', 6000)
HOUR_NS = 3600 * NANOSECONDS_PER_SECOND
# The forger begins when the right senders are known [ns].
BEGIN_NS = NANOSECONDS_PER_SECOND
# Where the forger puts ball and robots, relative to their true place [m].
SHIFT = 0.5
NEW_CAMERA = 9


def measure(seeds: Sequence[int] = SEEDS, duration_ns: int = DURATION_NS) -> dict[str, Any]:
    """Receive all matches with and without forged packets and disturbances."""
    parameters = [SslMatchParameters(seed=seed, cameras=CAMERAS) for seed in seeds]
    matches = [(each, send_match(each, duration_ns)) for each in parameters]
    return {
        'seeds': tuple(seeds),
        'duration [s]': to_seconds(duration_ns),
        'forged': {
            mode.value: compare_forged(matches, mode)
            for mode in (SourceMode.AUTO, SourceMode.VISION)
        },
        'disturbed': _compare_disturbed(matches),
    }


def compare_forged(
    matches: Sequence[tuple[SslMatchParameters, list[Datagram]]], mode: SourceMode
) -> dict[str, Any]:
    """Compare matches with and without the forger in one source mode."""
    changes, games, faults, count = [0.0], 0, 0, 0
    warnings: tuple[str, ...] = ()
    for parameters, datagrams in matches:
        forged = list(forge(datagrams))
        plain = receive_match(datagrams, mode, parameters)
        attacked = receive_match(in_order([*datagrams, *forged]), mode, parameters)
        if not np.array_equal(plain.stamps, attacked.stamps):
            changes.append(np.inf)
        else:
            changes.append(float(np.nanmax(abs(attacked.errors - plain.errors))))
        games += plain.games != attacked.games
        faults += attacked.faults != plain.faults
        count += len(forged)
        warnings = attacked.warnings
    return {
        'forged packets': count,
        'largest change of the error [mm]': round(1e3 * max(changes), 3),
        'matches with another game': games,
        'matches with resets, jumps or errors': faults,
        'warnings': warnings,
    }


def forge(datagrams: Sequence[Datagram]) -> Iterator[Datagram]:
    """Yield forged packets to send with the genuine ones, every second one an hour ahead."""
    begin_ns = datagrams[0].received_ns + BEGIN_NS
    last_ns = dict.fromkeys(('geometry', Channel.REFEREE), 0)
    for number, datagram in enumerate(each for each in datagrams if each.received_ns > begin_ns):
        ahead_ns = HOUR_NS * (number % 2)
        if datagram.channel is Channel.VISION:
            packet = decode_vision(datagram.data)
            if packet.detection is not None:
                yield from _forge_frames(packet.detection, datagram, ahead_ns)
        elif datagram.channel is Channel.TRACKER:
            tracked = decode_tracker(datagram.data)
            if tracked.frame is not None:
                frame = _shift_tracked(tracked.frame, ahead_ns)
                for uuid in (tracked.uuid, 'EVIL'):
                    forged = replace(tracked, uuid=uuid, source_name=uuid, frame=frame)
                    yield _forged(datagram, encode_tracker(forged))
        elif datagram.received_ns - last_ns[Channel.REFEREE] > NANOSECONDS_PER_SECOND // 10:
            last_ns[Channel.REFEREE] = datagram.received_ns
            yield _forged(datagram, _halt(datagram.data, ahead_ns))
        if datagram.received_ns - last_ns['geometry'] > NANOSECONDS_PER_SECOND // 10:
            last_ns['geometry'] = datagram.received_ns
            yield from _forge_geometry(datagrams, datagram)


def _forged(near: Datagram, data: bytes, channel: Channel | None = None) -> Datagram:
    """Return a datagram of the forger, received just before another one."""
    return Datagram(channel or near.channel, data, near.received_ns - 1000, FORGER)


def _forge_frames(frame: DetectionFrame, datagram: Datagram, ahead_ns: int) -> Iterator[Datagram]:
    """Yield a frame of the same camera, and for the first camera one of a new camera."""
    shifted = replace(
        frame,
        capture_ns=frame.capture_ns + ahead_ns,
        sent_ns=frame.sent_ns + ahead_ns,
        balls=tuple(replace(ball, x=ball.x + SHIFT) for ball in frame.balls),
        robots=tuple(replace(robot, x=robot.x + SHIFT) for robot in frame.robots),
    )
    yield _forged(datagram, encode_vision(VisionPacket(shifted, None)))
    if frame.camera_id == 0:
        new = replace(shifted, camera_id=NEW_CAMERA)
        yield _forged(datagram, encode_vision(VisionPacket(new, None)))


def _shift_tracked(frame: TrackedFrame, ahead_ns: int) -> TrackedFrame:
    """Return a tracker frame with the ball elsewhere."""
    balls = tuple(
        replace(ball, position=(ball.position[0] + SHIFT, *ball.position[1:]))
        for ball in frame.balls
    )
    return replace(frame, stamp_ns=frame.stamp_ns + ahead_ns, balls=balls)


def _halt(data: bytes, ahead_ns: int) -> bytes:
    """Return a referee packet with the command HALT and the next number."""
    packet = decode_referee(data)
    return encode_referee(
        replace(
            packet,
            command=Command.HALT,
            command_counter=packet.command_counter + 1,
            sent_ns=packet.sent_ns + ahead_ns,
        )
    )


def _forge_geometry(datagrams: Sequence[Datagram], near: Datagram) -> Iterator[Datagram]:
    """Yield a geometry with a smaller field, moved cameras and other ball models."""
    geometry = decode_vision(datagrams[0].data).geometry
    if geometry is None or geometry.straight is None:
        return
    cameras = tuple(
        replace(camera, position=(0.0, 0.0, 5.0), translation=(0.0, 0.0, 5.0))
        for camera in geometry.cameras
    )
    other = replace(
        geometry,
        field=replace(geometry.field, length=6.0),
        cameras=cameras,
        straight=replace(geometry.straight, slide_acceleration=-9.0),
    )
    yield _forged(near, encode_vision(VisionPacket(None, other)), Channel.VISION)


def _compare_disturbed(
    matches: Sequence[tuple[SslMatchParameters, list[Datagram]]],
) -> dict[str, Any]:
    """Return the errors of vision under each disturbance, and their ratio to those without."""
    rows: dict[str, Any] = {}
    for name, disturb in DISTURBANCES.items():
        errors, faults = [], 0
        for parameters, datagrams in matches:
            random = np.random.default_rng(parameters.seed)
            untracked = [each for each in datagrams if each.channel is not Channel.TRACKER]
            received = in_order(disturb(untracked, random))
            found = receive_match(received, SourceMode.VISION, parameters)
            errors.append(found.errors)
            faults += sum(found.faults.values())
        together = np.concatenate(errors)
        rows[name] = _summarize(1e3 * together, faults)
    plain = rows['undisturbed']['p99 [mm]']
    for row in rows.values():
        row['p99 / undisturbed'] = round(row['p99 [mm]'] / plain, 2)
    return rows


def _summarize(errors: np.ndarray, faults: int) -> dict[str, Any]:
    """Return median and high quantiles of errors [mm] where the ball was observed."""
    seen = errors[~np.isnan(errors)]
    median, p95, p99 = np.percentile(seen, (50, 95, 99)).round(1).tolist()
    return {
        'median [mm]': median,
        'p95 [mm]': p95,
        'p99 [mm]': p99,
        'balls': len(errors),
        'observed': round(len(seen) / len(errors), 3),
        'resets, jumps, errors': faults,
    }


def _keep(datagrams: Sequence[Datagram], _: np.random.Generator) -> Iterable[Datagram]:
    return datagrams


def _lose(datagrams: Sequence[Datagram], random: np.random.Generator) -> Iterable[Datagram]:
    kept = random.random(len(datagrams)) >= 0.3
    return [datagram for datagram, keep in zip(datagrams, kept, strict=True) if keep]


def _repeat(datagrams: Sequence[Datagram], random: np.random.Generator) -> Iterable[Datagram]:
    delays = random.integers(0, 5_000_000, len(datagrams)).tolist()
    copies = [
        replace(each, received_ns=each.received_ns + delay)
        for each, delay in zip(datagrams, delays, strict=True)
    ]
    return [*datagrams, *copies]


def _reorder(datagrams: Sequence[Datagram], random: np.random.Generator) -> Iterable[Datagram]:
    delays = random.integers(0, 30_000_000, len(datagrams)).tolist()
    return [
        replace(each, received_ns=each.received_ns + delay)
        for each, delay in zip(datagrams, delays, strict=True)
    ]


def _delay(datagrams: Sequence[Datagram], _: np.random.Generator) -> Iterable[Datagram]:
    return [
        replace(each, received_ns=each.received_ns + 50_000_000) if _is_first(each) else each
        for each in datagrams
    ]


def _silence(datagrams: Sequence[Datagram], _: np.random.Generator) -> Iterable[Datagram]:
    return [each for each in datagrams if not _is_first(each)]


def _is_first(datagram: Datagram) -> bool:
    """Return whether a datagram is a frame of the first camera."""
    if datagram.channel is not Channel.VISION:
        return False
    frame = decode_vision(datagram.data).detection
    return frame is not None and frame.camera_id == 0


DISTURBANCES = {
    'undisturbed': _keep,
    '30 % lost': _lose,
    'sent twice': _repeat,
    'reordered within 30 ms': _reorder,
    'one camera 50 ms late': _delay,
    'one camera silent': _silence,
}
