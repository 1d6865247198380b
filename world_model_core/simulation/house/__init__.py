# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated house with furniture, and a robot that explores it with noisy sensors."""
