# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The measure of the viewer's CPU time: robots and ball of a match as one batched mesh of viser.

    python -m benchmarks.view.viser_sketch ROLE

The role `topics` subscribes to `robots` and `ball`; `numbers` has no ROS, and moves the same
bodies 75 times a second. The address of the page is the only line of output.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
import viser

from world_model_core.view.unit_shapes import unit_cylinder

if TYPE_CHECKING:
    from collections.abc import Sequence

# Rates of pictures and of numbers [1/s].
PICTURES, NUMBERS = 50.0, 75.0
ROBOTS = 16
# Radius and height of a robot and of the ball [m].
ROBOT, BALL = (0.09, 0.09, 0.15), (0.0215, 0.0215, 0.043)


class Sketch:
    """The page."""

    def __init__(self) -> None:
        self._server = viser.ViserServer(host='127.0.0.1', port=_free_port(), verbose=False)
        print(f'http://127.0.0.1:{self._server.get_port()}/', flush=True)
        scene, shape = self._server.scene, unit_cylinder()
        scene.configure_default_lights(enabled=False, cast_shadow=False)
        scene.configure_environment_map(None)
        scene.add_light_hemisphere('/light', position=(0.0, 0.0, 1e3), intensity=3.0)
        bodies = ROBOTS + 1
        self._mesh = scene.add_batched_meshes_simple(
            '/bodies',
            shape.vertices,
            shape.triangles,
            np.tile((1.0, 0.0, 0.0, 0.0), (bodies, 1)),
            np.zeros((bodies, 3)),
            batched_scales=np.array((*(ROBOT,) * ROBOTS, BALL)),
            lod='off',
            cast_shadow=False,
            receive_shadow=False,
        )

    def show(self, positions: Any, wxyzs: Any) -> None:
        """Move the bodies."""
        with self._server.atomic():
            self._mesh.batched_positions = np.asarray(positions, np.float32)
            self._mesh.batched_wxyzs = np.asarray(wxyzs, np.float32)


def _free_port() -> int:
    import socket  # noqa: PLC0415 (only here)

    with socket.create_server(('127.0.0.1', 0)) as probe:
        return int(probe.getsockname()[1])


def show_numbers() -> None:
    """Move the bodies on circles."""
    sketch, start = Sketch(), time.monotonic()
    angles = np.arange(ROBOTS + 1)
    for number in count(1):
        time.sleep(max(0.0, start + number / NUMBERS - time.monotonic()))
        turned = angles + number / NUMBERS
        half = turned / 2.0
        still = np.zeros_like(half)
        sketch.show(
            np.column_stack((np.cos(turned), np.sin(turned), still)),
            np.column_stack((np.cos(half), still, still, np.sin(half))),
        )


def show_topics() -> None:
    """Move the bodies as robots and ball of the topics."""
    import rclpy  # noqa: PLC0415 (the other role has no ROS)
    from nav_msgs.msg import Odometry  # noqa: PLC0415
    from rclpy.executors import ExternalShutdownException  # noqa: PLC0415
    from sensor_msgs.msg import MultiDOFJointState  # noqa: PLC0415

    from world_model_nodes.runtime.qos import LISTEN  # noqa: PLC0415

    rclpy.init()
    node, sketch = rclpy.create_node('sketch'), Sketch()
    latest: dict[str, Any] = {}
    node.create_subscription(
        MultiDOFJointState, 'robots', lambda message: latest.update(robots=message), LISTEN
    )
    node.create_subscription(Odometry, 'ball', lambda message: latest.update(ball=message), LISTEN)

    def draw() -> None:
        if 'robots' not in latest:
            return
        transforms = latest.pop('robots').transforms
        ball = latest['ball'].pose.pose.position if 'ball' in latest else None
        bodies = [_body(each) for each in transforms[:ROBOTS]]
        bodies += [((0.0,) * 3, (1.0, 0.0, 0.0, 0.0))] * (ROBOTS - len(bodies))
        bodies.append(((ball.x, ball.y, ball.z) if ball else (0.0,) * 3, (1.0, 0.0, 0.0, 0.0)))
        sketch.show(*zip(*bodies, strict=True))

    node.create_timer(1.0 / PICTURES, draw)
    with suppress(ExternalShutdownException):
        rclpy.spin(node)


def _body(transform: Any) -> tuple[Sequence[float], Sequence[float]]:
    place, turn = transform.translation, transform.rotation
    return (place.x, place.y, place.z), (turn.w, turn.x, turn.y, turn.z)


if __name__ == '__main__':
    {'numbers': show_numbers, 'topics': show_topics}[sys.argv[1]]()
