# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Times to recover from faults of the network, with simulator, receiver and predictor on three hosts.

Vision goes by multicast from the simulator to the receiver, the ball by ROS to the predictor, and
a listener on the predictor's host receives the predictions and the receiver's documents.
"""

from __future__ import annotations

import itertools
import os
import time
from threading import Thread
from typing import IO, TYPE_CHECKING, Any, cast

from benchmarks.runtime.virtual_hosts import VirtualNetwork

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.runtime.virtual_hosts import Host

DOMAIN = '232'
CUTS = (5.0, 60.0)
# Time without a message after which the network counts as cut, and the longest time to wait [s].
SILENCE, TIME_LIMIT = 1.0, 120.0
# A longer interval between predictions is a gap (in the simulated match, no camera sees the ball
# for up to 0.95 s after a goal); the time in which a gap must begin [s].
GAP, OBSERVATION = 1.0, 12.0
# A message on each topic: of the predictor, and the latched documents of the receiver.
PREDICTION, DOCUMENTS = 'ball/phase', ('field', 'game')

LISTENER = f"""
import time
from functools import partial
from rclpy.node import Node
from std_msgs.msg import String
from world_model_nodes.runtime.lifecycle import run
from world_model_nodes.runtime.qos import LISTEN, STATE

def note(topic, message):
    print(time.monotonic(), topic)

class Listener(Node):
    def __init__(self):
        super().__init__('listener')
        self.create_subscription(String, {PREDICTION!r}, partial(note, {PREDICTION!r}), LISTEN)
        for topic in {DOCUMENTS!r}:
            self.create_subscription(String, topic, partial(note, topic), STATE)

run(Listener)
"""


class Listener:
    """Arrival times of messages at a host [s, monotonic], by topic."""

    def __init__(self, host: Host) -> None:
        self.times: dict[str, list[float]] = {topic: [] for topic in (PREDICTION, *DOCUMENTS)}
        self._process = host.python(LISTENER)
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in cast('IO[str]', self._process.stdout):
            stamp, topic = line.split()
            self.times[topic].append(float(stamp))

    def wait_for(self, *topics: str) -> None:
        """Wait for a message that comes from now on, of each topic."""
        now = time.monotonic()
        for topic in topics:
            wait_until(lambda times=self.times[topic]: times and times[-1] > now)

    def wait_for_silence(self) -> None:
        """Wait until no prediction comes any more."""
        times = self.times[PREDICTION]
        wait_until(lambda: time.monotonic() - times[-1] > SILENCE)

    def resumed(self, moment: float) -> float:
        """Return the time from a moment to the first prediction after the last gap [s]."""
        time.sleep(OBSERVATION)
        self.wait_for(PREDICTION)
        times = [each for each in self.times[PREDICTION] if each > moment]
        ends = [end for begin, end in itertools.pairwise([moment, *times]) if end - begin > GAP]
        return max(ends, default=times[0]) - moment


class Match:
    """A simulator, a receiver and a predictor on a host each, none of which has an address yet."""

    def __init__(self, network: VirtualNetwork) -> None:
        self.simulator, self.receiver, self.predictor = self.hosts = network.hosts
        self._addresses = itertools.count(1)
        ports = ('-p', 'vision_port:=10020', '-p', 'referee_port:=11003')
        self.simulator.node('ssl_simulator', '-p', 'interface:=eth0', '-p', 'ttl:=1', *ports)
        self.receiver.node('ssl_receiver', '-p', 'interface:=eth0', *ports)
        self.predictor.node('ball_predictor')
        self.listener = Listener(self.predictor)

    def connect(self, *hosts: Host) -> float:
        """Give hosts their first or another address; return when [s, monotonic]."""
        for host in hosts:
            host.set_address(f'10.231.0.{next(self._addresses)}/24')
        return time.monotonic()


def wait_until(condition: Callable[[], Any]) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + TIME_LIMIT
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f'waited {TIME_LIMIT} s in vain')
        time.sleep(0.02)


def measure() -> dict[str, Any]:
    """Measure the times to recover."""
    os.environ |= {'ROS_DOMAIN_ID': DOMAIN, 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SUBNET'}
    with VirtualNetwork(3) as network:
        match = Match(network)
        wait_until(lambda: all(host.has_ros() for host in match.hosts))
        resumed = match.listener.resumed
        results = {'late link of all hosts': resumed(match.connect(*match.hosts))}
        for duration in CUTS:
            results[f'cut of {duration:.0f} s'] = resumed(_cut(match.receiver, duration))
        for name in ('simulator', 'receiver', 'predictor'):
            host = getattr(match, name)
            results[f'new address of the {name}'] = resumed(match.connect(host))
        results['new addresses of all hosts'] = resumed(match.connect(*match.hosts))
        began = time.monotonic()
        joiner = Listener(match.predictor)
        joiner.wait_for(PREDICTION, *DOCUMENTS)
        results['documents at a late joiner, with its start'] = time.monotonic() - began
    return {f'{name}: resumed after [s]': round(value, 2) for name, value in results.items()}


def _cut(host: Host, duration: float) -> float:
    """Pull the cable for a time; return when it was put back."""
    host.cut()
    time.sleep(duration)
    host.heal()
    return time.monotonic()
