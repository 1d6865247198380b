# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Whether the files of a bundle agree, and how that is told."""
