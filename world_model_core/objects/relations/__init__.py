# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Spatial relations between boxes, and their colors and sizes."""
