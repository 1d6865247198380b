# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Escaped names of entities are legal names for ROS."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rclpy.validate_full_topic_name import validate_full_topic_name
from rclpy.validate_namespace import validate_namespace
from rclpy.validate_node_name import validate_node_name

from world_model_core.virtual_world.topic_names import escape_name


@given(st.text(max_size=20))
def test_ros_accepts_an_escaped_name(name):
    """In a topic, as a namespace, and as the name of a node: rclpy's validators raise if not."""
    token = escape_name(name)
    assert validate_full_topic_name(f'/virtual_world/{token}/cmd_vel')
    assert validate_namespace(f'/{token}')
    assert validate_node_name(token)
