# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What agents sense of a virtual world: images, visible entities, distances, detections."""
