# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The node that publishes a World Bundle, with its conversions, publishers and views."""
