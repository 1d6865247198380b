# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How robots move and sense under uncertainty: models to draw from and models to evaluate."""
