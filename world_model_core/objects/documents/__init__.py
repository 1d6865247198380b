# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""JSON documents and files of maps, scenes and answers."""
