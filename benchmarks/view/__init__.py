# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of the room `view`."""
