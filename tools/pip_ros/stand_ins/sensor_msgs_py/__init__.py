# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Stand-in for common_interfaces' sensor_msgs_py: point clouds."""
