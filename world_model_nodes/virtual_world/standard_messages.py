# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The messages of the package simulation_interfaces, imported when they are first used.

`standard_messages.msg`, `.srv` and `.action` are its modules. Where the package is not installed,
all other nodes, commands and documentation still work; virtual_world says what is missing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from world_model_core.errors import ConfigurationError

PACKAGE = 'simulation_interfaces'
KINDS = ('msg', 'srv', 'action')


def __getattr__(name: str) -> Any:
    """
    Return the messages, services or actions of the package.

    Raises
    ------
    ConfigurationError
        The package is not installed.

    """
    if name not in KINDS:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    try:
        return import_module(f'{PACKAGE}.{name}')
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f'{PACKAGE} is not installed; install the dependencies of package.xml with: '
            'rosdep install --from-paths src'
        ) from error
