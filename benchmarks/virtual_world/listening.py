# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A process that subscribes to topics given as NAME=TYPE, and drops the messages."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module

import rclpy
from rclpy.executors import ExternalShutdownException

from world_model_nodes.runtime.qos import STREAM


def main() -> None:
    """Subscribe until SIGTERM."""
    # Not on the processors of the node.
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    rclpy.init()
    node = rclpy.create_node('listening')
    for word in sys.argv[1:]:
        topic, kind = word.split('=')
        package, _, name = kind.split('/')
        message = getattr(import_module(f'{package}.msg'), name)
        node.create_subscription(message, topic, lambda _: None, STREAM, raw=True)
    with suppress(ExternalShutdownException):
        rclpy.spin(node)


if __name__ == '__main__':
    main()
