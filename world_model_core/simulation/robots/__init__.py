# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated robots with noisy motion and sensing, their odometry, and the ground truth."""
