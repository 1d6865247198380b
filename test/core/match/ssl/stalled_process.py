# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A simulated process with a receiving thread and an executor, either of which may stand still."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import replace

from match_packets import MS, referee, tracker, vision

from world_model_core.match.datagram_queues import DatagramQueues
from world_model_core.match.datagrams import Datagram, SenderAddress
from world_model_core.match.match import Match
from world_model_core.match.ssl.wire import Referee as RefereePacket
from world_model_core.match.ssl.wire import TrackerWrapperPacket, WrapperPacket
from world_model_core.match.system_to_local_time import ClockRelation
from world_model_core.match.values import Channel, MatchParameters
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

SENDERS = {channel: SenderAddress('10.0.0.1', 1000 + n) for n, channel in enumerate(Channel)}
# Frames of two cameras and a tracker are sent in each step, a referee packet in every third.
STEP_NS, REFEREE_EVERY = 10 * MS, 3
# Most datagrams of a channel in the kernel.
KERNEL_BUFFER = 150
BATCH, TURN = 32, 16
# Empty packets: the senders' stamps are set, which is faster than to encode each packet.
FRAME = WrapperPacket.FromString(vision(0, ball=False))
FRAME.detection.ClearField('robots_blue')
TRACKED = TrackerWrapperPacket.FromString(tracker(0))
for detections in ('balls', 'robots', 'kicked_ball'):
    TRACKED.tracked_frame.ClearField(detections)
REFEREE = RefereePacket.FromString(referee(0))


def frame_of(camera, now_ns):
    """Return a frame without detections, sent now."""
    FRAME.detection.camera_id = camera
    FRAME.detection.t_capture = FRAME.detection.t_sent = now_ns / SECOND
    return FRAME.SerializeToString()


def tracked_at(now_ns):
    """Return a packet of a tracker that is sent now."""
    TRACKED.tracked_frame.timestamp = now_ns / SECOND
    return TRACKED.SerializeToString()


def referee_at(now_ns):
    """Return a referee packet that is sent now."""
    REFEREE.packet_timestamp = now_ns // 1000
    return REFEREE.SerializeToString()


class StalledProcess:
    """
    Sockets, receiving thread and executor of ssl_receiver, in simulated time.

    Parameters
    ----------
    start_ns : int
        System time at the start.
    max_age_ns : int
        Of the queues.
    local : callable
        Converts system time to the time of the local clock.

    """

    def __init__(self, start_ns, max_age_ns, local):
        self.now_ns, self._local = start_ns, local
        self.sent, self.kernel_drops, self.taken = Counter(), Counter(), Counter()
        self.match = Match(MatchParameters())
        self.queues = DatagramQueues(max_age_ns)
        self._clocks = ClockRelation()
        self._sockets = {channel: deque() for channel in Channel}
        self._read_until_ns = start_ns
        self._local_ns = local(start_ns)
        self._index = 0  # of the step

    def run(self, duration_ns, reads=True, executes=True):
        """Let time pass; the receiving thread and the executor may stand still."""
        for _ in range(duration_ns // STEP_NS):
            self.now_ns += STEP_NS
            self._send()
            if reads:
                self._read()
            if executes:
                self._execute()

    def _send(self):
        """Send frames of both cameras and of a tracker, and now and then a referee packet."""
        self._index += 1
        packets = [(Channel.VISION, frame_of(camera, self.now_ns)) for camera in (0, 1)]
        packets.append((Channel.TRACKER, tracked_at(self.now_ns)))
        if self._index % REFEREE_EVERY == 0:
            packets.append((Channel.REFEREE, referee_at(self.now_ns)))
        for channel, data in packets:
            self.sent[channel] += 1
            socket = self._sockets[channel]
            if len(socket) >= KERNEL_BUFFER:
                self.kernel_drops[channel] += 1
            else:
                socket.append(Datagram(channel, data, self.now_ns, SENDERS[channel]))

    def _read(self):
        """Read one batch of each socket; the other channels are then ahead of a full one."""
        read_until = []
        for socket in self._sockets.values():
            for _ in range(min(BATCH, len(socket))):
                datagram = socket.popleft()
                self.queues.add(datagram)
            read_until.append(datagram.received_ns if socket else self.now_ns)
        self._read_until_ns = min(read_until)

    def _execute(self):
        """Tick, read /clock, and process a turn of datagrams, in the order of rclpy."""
        if not self.queues:
            self.match.tick(self._to_local(self._read_until_ns))
        self._local_ns = self._local(self.now_ns)
        for _ in range(TURN):
            datagram = self.queues.take(self.now_ns)
            if datagram is None:
                return
            self.taken[datagram.channel] += 1
            received_ns = self._to_local(datagram.received_ns)
            self.match.receive(replace(datagram, received_ns=received_ns))

    def _to_local(self, system_ns):
        self._clocks.read(self.now_ns, self._local_ns)
        return self._clocks.to_local(system_ns)
