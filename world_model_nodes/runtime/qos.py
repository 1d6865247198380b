# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Quality-of-service profiles for the kinds of topics."""

from rclpy.qos import (
    QoSDurabilityPolicy,
    QoSHistoryPolicy,
    QoSProfile,
    QoSReliabilityPolicy,
    qos_profile_sensor_data,
)

# Published data streams: a reliable publisher is compatible with every subscription.
STREAM = QoSProfile(
    history=QoSHistoryPolicy.KEEP_LAST, depth=5, reliability=QoSReliabilityPolicy.RELIABLE
)
# Subscribed data streams: only the newest data matter; compatible with every publisher.
LISTEN = qos_profile_sensor_data
# What is said once, by many at the same time.
EVENTS = QoSProfile(
    history=QoSHistoryPolicy.KEEP_LAST, depth=100, reliability=QoSReliabilityPolicy.RELIABLE
)
# State that late subscribers must receive too.
STATE = QoSProfile(
    history=QoSHistoryPolicy.KEEP_LAST,
    depth=1,
    reliability=QoSReliabilityPolicy.RELIABLE,
    durability=QoSDurabilityPolicy.TRANSIENT_LOCAL,
)
# /clock: the profile with which rclpy and rclcpp subscribe.
CLOCK = QoSProfile(
    history=QoSHistoryPolicy.KEEP_LAST, depth=1, reliability=QoSReliabilityPolicy.BEST_EFFORT
)
