# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Selection of the senders whose packets are used: allow-lists, incumbents and agreement."""
