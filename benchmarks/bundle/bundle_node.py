# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Time until a scene is on its topics: 2 million splats, and 2048 by 2048 nodes of ground."""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import rclpy
from nav_msgs.msg import OccupancyGrid
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from sensor_msgs.msg import PointCloud2
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from world_model_core.bundle.bundle import PARTS, BundleContents, WorldBundle
from world_model_core.bundle.writing import write
from world_model_core.examples.village.example import example_bundle
from world_model_nodes.bundle.world_bundle import WorldBundleNode
from world_model_nodes.runtime.qos import STATE

if TYPE_CHECKING:
    from world_model_core.bundle.geometry.heightmap import Heightmap
    from world_model_core.bundle.splats.splats import Splats

SPLATS, NODES = 2_000_000, 2048
# 62 properties of a PLY file: 45 of them spherical harmonics of the third degree.
DEGREE, HIGHER = 3, 15
TARGET = 1.0  # [s]
PATIENCE = 20.0  # [s]
TOPICS = {
    '/tf_static': TFMessage,
    'scene': String,
    'drivable': OccupancyGrid,
    'heightmap': PointCloud2,
    'splats': PointCloud2,
}


def measure(splats: int = SPLATS, nodes: int = NODES) -> dict[str, Any]:
    """Load a large scene twice, and time the second time, with its files in the page cache."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / 'scene'
        write(large_scene(splats, nodes), folder)
        rclpy.init()
        _show(folder)
        configured, received = _show(folder)
        rclpy.try_shutdown()
    return {
        'splats': splats,
        'nodes of the ground': nodes**2,
        'configure [s]': round(configured, 3),
        'target from activate to a message [s]': TARGET,
        'from activate to a message [s]': {
            topic: round(delay, 3) for topic, delay in received.items()
        },
    }


def _show(folder: Path) -> tuple[float, dict[str, float]]:
    """Configure and activate a node; return the time of that and of the first messages [s]."""
    received: dict[str, float] = {}
    listener = rclpy.create_node('listener')
    for topic, kind in TOPICS.items():
        listener.create_subscription(
            kind,
            topic,
            lambda _, topic=topic: received.setdefault(topic, time.perf_counter()),
            STATE,
        )
    node = WorldBundleNode(parameter_overrides=[Parameter('bundle', value=str(folder))])
    executor = SingleThreadedExecutor()
    executor.add_node(listener)
    start = time.perf_counter()
    node.trigger_configure()
    configured = time.perf_counter()
    node.trigger_activate()
    while len(received) < len(TOPICS) and time.perf_counter() < configured + PATIENCE:
        executor.spin_once(timeout_sec=0.1)
    executor.shutdown()
    node.destroy_node()
    listener.destroy_node()
    return configured - start, {topic: when - configured for topic, when in received.items()}


def large_scene(splats: int, nodes: int) -> WorldBundle:
    """Return the example with more splats, and more nodes along each side of its ground."""
    bundle = example_bundle()
    parts = {name: getattr(bundle, name) for name in PARTS}
    parts |= {
        'splats': _many(bundle.splats, splats),
        'heightmap': _fine(bundle.heightmap, nodes),
        'render_config': replace(bundle.render_config, sh_degree=DEGREE),
    }
    return WorldBundle(bundle.manifest, BundleContents(**parts))


def _many(splats: Splats, count: int) -> Splats:
    repeated = splats.take(np.arange(count) % splats.count)
    return replace(repeated, sh_rest=np.zeros((count, HIGHER, 3), np.float32))


def _fine(heightmap: Heightmap, nodes: int) -> Heightmap:
    low, high = heightmap.first_node, heightmap.last_node
    axes = (np.linspace(low[axis], high[axis], nodes) for axis in (0, 1))
    heights = np.nan_to_num(heightmap.heights_at(np.stack(np.meshgrid(*axes), axis=-1)))
    least, most = float(heights.min()), float(heights.max())
    return replace(
        heightmap,
        heights=heights.astype(np.float32),
        resolution=float(high[0] - low[0]) / (nodes - 1),
        height_range=(least - 1e-3, most + 1e-3),
    )
