# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The public API loads lazily, and every public name is documented."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import world_model_core

SOURCE = Path(world_model_core.__file__)
ALL = world_model_core.__all__
CLASSES = [name for name in ALL if inspect.isclass(getattr(world_model_core, name))]
FUNCTIONS = [name for name in ALL if inspect.isfunction(getattr(world_model_core, name))]


def public(name):
    """Return an exported object."""
    return getattr(world_model_core, name)


def sections(documented):
    """Return the text of each numpydoc section of a docstring by its title."""
    parts = re.split(r'^(\w+)\n-+\n', inspect.getdoc(documented) or '', flags=re.MULTILINE)
    return {'': parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def test_the_import_loads_neither_numpy_nor_scipy():
    """Import the package in a new process: its modules are loaded on first use only."""
    code = 'import sys, world_model_core; print(*sys.modules)'
    done = subprocess.run(  # noqa: S603 (our own interpreter)
        [sys.executable, '-c', code],
        cwd=SOURCE.parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert not loaded & {'numpy', 'scipy', 'google', 'lark', 'shapely', 'yaml'}
    assert [name for name in loaded if name.startswith('world_model_core.')] == []


def test_type_checkers_and_the_interpreter_see_the_same_names():
    """`__all__`, the imports for type checkers and the table of sources agree."""
    block = next(node for node in ast.parse(SOURCE.read_text()).body if isinstance(node, ast.If))
    imports = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom) and node.module.startswith('world_model_core.')
        for alias in node.names
    }
    assert imports == world_model_core._SOURCES
    assert sorted(imports) == sorted(ALL)
    assert len(set(ALL)) == len(ALL)


def test_an_unknown_name_is_an_attribute_error():
    """A name that is not exported is reported as for any other module."""
    with pytest.raises(AttributeError, match="'world_model_core' has no attribute 'Nothing'"):
        _ = world_model_core.Nothing


def test_the_public_names_are_listed():
    """`dir` shows what can be imported, before anything is loaded."""
    assert set(ALL) <= set(dir(world_model_core))


@pytest.mark.parametrize(
    'name', sorted({source[0] for source in world_model_core._SOURCES.values()})
)
def test_every_public_module_lists_its_names(name):
    """`__all__` of a module that exports a public name has that name."""
    __import__(name)
    module = sys.modules[name]
    exported = {
        attribute for source, attribute in world_model_core._SOURCES.values() if source == name
    }
    assert exported <= set(module.__all__)
    assert all(hasattr(module, each) for each in module.__all__)


@pytest.mark.parametrize('name', CLASSES + FUNCTIONS)
def test_every_public_name_has_a_docstring(name):
    """The docstring begins with a sentence."""
    assert sections(public(name))[''].strip().split('\n\n')[0].endswith('.')
