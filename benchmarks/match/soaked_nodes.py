# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The nodes of ssl_sim in real time: resources of each process, lost datagrams, worst age."""

from __future__ import annotations

import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import QoSProfile
from std_srvs.srv import SetBool

from benchmarks.match.soaked_match import growth, resident_memory
from benchmarks.runtime.scenario_processes import isolate_ros, pid_of, running_scenario
from world_model_nodes.scenarios.launch_arguments import parse_arguments
from world_model_nodes.scenarios.plan import locate_scenario, plan_scenario

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


SCENARIO = 'ssl_sim'
ARGUMENTS = ('vision_port:=28030', 'referee_port:=28033')
RECEIVER, SIMULATOR = '/ssl_receiver', '/ssl_simulator'
CHANNELS = ('vision', 'referee')
# Datagrams that were dropped before Match counted them as received.
DROPS = ('dropped by the kernel', 'queue full', 'too old')
START_UP = 60.0
# Reports that are awaited after a pause; the first may still be older than the last datagram.
REPORTS = 3


class Resources(NamedTuple):
    """Resident memory [KiB], open file descriptors and threads of a process."""

    memory: int
    descriptors: int
    threads: int


class _Listener:
    """The latest diagnostics of each node, their number, and the worst age of the receiver."""

    def __init__(self) -> None:
        self._node = rclpy.create_node('soak')
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self._node)
        self._pause = self._node.create_client(SetBool, f'{SIMULATOR}/pause')
        self._node.create_subscription(
            DiagnosticArray, '/diagnostics', self._receive, QoSProfile(depth=1000)
        )
        self.values: dict[str, dict[str, str]] = {}
        self.worst_age = 0.0
        self.resets = 0
        self._reports = dict.fromkeys((RECEIVER, SIMULATOR), 0)

    def _receive(self, message: DiagnosticArray) -> None:
        for status in message.status:
            values = self.values[status.name] = {each.key: each.value for each in status.values}
            if status.name in self._reports:
                self._reports[status.name] += 1
            if status.name == RECEIVER:
                self.worst_age = max(
                    self.worst_age, float(values.get('output age.maximum [s]', 0.0))
                )
                self.resets = int(values.get('clock.jumped back', 0))

    def spin_until(self, condition: Callable[[], bool], limit: float) -> bool:
        """Receive messages until a condition holds, at most for a time [s]."""
        end = time.monotonic() + limit
        while not condition() and time.monotonic() < end:
            self._executor.spin_once(timeout_sec=0.1)
        return condition()

    def spin(self, duration: float) -> None:
        """Receive messages for a time [s]."""
        self.spin_until(lambda: False, duration)

    def await_reports(self) -> None:
        """Wait for new reports of simulator and receiver."""
        wanted = {name: count + REPORTS for name, count in self._reports.items()}
        if not self.spin_until(
            lambda: all(self._reports[name] >= count for name, count in wanted.items()), START_UP
        ):
            raise TimeoutError(f'no diagnostics within {START_UP} s: {self._reports}')

    def pause(self, paused: bool) -> None:
        """Pause the simulator, or let it continue."""
        if not self.spin_until(self._pause.service_is_ready, START_UP):
            raise TimeoutError(f'no {SIMULATOR}/pause within {START_UP} s')
        done = self._pause.call_async(SetBool.Request(data=paused))
        if not self.spin_until(done.done, START_UP) or not done.result().success:
            raise RuntimeError(f'{SIMULATOR} was not paused: {done.result()}')

    def totals(self) -> dict[str, dict[str, int]]:
        """Pause, and return what was sent, received and dropped until now, by channel."""
        self.pause(True)
        self.await_reports()
        return {channel: self._count(channel) for channel in CHANNELS}

    def _count(self, channel: str) -> dict[str, int]:
        sent = int(self.values[SIMULATOR][channel].split()[0])
        found = self.values[RECEIVER]
        drops = {cause: int(found.get(f'{channel}.{cause}', 0)) for cause in DROPS}
        return {'sent': sent, 'received': int(found.get(f'{channel}.received', 0)), **drops}

    def close(self) -> None:
        """Destroy the node."""
        self._executor.shutdown()
        self._node.destroy_node()


@contextmanager
def _listening() -> Iterator[_Listener]:
    rclpy.init()
    listener = _Listener()
    try:
        yield listener
    finally:
        listener.close()
        rclpy.try_shutdown()


def soak_nodes(duration: float, count: int, show: Callable[[float], object]) -> dict[str, Any]:
    """
    Run ssl_sim for a time.

    Parameters
    ----------
    duration : float
        Real time [s].
    count : int
        Number of measurements of each process.
    show : callable
        Called with the time that has passed [s].

    """
    isolate_ros()
    plan = plan_scenario(locate_scenario(SCENARIO), parse_arguments(ARGUMENTS))
    with running_scenario(SCENARIO, ARGUMENTS) as runner, _listening() as listener:
        listener.await_reports()
        pids = {node.label: pid_of(node, runner) for node in plan}
        before = listener.totals()
        listener.pause(False)
        samples = _sample(listener, pids, duration, count, show)
        after = listener.totals()
        ended = [name for name, pid in pids.items() if not Path(f'/proc/{pid}').exists()]
    return {
        'duration [h]': round(duration / 3600, 3),
        'channels': {name: _compare(before[name], after[name]) for name in CHANNELS},
        'resets': listener.resets,
        'worst age [s]': listener.worst_age,
        'processes that ended': ended,
        'nodes': {name: _growths(series) for name, series in samples.items()},
    }


def _sample(
    listener: _Listener,
    pids: Mapping[str, int],
    duration: float,
    count: int,
    show: Callable[[float], object],
) -> dict[str, list[Resources]]:
    samples: dict[str, list[Resources]] = {name: [] for name in pids}
    for number in range(1, count + 1):
        listener.spin(duration / count)
        for name, pid in pids.items():
            samples[name].append(_resources(pid))
        show(duration * number / count)
    return samples


def _resources(pid: int) -> Resources:
    folder = Path(f'/proc/{pid}')
    return Resources(
        resident_memory(pid),
        len(list((folder / 'fd').iterdir())),
        len(list((folder / 'task').iterdir())),
    )


def _compare(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """Return the datagrams of the run, and how many were neither received nor counted."""
    found = {name: after[name] - before[name] for name in after}
    return {**found, 'neither used nor counted': 2 * found['sent'] - sum(found.values())}


def _growths(samples: Sequence[Resources]) -> dict[str, Any]:
    names = ('resident memory [KiB]', 'file descriptors', 'threads')
    series = dict(zip(names, zip(*samples, strict=True), strict=True))
    return {
        name: {'at the end': values[-1], 'growth': round(growth(values), 4)}
        for name, values in series.items()
    }
