# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How fast it is: each benchmark is one module with a function `measure` and returns numbers."""
