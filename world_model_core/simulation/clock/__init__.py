# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated time in equal steps, and the position in a recording that is replayed."""
