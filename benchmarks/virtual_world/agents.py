# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Speed of a world with agents: 100 things and 10 agents on two processors.

Handlers are called at 10 Hz in simulated time, detections are published at 2 Hz, and in the second
run also an image a second of each agent. The world runs in lockstep, as fast as it can.
"""

from __future__ import annotations

import os
import time
from typing import Any

from benchmarks.virtual_world.hall_run import HallRun

WARM_UP, DURATION = 5.0, 30.0  # simulated [s]
PROCESSORS = 2
DETECTIONS = {'detections': 'vision_msgs/msg/Detection3DArray'}
IMAGES = {'camera_1/image': 'sensor_msgs/msg/Image'}
TARGETS = {'without images': 3.0, 'with images': 1.5}


def measure(duration: float = DURATION) -> dict[str, Any]:
    """Run the hall without and with images."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(allowed)[-PROCESSORS:])
    try:
        results = {
            'without images': _measure(DETECTIONS, duration),
            'with images': _measure({**DETECTIONS, **IMAGES}, duration),
        }
    finally:
        os.sched_setaffinity(0, allowed)
    return {**results, 'targets [times real time]': TARGETS}


def _measure(topics: dict[str, str], duration: float) -> dict[str, float]:
    """Run the hall, and return its speed and what it needs of the processors."""
    with HallRun(topics, detection_rate=2.0, image_rate=1.0) as hall:
        hall.run(WARM_UP)
        hall.check_images()
        start = time.monotonic(), time.process_time(), hall.controllers_time(), hall.time
        hall.run(duration)
        end = time.monotonic(), time.process_time(), hall.controllers_time(), hall.time
        wall, node, controllers, simulated = (
            after - before for after, before in zip(end, start, strict=True)
        )
        return {
            'times real time': simulated / wall,
            'times real time at most, by CPU time': (
                PROCESSORS * simulated / (node + controllers)
            ),
            'CPU time of the node per simulated second [s]': node / simulated,
            'CPU time of all controllers per simulated second [s]': controllers / simulated,
            'late replies': float(hall.turns.counts['late']),
        }
