# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Files of YAML and JSON, read strictly and described as data; and where they may be."""
