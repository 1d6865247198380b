# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Accuracy of the estimates, from recordings and simulations."""
