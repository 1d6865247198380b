# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The launch-file runner behind `world_model run`."""
