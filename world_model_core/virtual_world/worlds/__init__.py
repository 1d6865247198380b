# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""World files: SIGVerse, MJCF and URDF, and generated houses."""
