# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""RoboCup Small Size League wire formats: bytes to frozen SI values and back."""
