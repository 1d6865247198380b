# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Replays a recording: sends its datagrams with their timing and publishes /clock."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.executors import ExternalShutdownException
from rclpy.time import Time
from rosgraph_msgs.msg import Clock as ClockMessage

from world_model_core.errors import RecordingError
from world_model_core.match.ssl.recording_playback import PlayedDatagram, RecordingPlayback
from world_model_core.match.values import Channel
from world_model_nodes.match.datagram_sender import DatagramSender
from world_model_nodes.match.multicast_addresses import GROUPS, SIMULATION_PORTS
from world_model_nodes.runtime.diagnostics import Diagnostics, Report
from world_model_nodes.runtime.lifecycle import AcquiringNode, run
from world_model_nodes.runtime.pacing import Pacer
from world_model_nodes.runtime.params import parameter
from world_model_nodes.runtime.qos import CLOCK
from world_model_nodes.runtime.time_services import (
    Outcome,
    TimeServices,
    describe_jump,
    describe_pause,
    refuse_step,
    show,
)
from world_model_nodes.runtime.udp import Endpoint

# Period of /clock between datagrams, for late subscribers [s].
CLOCK_PERIOD = 0.1
# The awaited subscribers must be present for this many periods, to open their sockets.
SETTLING = 5
# Time of the recording by which ~/step advances [ns]: at least one frame of each camera.
STRIDE = 20_000_000
ENDED = Outcome(success=False, message='the recording has ended; ~/reset goes to its beginning')


@dataclass(frozen=True)
class SslReplayConfig:
    """Parameters of ssl_replay."""

    log: str = parameter('', 'path of the recording, .log or .log.gz')
    speed: float = parameter(
        1.0, 'factor against real time; may be changed at any time', low=0.01, high=1000.0
    )
    loop: bool = parameter(False, 'start again at the end; /clock then jumps back')
    exit_at_end: bool = parameter(
        True, 'exit at the end of the recording, which ends the scenario; else pause'
    )
    listeners: int = parameter(
        0, 'number of /clock subscribers to wait for before the first datagram', low=0, high=100
    )
    vision_group: str = parameter(GROUPS[Channel.VISION], 'multicast group of vision')
    vision_port: int = parameter(
        SIMULATION_PORTS[Channel.VISION], 'port of vision', low=1, high=65535
    )
    tracker_group: str = parameter(GROUPS[Channel.TRACKER], 'multicast group of trackers')
    tracker_port: int = parameter(
        SIMULATION_PORTS[Channel.TRACKER], 'port of the trackers', low=1, high=65535
    )
    referee_group: str = parameter(GROUPS[Channel.REFEREE], 'multicast group of the referee')
    referee_port: int = parameter(
        SIMULATION_PORTS[Channel.REFEREE], 'port of the referee', low=1, high=65535
    )
    interface: str = parameter('lo', 'network interface to send through')
    ttl: int = parameter(0, 'multicast TTL; 0: this machine only', low=0, high=255)
    autostart: bool = parameter(True, 'configure and activate on start')

    def endpoints(self) -> dict[str, Endpoint]:
        """Return the multicast group and port of each channel."""
        return {
            'vision': Endpoint(self.vision_group, self.vision_port),
            'tracker': Endpoint(self.tracker_group, self.tracker_port),
            'referee': Endpoint(self.referee_group, self.referee_port),
        }


