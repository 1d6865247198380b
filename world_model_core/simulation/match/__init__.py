# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A simulated match: ball, robots and referee, and the packets of vision."""
