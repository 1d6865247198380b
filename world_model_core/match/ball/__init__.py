# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The ball: how it moves, where it is, where it will be."""
