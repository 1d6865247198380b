# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Evaluation of object maps: simulated and annotated rooms, baselines, an oracle and scores."""
