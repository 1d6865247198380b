# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""One SSL match: clocks, the choice of sources, and all of it joined into one state."""
