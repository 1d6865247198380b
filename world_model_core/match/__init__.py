# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A RoboCup Small Size League match: wire formats, filters, game state, and the whole."""
