# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Instructions: where to stand, where to pass, and which way leads there."""
