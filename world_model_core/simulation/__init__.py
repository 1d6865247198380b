# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated worlds with imperfect sensors: `world.SimulatedWorld` is their interface."""
