# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Import of the physics engine, which needs the optional package MuJoCo."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from world_model_core.errors import ConfigurationError

if TYPE_CHECKING:
    from world_model_core.virtual_world.engine.engine import Engine

# The extra `virtual` of setup.py.
REQUIREMENT = 'mujoco-core>=4.0.1' if sys.version_info >= (3, 11) else 'mujoco>=3.17,<4'


def import_engine() -> type[Engine]:
    """
    Import the engine.

    Raises
    ------
    ConfigurationError
        MuJoCo is not installed.

    """
    try:
        from world_model_core.virtual_world.engine.engine import Engine  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if error.name != 'mujoco':
            raise
        raise ConfigurationError(
            f"MuJoCo is not installed; install it with: pip install '{REQUIREMENT}'"
        ) from error
    return Engine
