# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Estimation of each camera's bias, noise and exposure time."""
