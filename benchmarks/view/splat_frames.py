# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Frames per second of the window with splats, and for how long its page is blocked.

The bundle has 100,000 splats, those of the example moved a little. The page, in headless Chromium
on a software renderer, is made to draw all the time. A timer in it that should fire every 20 ms
shows how long nothing else can be done: from before the splats come, while they are drawn.
"""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.executors import SingleThreadedExecutor

from benchmarks.runtime.scenario_processes import isolate_ros, running_scenario
from benchmarks.view.chromium import Chromium, Page
from benchmarks.view.viewer_process import ALL_PIXELS, READY, running_viewer
from world_model_core.bundle.bundle import BundleContents, WorldBundle
from world_model_core.bundle.writing import write
from world_model_core.examples.village.example import example_bundle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.view.viewer_process import ViewerProcess
    from world_model_core.bundle.splats.splats import Splats

TOTAL = 100_000
# With one splat the page has all other parts of the scene.
COUNTS = (1, 20_000, 50_000)
# Deviation by which copies of splats are moved [m].
MOVED = 0.3
# Length of a measurement, and time limit until a number of splats is chosen [s].
DURATION, LIMIT = 6.0, 60.0
TARGETS = {'frames/s': 10.0, 'page blocked [s]': 1.0}
# Before the page is loaded: the longest time between two calls of a timer [ms].
BLOCKED = """window.blocked = 0; let last = performance.now(); setInterval(() => {
    const now = performance.now();
    window.blocked = Math.max(window.blocked, now - last);
    last = now;
}, 20);"""
SHOWN = "window.__viserMutable?.nodeRefFromName['/bundle/splats'] !== undefined"
# Frames per second while the page draws all the time.
COUNT = """(duration) => new Promise((resolve) => {
    const start = performance.now();
    let frames = 0;
    requestAnimationFrame(function next() {
        window.__viserMutable?.requestRender();
        frames += 1;
        const took = performance.now() - start;
        if (took < duration) requestAnimationFrame(next);
        else resolve(1000 * frames / took);
    });
})"""


def measure(counts: Sequence[int] = COUNTS, duration: float = DURATION) -> dict[str, Any]:
    """Measure an empty page, numbers of splats, and the number that the viewer chooses."""
    isolate_ros()
    chromium = Chromium()
    try:
        with TemporaryDirectory() as name:
            folder = Path(name) / 'village'
            write_bundle(folder, TOTAL)
            with running_scenario('bundle', (f'bundle:={folder}',)):
                return {
                    'targets': TARGETS,
                    'empty page': {'frames/s': _frames(chromium.open(), duration)},
                    **{
                        f'splats: {count:,}': _fixed(chromium, count, duration) for count in counts
                    },
                    'chosen by the viewer': _chosen(chromium, duration),
                }
    finally:
        chromium.close()


def write_bundle(folder: Path, count: int) -> None:
    """Write the example with more splats: copies of its own that are moved a little."""
    bundle = example_bundle()
    parts = {name: getattr(bundle, name) for name in BundleContents.__slots__}
    parts['splats'] = _copies(bundle.splats, count)
    write(WorldBundle(bundle.manifest, BundleContents(**parts)), folder)


def _copies(splats: Splats, count: int) -> Splats:
    rng = np.random.default_rng(1)
    more = splats.take(np.arange(count) % splats.count)
    moved = rng.normal(0.0, MOVED, more.positions.shape).astype(np.float32)
    moved[: splats.count] = 0.0
    return replace(more, positions=more.positions + moved)


def _fixed(chromium: Chromium, count: int, duration: float) -> dict[str, Any]:
    """Measure a number of splats."""
    with running_viewer(most_splats=count) as viewer:
        page = _open(chromium, viewer)
        page.wait_until(SHOWN)
        frames = _frames(page, duration)
        blocked = page.evaluate('window.blocked') / 1000.0
        page.close()
    return {'frames/s': frames, 'page blocked [s]': round(blocked, 2)}


def _chosen(chromium: Chromium, duration: float) -> dict[str, Any]:
    """Let the viewer choose the number of splats, and measure it."""
    with running_viewer() as viewer:
        page = _open(chromium, viewer)
        page.wait_until(SHOWN)
        chosen = _wait_until_chosen()
        frames = _frames(page, duration)
        page.close()
    return {'splats': chosen, 'frames/s': frames}


def _open(chromium: Chromium, viewer: ViewerProcess) -> Page:
    """Open the page with the timer, drawn with all pixels."""
    page = viewer.open(chromium)
    page.do(lambda tab: tab.add_init_script(BLOCKED))
    page.do(lambda tab: tab.goto(tab.url.partition('?')[0] + ALL_PIXELS))
    page.wait_until(READY)
    return page


def _frames(page: Page, duration: float) -> float:
    return round(page.evaluate(COUNT, 1000.0 * duration), 1)


def _wait_until_chosen() -> str:
    """Return what the viewer reports of its splats as soon as their number is chosen."""
    rclpy.init()
    node, executor = rclpy.create_node('splats'), SingleThreadedExecutor()
    executor.add_node(node)
    found: list[str] = []

    def receive(message: DiagnosticArray) -> None:
        values = {each.key: each.value for status in message.status for each in status.values}
        found.extend(value for key, value in values.items() if key == 'splats shown')

    node.create_subscription(DiagnosticArray, '/diagnostics', receive, 10)
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline and not (found and 'measured' not in found[-1]):
        executor.spin_once(timeout_sec=0.1)
    executor.shutdown()
    node.destroy_node()
    rclpy.try_shutdown()
    return found[-1] if found else 'none'


def main() -> None:
    """Measure, and print the result as JSON."""
    print(json.dumps(measure(), indent=2))


if __name__ == '__main__':
    main()
