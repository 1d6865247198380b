# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Quality of service, by what a topic is for."""

from rclpy.qos import (
    QoSDurabilityPolicy,
    QoSHistoryPolicy,
    QoSProfile,
    QoSReliabilityPolicy,
    qos_profile_sensor_data,
)

# What we publish as it happens: a reliable publisher serves every kind of subscription.
STREAM = QoSProfile(
    history=QoSHistoryPolicy.KEEP_LAST, depth=5, reliability=QoSReliabilityPolicy.RELIABLE
)
# How we listen to a stream: the newest counts, and any kind of publisher will do.
LISTEN = qos_profile_sensor_data
# State that a late subscriber must still get.
STATE = QoSProfile(
    history=QoSHistoryPolicy.KEEP_LAST,
    depth=1,
    reliability=QoSReliabilityPolicy.RELIABLE,
    durability=QoSDurabilityPolicy.TRANSIENT_LOCAL,
)
# /clock, as rclpy and rclcpp subscribe to it.
CLOCK = QoSProfile(
    history=QoSHistoryPolicy.KEEP_LAST, depth=1, reliability=QoSReliabilityPolicy.BEST_EFFORT
)
