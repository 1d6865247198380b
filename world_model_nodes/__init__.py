# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The ROS 2 side: parameters to core, core to messages."""
