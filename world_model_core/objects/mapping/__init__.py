# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What detectors see, made one map: association, fusion, the life of objects."""
