# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Gaussian splats of all kinds of files."""
