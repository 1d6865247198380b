# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Calibration of ball constants from recordings of raw vision."""
