# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Answers to questions about a map, with probabilities from samples of the map's posterior."""
