# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Localization filters that use the motion and observation models of the simulator."""
