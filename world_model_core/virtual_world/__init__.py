# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Virtual worlds: shapes and world files, physics, and the state of all entities."""
