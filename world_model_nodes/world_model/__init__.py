# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The node that joins the states of all rooms into one document."""
