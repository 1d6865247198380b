# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How well a match is tracked and predicted: recordings replayed and scored."""
