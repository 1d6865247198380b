# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a window shows, as values: states of the scenarios -> marks."""
