# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What is learnt of the cameras: how far off each one is, and how noisy."""
