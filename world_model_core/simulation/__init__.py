# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Worlds that produce what the receivers receive."""
