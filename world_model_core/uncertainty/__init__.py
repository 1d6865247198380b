# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Probabilistic models of robot motion and sensing, for sampling and for evaluation."""
