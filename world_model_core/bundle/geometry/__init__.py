# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The ground, where one may drive on it, and what stands still."""
