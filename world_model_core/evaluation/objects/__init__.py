# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How good object maps are: simulated and annotated rooms, scored beside baselines."""
