# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""An example virtual world: a kitchen with a robot and a person."""
