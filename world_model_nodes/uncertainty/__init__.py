# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The simulator of robots with noisy motion and sensing, with its conversions and publishers."""
