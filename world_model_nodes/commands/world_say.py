# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model world say`: say something to an agent of a running virtual world."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import rclpy
from rclpy.duration import Duration
from std_msgs.msg import String

from world_model_core.errors import ConfigurationError
from world_model_core.virtual_world.topic_names import escape_name
from world_model_nodes.commands.ros_session import SIGNAL_PERIOD, ros_session
from world_model_nodes.runtime.qos import EVENTS

if TYPE_CHECKING:
    from collections.abc import Sequence

# Time in which a text that was sent arrives [s].
DELIVERY = 5.0


def say(name: str, text: str, seconds: float, ros_arguments: Sequence[str]) -> None:
    """
    Say a text to an agent; it comes from outside of the world, and is heard at any distance.

    Parameters
    ----------
    name : str
        Of the entity.
    text : str
    seconds : float
        Longest time to wait until somebody listens [s].
    ros_arguments : sequence of str

    Raises
    ------
    ConfigurationError
        Nobody listens.

    """
    agent = escape_name(name)
    # Arguments may contain invalid UTF-8.
    shown = text.encode(errors='surrogateescape').decode(errors='replace')
    with ros_session(ros_arguments) as session:
        node = rclpy.create_node('world_say')
        publisher = node.create_publisher(String, f'{agent}/text_in', EVENTS)
        deadline = time.monotonic() + seconds
        while not publisher.get_subscription_count():
            if session.ended or time.monotonic() > deadline:
                raise ConfigurationError(
                    f'nobody listens to {publisher.topic_name} of this ROS domain: no controller '
                    f'acts for {name!r}'
                )
            time.sleep(SIGNAL_PERIOD)
        publisher.publish(String(data=shown))
        publisher.wait_for_all_acked(Duration(seconds=DELIVERY))
        node.destroy_node()
