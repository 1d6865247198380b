# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Example data that the project makes itself; no node on a robot imports it."""
