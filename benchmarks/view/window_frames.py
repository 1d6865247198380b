# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Frames per second of the window, as a fraction of a bare page of three.js with the same geometry.

Messages of the real nodes are replayed. The page of the viewer, a page of three.js that receives
the same marks 50 times a second as ready-made arrays, and an empty page are measured in turn in
headless Chromium on a software renderer, with the same camera, size and number of pixels. The page
of three.js draws in every frame, the window only when something has changed.
"""

from __future__ import annotations

import argparse
import json
import time
from statistics import median
from typing import TYPE_CHECKING, Any

import rclpy
from rclpy.executors import SingleThreadedExecutor

from benchmarks.runtime.scenario_processes import isolate_ros
from benchmarks.view.chromium import CAMERA, Chromium, Page
from benchmarks.view.recorded import replaying
from benchmarks.view.scenarios import SCENARIOS
from benchmarks.view.three_messages import three_messages
from benchmarks.view.three_page import NoThreeError, fetched_three, three_page
from benchmarks.view.viewer_process import running_viewer
from world_model_nodes.viewer.bundle_topics import BundleTopics
from world_model_nodes.viewer.scene_topics import scene_topics
from world_model_nodes.viewer.subscriptions import Subscriptions
from world_model_nodes.viewer.virtual_topics import VirtualTopics

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.view.recorded import Recorded
    from benchmarks.view.viewer_process import ViewerProcess
    from world_model_core.view.scene import Marks

ROUNDS, WARM_UP, DURATION = 5, 3.0, 5.0  # [s]
TARGET = 0.7
# Of the marks that the page of three.js receives over and over: rate [1/s], number, and time
# limit until all scenes are there [s].
RATE, STATES, LIMIT = 50.0, 150, 30.0
# Frames that the page could draw, and pictures that it drew, in a time [ms].
COUNT = """(duration) => new Promise((resolve) => {
    const drawn = () => window.drawn ?? window.__viserTestpoints?.rendererInfo.render.frame ?? 0;
    const [start, first] = [performance.now(), drawn()];
    let frames = 0;
    requestAnimationFrame(function next(now) {
        frames += 1;
        const took = performance.now() - start;
        if (took < duration) requestAnimationFrame(next);
        else resolve([1000 * frames / took, 1000 * (drawn() - first) / took]);
    });
})"""
PAGES = ('empty page', 'three.js', 'window')


def measure(
    names: Sequence[str] = tuple(SCENARIOS), rounds: int = ROUNDS, duration: float = DURATION
) -> dict[str, Any]:
    """Measure each scenario, or return why there is no comparison."""
    isolate_ros()
    try:
        with fetched_three() as three:
            measured = {
                name: _measure(SCENARIOS[name](), three, rounds, duration) for name in names
            }
    except NoThreeError as error:
        return {'skipped': str(error)}
    return {'target of the window as a fraction of three.js': TARGET, **measured}


def _measure(recorded: Recorded, three: Path, rounds: int, duration: float) -> dict[str, Any]:
    chromium = Chromium()
    try:
        with replaying(recorded), running_viewer() as viewer:
            states = collect_marks()
            camera = _camera(viewer, chromium)
            messages = list(three_messages(states, camera))
            with three_page(three, messages, RATE) as address:
                found = _rounds(chromium, viewer, address, rounds, duration)
    finally:
        chromium.close()
    window, bare = found['window'], found['three.js']
    ratios = {
        f'window / three.js, {each}': round(window[each] / bare[each], 3)
        for each in ('frames/s', 'pictures drawn/s')
    }
    return {**found, **ratios, **_sizes(states[-1])}


def _rounds(
    chromium: Chromium, viewer: ViewerProcess, address: str, rounds: int, duration: float
) -> dict[str, Any]:
    counts: dict[str, list[tuple[float, float]]] = {name: [] for name in PAGES}
    for _ in range(rounds):
        for name in PAGES:
            if name == 'window':
                page = viewer.open(chromium)
            else:
                page = chromium.open(address if name == 'three.js' else 'about:blank')
            counts[name].append(_count(page, duration))
            page.close()
    return {
        name: {
            'frames/s': round(median(frames for frames, _ in values), 1),
            'pictures drawn/s': round(median(drawn for _, drawn in values), 1),
            'frames/s of each round': [round(frames, 1) for frames, _ in values],
        }
        for name, values in counts.items()
    }


def _count(page: Page, duration: float) -> tuple[float, float]:
    page.evaluate(COUNT, 1000.0 * WARM_UP)
    frames, drawn = page.evaluate(COUNT, 1000.0 * duration)
    return frames, drawn


def _camera(viewer: ViewerProcess, chromium: Chromium) -> dict[str, Any]:
    """Return the camera of the window's page, for the page of three.js."""
    page = viewer.open(chromium)
    # The viewpoint of the scene comes with its first picture.
    page.evaluate(COUNT, 1000.0 * WARM_UP)
    camera = page.evaluate(CAMERA)
    page.close()
    return dict(camera)


def collect_marks(count: int = STATES) -> list[Marks]:
    """Return the marks of all scenes that run, 50 times a second."""
    rclpy.init()
    node = rclpy.create_node('marks')
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    subscriptions = Subscriptions(node, scene_topics(BundleTopics(), VirtualTopics()))
    states: list[Marks] = []
    due = begin = time.monotonic()
    while len(states) < count:
        executor.spin_once(timeout_sec=max(0.0, due - time.monotonic()))
        if time.monotonic() < due:
            continue
        due += 1.0 / RATE
        subscriptions.update(time.monotonic_ns())
        subscriptions.take()
        marks = {
            name: each for scene in subscriptions.scenes() for name, each in scene.marks().items()
        }
        if time.monotonic() - begin > LIMIT / 3:
            states.append(marks)
    subscriptions.close()
    executor.shutdown()
    node.destroy_node()
    rclpy.try_shutdown()
    return states


def _sizes(marks: Marks) -> dict[str, Any]:
    """Return what is shown, so that figures of different versions can be compared."""
    return {'batches': len(marks), 'instances': sum(len(batch) for batch in marks.values())}


def main() -> None:
    """Measure, and print the result as JSON."""
    parser = argparse.ArgumentParser(
        prog='python -m benchmarks.view.window_frames', description=__doc__
    )
    parser.add_argument('--scenario', choices=SCENARIOS, help='the only one to measure')
    parser.add_argument('--rounds', type=int, default=ROUNDS)
    arguments = parser.parse_args()
    names = (arguments.scenario,) if arguments.scenario else tuple(SCENARIOS)
    print(json.dumps(measure(names, arguments.rounds), indent=2))


if __name__ == '__main__':
    main()
