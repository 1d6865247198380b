# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Mapping of objects: gating, association, fusion, lifecycle and merging."""
