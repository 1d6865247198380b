# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""An example World Bundle: a small village with roads, houses, trees and sensors."""
