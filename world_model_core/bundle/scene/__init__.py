# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a bundle says of itself, of pictures, and of time."""
