# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The object map: what detectors see, made one model of a house, and the questions put to it."""
