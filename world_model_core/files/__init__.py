# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Strict readers of YAML and JSON, schemas of their values, and paths confined to a folder."""
