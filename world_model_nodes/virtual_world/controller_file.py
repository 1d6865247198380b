# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The class of a controller, from the file of its author."""

from __future__ import annotations

import importlib.util
import inspect
import sys
import traceback
from typing import TYPE_CHECKING

from world_model_core.errors import ConfigurationError
from world_model_core.virtual_world.agents.controller import Controller

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


def load_controller(file: Path, class_name: str = '') -> type[Controller]:
    """
    Import a file, and return its controller.

    Parameters
    ----------
    file : Path
    class_name : str
        Empty: the file has one class of Controller.

    Raises
    ------
    ConfigurationError
        The file cannot be imported, or has no such class; its trace was written to the log.

    """
    module = _import(file)
    found = {
        name: each
        for name, each in vars(module).items()
        if inspect.isclass(each) and issubclass(each, Controller) and each is not Controller
    }
    own = {name: each for name, each in found.items() if each.__module__ == module.__name__}
    if class_name:
        if class_name not in found:
            raise ConfigurationError(f'{file} has no controller {class_name!r}; {_there(own)}')
        return found[class_name]
    if len(own) != 1:
        raise ConfigurationError(
            f'{file} must have one subclass of Controller, or be given as FILE.py:CLASS; '
            f'{_there(own)}'
        )
    return next(iter(own.values()))


def _there(found: dict[str, type[Controller]]) -> str:
    return f'it has {", ".join(found) or "none"}'


def _import(file: Path) -> ModuleType:
    if not file.is_file():
        raise ConfigurationError(f'{file} is not a file; it must be a controller in Python')
    # As of a program: modules next to it can be imported.
    sys.path.insert(0, str(file.resolve().parent))
    spec = importlib.util.spec_from_file_location(file.stem, file.resolve())
    if spec is None or spec.loader is None:
        raise ConfigurationError(f'{file} must end in .py')
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    try:
        spec.loader.exec_module(module)
    # Whatever a file raises, but not what ends the process.
    except Exception as error:
        traceback.print_exc()
        raise ConfigurationError(
            f'{file} cannot be imported: {type(error).__name__}: {error}'
        ) from error
    return module
