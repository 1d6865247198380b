# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Heightmap, drivable area and mesh of a bundle."""
