# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Shape files: VRML97, X3D, H-Anim and body files -> triangles, materials, parts."""
