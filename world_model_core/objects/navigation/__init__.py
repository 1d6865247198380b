# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Navigation instructions: where to stop, where to pass, and the route between."""
