# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Robots and the ball together: who can be where in time, and who has it."""
