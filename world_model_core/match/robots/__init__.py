# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The robots of a match: tracking with vision of several cameras, and their estimates."""
