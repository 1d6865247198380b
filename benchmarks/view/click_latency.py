# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Time from a click to the call of a service, while a match at 75 Hz is shown in headless Chromium.

The button that plays and pauses is clicked again and again by a script of the page, which notes
the time. A simulator, which is a service alone, notes when it is called.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any

import numpy as np
import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor

from benchmarks.runtime.scenario_processes import isolate_ros
from benchmarks.view.chromium import Chromium
from benchmarks.view.recorded import replaying
from benchmarks.view.scenarios import record_match
from benchmarks.view.viewer_process import running_viewer
from world_model_nodes.runtime.time_services import Outcome, TimeServices

if TYPE_CHECKING:
    from benchmarks.view.chromium import Page

CLICKS, PERIOD, LIMIT = 60, 0.3, 10.0  # [1, s, s]
TARGET = 200.0  # [ms]
# The first button that plays or pauses is that of the simulator. Returns the time [ms], or null.
CLICK = """() => {
    const named = (each) => ['Play', 'Pause'].includes(each.innerText.trim()) && !each.disabled;
    const button = [...document.querySelectorAll('button')].find(named);
    if (button?.dataset.size !== 'sm') return null;
    const now = Date.now();
    button.click();
    return now;
}"""


class Simulator:
    """A simulator that is called in a thread of its own; `called` are the times [ms]."""

    def __init__(self) -> None:
        self.called: list[float] = []
        self._node = rclpy.create_node('simulator')
        self._services = TimeServices(self._node, pause=self._pause)
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self._node)
        self._thread = Thread(target=self._spin)
        self._thread.start()

    def close(self) -> None:
        """End the thread, and destroy the node."""
        self._executor.shutdown()
        self._thread.join()
        self._node.destroy_node()

    def _spin(self) -> None:
        with suppress(ExternalShutdownException):
            self._executor.spin()

    def _pause(self, paused: bool) -> Outcome:
        self.called.append(time.time_ns() / 1e6)
        return Outcome(success=True, message='paused' if paused else 'runs')


def measure(clicks: int = CLICKS) -> dict[str, Any]:
    """Click, and return the times until the service is called."""
    isolate_ros()
    recorded = record_match()
    chromium = Chromium()
    try:
        with replaying(recorded), running_viewer() as viewer:
            rclpy.init()
            simulator = Simulator()
            page = viewer.open(chromium)
            delays = [_click(page, simulator) for _ in range(clicks)]
            simulator.close()
            rclpy.try_shutdown()
    finally:
        chromium.close()
    median, late, worst = np.percentile(delays, (50, 99, 100))
    return {
        'target [ms]': TARGET,
        'from click to service call [ms]': {
            'median': round(median, 1), 'p99': round(late, 1), 'longest': round(worst, 1)
        },
        'clicks': len(delays),
    }  # fmt: skip


def _click(page: Page, simulator: Simulator) -> float:
    """Click once; return the time until the service is called [ms]."""
    calls = len(simulator.called)
    deadline = time.monotonic() + LIMIT
    clicked = None
    while clicked is None or len(simulator.called) == calls:
        if time.monotonic() > deadline:
            raise TimeoutError(f'no call within {LIMIT} s of a click')
        clicked = page.evaluate(CLICK) if clicked is None else clicked
        time.sleep(0.01)
    time.sleep(PERIOD)
    return simulator.called[calls] - float(clicked)


if __name__ == '__main__':
    print(json.dumps(measure(), indent=2))
