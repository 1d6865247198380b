# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A furnished house and a robot that explores it with imperfect sensors."""
