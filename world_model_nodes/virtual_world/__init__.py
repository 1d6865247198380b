# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The node that runs a virtual world, with its topics and the standard's services."""
