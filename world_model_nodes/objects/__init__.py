# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The nodes of the object map, with their conversions, publishers and views."""
