# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The robots of a match: their estimate and the filter that makes it."""
