# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Node viewer: a page in the browser on all scenarios."""
