# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Maps, scenes and answers as files and JSON."""
