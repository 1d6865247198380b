# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Ball possession, travel times of robots, and interception of the ball."""
