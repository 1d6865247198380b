# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The `world_model` command: one module for each subcommand."""
