# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The World Bundle: a scene of Gaussian splats, ground, sensors and time, in a folder."""
