# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The state of play, as one team sees it."""
