# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What robots of a virtual world measure of their own motion and of the things around them."""
