# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How boxes stand to one another, and what they look like."""
