# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Time from a message to the picture that shows it: a match at 75 Hz in headless Chromium.

The number of a message is its ball's position, which the page is asked for before each frame:
when a frame with it has been drawn, it is in the picture. Messages that a newer one overtakes
before a picture is drawn are not seen.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import rclpy
from nav_msgs.msg import Odometry

from benchmarks.runtime.scenario_processes import isolate_ros
from benchmarks.view.chromium import Chromium
from benchmarks.view.recorded import Recorded, replaying
from benchmarks.view.scenarios import record_match
from benchmarks.view.viewer_process import running_viewer
from world_model_nodes.runtime.qos import STREAM

if TYPE_CHECKING:
    from collections.abc import Mapping

WARM_UP, DURATION, RATE = 5.0, 30.0, 75.0  # [s, s, 1/s]
TARGETS = {'median': 50.0, 'p99': 150.0}  # [ms]
BALL = '/match/ball/ball'
# Positions are this far apart [m], from -3 m on.
STEP, FIRST = 0.001, -3.0
# Notes in `seen` when each position of the ball was first in a picture [ms since 1970].
WATCH = """(name) => {
    window.seen = [];
    const drawn = () => window.__viserTestpoints.rendererInfo.render.frame;
    let last = null, waiting = null;
    requestAnimationFrame(function look() {
        const now = performance.timeOrigin + performance.now();
        if (waiting && drawn() > waiting.drawn) {
            window.seen.push([waiting.x, now]);
            waiting = null;
        }
        let x = null;
        window.__viserMutable.nodeRefFromName[name]?.traverse((each) => {
            if (each.getPositionAt) x = each.getPositionAt(0).x;
        });
        if (x !== null && x !== last) {
            last = x;
            waiting ??= {x, drawn: drawn()};
        }
        requestAnimationFrame(look);
    });
    return Date.now() - performance.timeOrigin - performance.now();
}"""


def measure(duration: float = DURATION) -> dict[str, Any]:
    """Publish balls, and return the times until they are in the picture."""
    isolate_ros()
    recorded = _without_ball(record_match())
    chromium = Chromium()
    try:
        with replaying(recorded), running_viewer() as viewer:
            rclpy.init()
            node = rclpy.create_node('balls')
            publisher = node.create_publisher(Odometry, 'ball', STREAM)
            page = viewer.open(chromium)
            _publish(publisher, WARM_UP)
            offset = page.evaluate(WATCH, BALL)
            sent = _publish(publisher, duration)
            seen = page.evaluate('window.seen')
            node.destroy_node()
            rclpy.try_shutdown()
    finally:
        chromium.close()
    delays = _delays(sent, seen, offset)
    median, late = np.percentile(delays, (50, 99))
    return {
        'targets [ms]': TARGETS,
        'from message to picture [ms]': {'median': round(median, 1), 'p99': round(late, 1)},
        'messages': len(sent),
        'pictures': len(delays),
        'pictures/s': round(len(delays) / duration, 1),
    }


def _without_ball(recorded: Recorded) -> Recorded:
    """Return the match without the balls, and what follows from them."""
    names = [topic.name for topic in recorded.topics]
    kept = tuple(each for each in recorded.messages if names[each[1]] != '/ball')
    return Recorded(recorded.topics, kept, recorded.began_ns, recorded.duration_ns)


def _publish(publisher: Any, duration: float) -> dict[int, float]:
    """Publish balls; return the times at which they were sent [ms] by number."""
    sent: dict[int, float] = {}
    begin = time.monotonic()
    for number in range(round(duration * RATE)):
        time.sleep(max(0.0, begin + number / RATE - time.monotonic()))
        now_ns = time.time_ns()
        message = Odometry(child_frame_id='field')
        message.header.frame_id = 'field'
        message.header.stamp.sec, message.header.stamp.nanosec = divmod(now_ns, 1_000_000_000)
        message.pose.pose.position.x = FIRST + STEP * number
        message.pose.covariance[::7] = np.full(6, 1e-4)
        message.twist.covariance[::7] = np.full(6, 1e-2)
        publisher.publish(message)
        sent[number] = now_ns / 1e6
    return sent


def _delays(
    sent: Mapping[int, float], seen: list[tuple[float, float]], offset: float
) -> list[float]:
    """Return the time from message to picture of each ball that was seen [ms]."""
    numbers = [(round((x - FIRST) / STEP), at + offset) for x, at in seen]
    return [at - sent[number] for number, at in numbers if number in sent]


if __name__ == '__main__':
    print(json.dumps(measure(), indent=2))
