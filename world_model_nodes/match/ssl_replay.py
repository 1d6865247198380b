# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Sends a recording's datagrams with the recording's timing, and its time on /clock."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.executors import ExternalShutdownException
from rclpy.time import Time
from rosgraph_msgs.msg import Clock as ClockMessage

from world_model_core.errors import RecordingError
from world_model_core.match.ssl.recording_playback import PlayedDatagram, RecordingPlayback
from world_model_nodes.match.datagram_sender import DatagramSender
from world_model_nodes.runtime.diagnostics import Diagnostics, Report
from world_model_nodes.runtime.lifecycle import AcquiringNode, run
from world_model_nodes.runtime.pacing import Pacer
from world_model_nodes.runtime.params import parameter
from world_model_nodes.runtime.qos import CLOCK
from world_model_nodes.runtime.time_services import Outcome, TimeServices, describe_pause
from world_model_nodes.runtime.udp import Endpoint

# While no datagrams are sent the time is told this often, for those who join late [s].
TELL_PERIOD = 0.1
# How many of these periods all awaited listeners must have been there, to open their sockets.
SETTLING = 5


@dataclass(frozen=True)
class SslReplayConfig:
    """Parameters of ssl_replay."""

    log: str = parameter('', 'path of the recording, .log or .log.gz')
    speed: float = parameter(
        1.0, 'recorded seconds played in one; may change at any time', low=0.01, high=1000.0
    )
    loop: bool = parameter(False, 'start over at the end; /clock then jumps back')
    exit_at_end: bool = parameter(
        True, 'end the process with the recording, so that its scenario ends; else stand still'
    )
    listeners: int = parameter(
        0, 'subscriptions of /clock to wait for before the first datagram', low=0, high=100
    )
    vision_group: str = parameter('224.5.23.2', 'multicast group of vision')
    vision_port: int = parameter(10020, "vision's port", low=1, high=65535)
    tracker_group: str = parameter('224.5.23.2', 'multicast group of trackers')
    tracker_port: int = parameter(11010, "the trackers' port", low=1, high=65535)
    referee_group: str = parameter('224.5.23.1', 'multicast group of the referee')
    referee_port: int = parameter(11003, "the referee's port", low=1, high=65535)
    interface: str = parameter('lo', 'network interface to send through')
    ttl: int = parameter(0, 'routers to pass plus one; 0 stays here', low=0, high=255)
    autostart: bool = parameter(True, 'configure and activate at once')

    def endpoints(self) -> dict[str, Endpoint]:
        """Tell where each channel goes."""
        return {
            'vision': Endpoint(self.vision_group, self.vision_port),
            'tracker': Endpoint(self.tracker_group, self.tracker_port),
            'referee': Endpoint(self.referee_group, self.referee_port),
        }


class SslReplay(AcquiringNode):
    """It runs on the steady clock alone: the time that it publishes is not its own."""

    config_type = SslReplayConfig

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('ssl_replay', **kwargs)
        self._reset()
        self._pacer: Pacer[PlayedDatagram] = Pacer(self, self._send, self._end)
        self._clock_publisher = self.create_publisher(ClockMessage, '/clock', CLOCK)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._teller = self.create_timer(TELL_PERIOD, self._tell_steadily, clock=steady)
        self._diagnostics = Diagnostics(self, self._report)
        self._time_services = TimeServices(self, pause=self._pause)

    def _reset(self) -> None:
        """Forget what was played."""
        self._outlet: DatagramSender | None = None
        self._playback = RecordingPlayback(self.config.log)
        self._active = self._paused = self._ended = False
        self._loops = self._settled = self._told_ns = 0

    def acquire(self) -> None:
        """Open the recording and the socket."""
        self._reset()
        if not self.config.log:
            raise RecordingError("parameter log is ''; it must be the path of a recording")
        if not self._rewind():
            nothing = f'{self.config.log} holds no vision, tracker or referee datagrams'
            raise RecordingError(f'parameter log: {self._playback.damage or nothing}')
        self._pacer.change_speed(self.config.speed)
        self._outlet = DatagramSender(
            self.config.endpoints(), self.config.interface, self.config.ttl
        )

    def start(self) -> None:
        """Play on."""
        self._active = True
        self._update()

    def stop(self) -> None:
        """Stand still."""
        self._active = False
        self._update()

    def release(self) -> None:
        """Close recording and socket."""
        self._pacer.clear()
        if self._outlet is not None:
            self._outlet.close()
            self._outlet = None

    def _rewind(self) -> bool:
        """Begin at the first datagram; return False if there is none."""
        self._told_ns = 0
        return self._pacer.load(iter(self._playback))

    def _update(self) -> None:
        """Let time go on, or stand."""
        heard = self._settled >= SETTLING or self.config.listeners == 0
        if self._active and heard and not self._paused and not self._ended:
            self._pacer.run()
        else:
            self._pacer.halt()

    def _send(self, stamp_ns: int, played: PlayedDatagram) -> None:
        self._tell(stamp_ns)
        if self._outlet is not None:
            self._outlet.send(*played)

    def _tell(self, stamp_ns: int) -> None:
        """Publish the time; a recording's own small steps back are not passed on."""
        self._told_ns = max(self._told_ns, stamp_ns)
        self._clock_publisher.publish(ClockMessage(clock=Time(nanoseconds=self._told_ns).to_msg()))

    def _tell_steadily(self) -> None:
        if self._active and self._settled < SETTLING:
            there = self._clock_publisher.get_subscription_count() >= self.config.listeners
            self._settled = self._settled + 1 if there else 0
            self._update()
        position_ns = self._told_ns if self._ended else self._pacer.position_ns
        if position_ns is not None and self._outlet is not None:
            self._tell(position_ns)

    def _end(self) -> None:
        """Start over, end the process, or stand still."""
        if self.config.loop and self._rewind():
            self._loops += 1
            return
        self._ended = True
        self._update()
        self._diagnostics.publish()
        self.get_logger().info(f'{self.config.log} has ended: {self._report().message}')
        if self.config.exit_at_end:
            raise ExternalShutdownException

    def _pause(self, paused: bool) -> Outcome:
        self._paused = paused
        self._update()
        return describe_pause(self._told_ns, paused=paused)

    def _accept(self, config: SslReplayConfig) -> None:
        """Take another speed at any time."""
        if replace(config, speed=self.config.speed) != self.config:
            super()._accept(config)
        self.config = config
        self._pacer.change_speed(config.speed)

    def _report(self) -> Report:
        if self._outlet is None:
            return Report(warnings=('not configured',))
        damage = self._playback.damage
        errors = (*self._outlet.errors, damage) if damage else self._outlet.errors
        skipped = {f'{kind} skipped': count for kind, count in self._playback.skipped.items()}
        values = {**self._outlet.values, **skipped, 'loops': self._loops, 'clock': self._told_ns}
        return Report(errors, self._warnings(), values)

    def _warnings(self) -> tuple[str, ...]:
        """Tell what is not as usual."""
        waits = self._active and self._settled < SETTLING and self.config.listeners > 0
        states = {
            'the recording is cut off at its end': self._playback.truncated,
            'not active': not self._active,
            f'waits for {self.config.listeners} listeners of /clock': waits,
            'paused': self._paused,
        }
        return tuple(text for text, holds in states.items() if holds)


def main() -> None:
    """Run the node."""
    run(SslReplay)
