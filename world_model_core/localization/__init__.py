# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Where a robot is: filters that believe the laws by which robots are simulated."""
