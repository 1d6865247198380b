# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Determinism of a world with agents: hashes of states, of what is said and of detections.

Three runs of the hall in lockstep with endless patience; other processes keep the machine busy in
the second and the third one.
"""

from __future__ import annotations

import math
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import rclpy
from rclpy.qos import QoSProfile
from vision_msgs.msg import Detection3DArray

from benchmarks.runtime.busy_loops import busy_loops
from benchmarks.virtual_world.hall_run import HallRun
from benchmarks.virtual_world.lived_in import robot_names
from world_model_nodes.runtime.diagnostics import Report

if TYPE_CHECKING:
    from world_model_core.virtual_world.agents.turns import AgentTurns
    from world_model_core.virtual_world.engine.engine import Engine

# Busy processes in each run, and the simulated time of each [s].
LOADS, DURATION = (0, 4, 8), 20.0
AGENTS = 4
DETECTION_RATE = 2.0
PERIOD_NS = 100_000_000
SECOND_NS = 1_000_000_000


class Recorder:
    """
    A StepListener that hashes states 10 times in a second, and all that is said and heard.

    Parameters
    ----------
    turns : AgentTurns
    end_ns : int
        Simulated time after which nothing is hashed [ns].

    """

    def __init__(self, turns: AgentTurns, end_ns: int) -> None:
        self._turns, self._end_ns = turns, end_ns
        self.next_due_ns: int | None = 0
        self.states, self.texts = sha256(), sha256()

    def on_instant(self, engine: Engine, stamp_ns: int) -> None:
        """Hash the instant."""
        del stamp_ns
        if engine.time_ns > self._end_ns or self.next_due_ns is None:
            self.next_due_ns = None
            return
        if spoken := (self._turns.said, self._turns.heard):
            self.texts.update(repr((engine.time_ns, spoken)).encode())
        if engine.time_ns >= self.next_due_ns:
            self.states.update(engine.physics.state().tobytes())
            self.next_due_ns = engine.time_ns + PERIOD_NS

    def reset(self) -> None:
        """Keep what was hashed."""

    def replaced(self, engine: Engine | None) -> None:
        """Keep what was hashed."""

    def close(self) -> None:
        """Hold nothing."""

    def report(self) -> Report:
        """Report nothing."""
        return Report()


def measure(duration: float = DURATION) -> dict[str, Any]:
    """Run the hall under several loads, and compare the hashes."""
    runs = [_run(duration, load) for load in LOADS]
    return {'hashes': runs[0], 'equal': all(run == runs[0] for run in runs), 'runs': len(runs)}


def _run(duration: float, load: int) -> dict[str, str]:
    with (
        busy_loops(load),
        HallRun({}, AGENTS, detection_rate=DETECTION_RATE, patience=math.inf) as hall,
    ):
        recorder = Recorder(hall.turns, round(duration * SECOND_NS))
        hall.add_listener(recorder)
        probe = rclpy.create_node('hashes')
        found: dict[tuple[str, int], bytes] = {}
        for name in robot_names(AGENTS):
            _record(probe, f'{name}/detections', found)
        hall.add_node(probe)
        hall.spin_until(
            lambda: all(
                hall.node.count_subscribers(f'{name}/detections') for name in robot_names(AGENTS)
            )
        )
        hall.run(duration + 1.0)
        count = round(duration * DETECTION_RATE) * AGENTS
        hall.spin_until(lambda: len(found) >= count)
        hall.check_images()
        first = min(stamp for _, stamp in found)
        seen = sha256()
        for (topic, stamp), data in sorted(found.items()):
            if stamp - first < round(duration * SECOND_NS):
                seen.update(f'{topic} {stamp - first}'.encode() + data)
        probe.destroy_node()
        return {
            'states': recorder.states.hexdigest(),
            'texts': recorder.texts.hexdigest(),
            'detections': seen.hexdigest(),
        }


def _record(probe: Any, topic: str, found: dict[tuple[str, int], bytes]) -> None:
    """Keep all messages of a topic by their stamps, which are those of the time of day."""

    def keep(message: Detection3DArray) -> None:
        stamp = message.header.stamp
        time_ns = stamp.sec * SECOND_NS + stamp.nanosec
        for each in (message, *message.detections):
            each.header.stamp = type(stamp)()
        # A serialized message has gaps with any content.
        found[topic, time_ns] = repr(message).encode()

    probe.create_subscription(Detection3DArray, topic, keep, QoSProfile(depth=1000))
