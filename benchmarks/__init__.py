# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Benchmarks: each is a module with a function `measure` that returns its results."""
