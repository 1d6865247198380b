# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The constants of a ball, estimated from how it was seen to move."""
