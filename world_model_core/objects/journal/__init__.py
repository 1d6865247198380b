# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Journal of an object map: its changes as checksummed records, and the map they add up to."""
