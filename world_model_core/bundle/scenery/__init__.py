# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The example scene, piece by piece: a village in the hills, and its Gaussians."""
