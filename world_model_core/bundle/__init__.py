# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""World Bundles: scenes of Gaussian splats, ground, sensors and time, each in a folder."""
