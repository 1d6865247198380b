# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Agents of virtual worlds: what their controllers are called with, read and write."""
