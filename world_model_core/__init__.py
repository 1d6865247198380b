# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A robot's model of the world: data and time come in, values go out. Knows no ROS."""