class SslReplay(AcquiringNode):
    """Sends the datagrams of a recording, paced by the steady clock."""

    config_type = SslReplayConfig

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('ssl_replay', **kwargs)
        self._reset()
        self._pacer: Pacer[PlayedDatagram] = Pacer(self, self._send, self._end)
        self._clock_publisher = self.create_publisher(ClockMessage, '/clock', CLOCK)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._clock_timer = self.create_timer(
            CLOCK_PERIOD, self._publish_clock_regularly, clock=steady
        )
        self._diagnostics = Diagnostics(self, self._report)
        self._time_services = TimeServices(
            self, pause=self._pause, step=self._take_step, reset=self._restart
        )

    def _reset(self) -> None:
        """Reset the playback."""
        self._sender: DatagramSender | None = None
        self._playback = RecordingPlayback(self.config.log)
        self._active = self._paused = self._ended = False
        self._loops = self._settled = self._clock_ns = 0

    def acquire(self) -> None:
        """Open the recording and the socket."""
        self._reset()
        if not self.config.log:
            raise RecordingError("log: '' is not the path of a recording")
        if not self._rewind():
            nothing = f'{self.config.log} contains no vision, tracker or referee datagrams'
            raise RecordingError(f'log: {self._playback.damage or nothing}')
        self._pacer.change_speed(self.config.speed)
        self._sender = DatagramSender(
            self.config.endpoints(), self.config.interface, self.config.ttl
        )

    def start(self) -> None:
        """Resume."""
        self._active = True
        self._update()

    def stop(self) -> None:
        """Pause."""
        self._active = False
        self._update()

    def release(self) -> None:
        """Close the recording and the socket."""
        self._pacer.clear()
        if self._sender is not None:
            self._sender.close()
            self._sender = None

    def _rewind(self) -> bool:
        """Go to the first datagram; return False if there is none."""
        is_loaded = self._pacer.load(iter(self._playback))
        if is_loaded:
            self._clock_ns = 0
        return is_loaded

    def _update(self) -> None:
        """Run or pause the playback."""
        is_ready = self._settled >= SETTLING or self.config.listeners == 0
        if self._active and is_ready and not self._paused and not self._ended:
            self._pacer.run()
        else:
            self._pacer.halt()

    def _send(self, stamp_ns: int, played: PlayedDatagram) -> None:
        self._publish_clock(stamp_ns)
        if self._sender is not None:
            self._sender.send(*played)

    def _publish_clock(self, stamp_ns: int) -> None:
        """Publish the time; small steps back within a recording are left out."""
        self._clock_ns = max(self._clock_ns, stamp_ns)
        self._clock_publisher.publish(
            ClockMessage(clock=Time(nanoseconds=self._clock_ns).to_msg())
        )

    def _publish_clock_regularly(self) -> None:
        if self._active and self._settled < SETTLING:
            there = self._clock_publisher.get_subscription_count() >= self.config.listeners
            self._settled = self._settled + 1 if there else 0
            self._update()
        self._publish_position()

    def _publish_position(self) -> None:
        position_ns = self._clock_ns if self._ended else self._pacer.position_ns
        if position_ns is not None and self._sender is not None:
            self._publish_clock(position_ns)

    def _end(self) -> None:
        """Start again, exit or pause."""
        if self.config.loop and self._rewind():
            self._loops += 1
            return
        self._ended = True
        self._update()
        self._diagnostics.publish()
        self.get_logger().info(f'end of {self.config.log}: {self._report().message}')
        # Whoever steps through a recording has not seen its end yet.
        if self.config.exit_at_end and not self._paused:
            raise ExternalShutdownException

    def _pause(self, paused: bool) -> Outcome:
        if self._ended and not paused:
            return ENDED
        self._paused = paused
        self._update()
        return describe_pause(self._clock_ns, paused=paused)

    def _take_step(self) -> Outcome:
        if not (self._active and self._paused):
            return refuse_step()
        if self._ended:
            return ENDED
        self._pacer.step(STRIDE)
        self._publish_position()
        return Outcome(success=True, message=f'stepped to {show(self._clock_ns)}')

    def _restart(self) -> Outcome:
        """Go back to the first datagram, paused or not."""
        if self._sender is None:
            return Outcome(success=False, message='not configured')
        before_ns = self._clock_ns
        self._ended = not self._rewind()
        self._update()
        if self._ended:
            return Outcome(success=False, message=f'log: {self._playback.damage}')
        self._publish_position()
        message = describe_jump(before_ns, self._clock_ns)
        self.get_logger().warning(message)
        return Outcome(success=True, message=message)

    def _accept(self, config: SslReplayConfig) -> None:
        """Accept a new speed at any time, other parameters only while unconfigured."""
        if replace(config, speed=self.config.speed) != self.config:
            super()._accept(config)
        self.config = config
        self._pacer.change_speed(config.speed)

    def _report(self) -> Report:
        if self._sender is None:
            return Report(warnings=('not configured',))
        damage = self._playback.damage
        errors = (*self._sender.errors, damage) if damage else self._sender.errors
        skipped = {f'{kind} skipped': count for kind, count in self._playback.skipped.items()}
        values = {**self._sender.values, **skipped, 'loops': self._loops, 'clock': self._clock_ns}
        return Report(errors, self._warnings(), values)

    def _warnings(self) -> tuple[str, ...]:
        """Return the warnings that hold now."""
        is_waiting = self._active and self._settled < SETTLING and self.config.listeners > 0
        states = {
            'the recording is truncated': self._playback.truncated,
            'not active': not self._active,
            f'waiting for {self.config.listeners} subscribers of /clock': is_waiting,
            'paused': self._paused,
        }
        return tuple(text for text, holds in states.items() if holds)


def main() -> None:
    """Run the node."""
    run(SslReplay)
