# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Checks across the files of a bundle, and their report."""
