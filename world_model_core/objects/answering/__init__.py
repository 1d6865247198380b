# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Questions put to a map: what is meant, in every world that the map allows."""
