# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How good the estimates are: recordings played to a match, and what became of its words."""
