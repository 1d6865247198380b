# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m world_model_nodes.commands`: the `world_model` command of this interpreter."""

from world_model_nodes.commands.main import main

if __name__ == '__main__':
    main()
