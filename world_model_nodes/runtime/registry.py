# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Modules, classes and parameters of the nodes that are listed in `world_model_nodes.nodes`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from world_model_nodes.nodes import NODES

if TYPE_CHECKING:
    from types import ModuleType


def import_node(name: str) -> ModuleType:
    """Import the module of a node; its function `main` runs the node."""
    return importlib.import_module(f'world_model_nodes.{NODES[name]}.{name}')


def node_class(name: str) -> type[Any]:
    """
    Return the class of a node: the one in its module with the attribute `config_type`.

    Raises
    ------
    TypeError
        The module defines no such class, or more than one.

    """
    module = import_node(name)
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and value.__module__ == module.__name__
        and hasattr(value, 'config_type')
    ]
    if len(classes) != 1:
        raise TypeError(
            f'{module.__name__} defines {len(classes)} classes with a config_type; '
            'a node module must define exactly 1'
        )
    return classes[0]


def config_class(name: str) -> type[Any]:
    """Return the frozen dataclass that declares the parameters of a node."""
    config_type: type[Any] = node_class(name).config_type
    return config_type
