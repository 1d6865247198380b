# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The public API loads lazily, and every public name is documented."""

from __future__ import annotations

import ast
import dataclasses
import enum
import inspect
import re
import subprocess
import sys
import textwrap
from importlib.util import find_spec
from pathlib import Path

import pytest

import world_model_core

SOURCE = Path(world_model_core.__file__)
# Names that need a package of an extra.
EXTRA = {'Engine': 'mujoco', 'StepReport': 'mujoco'}
ALL = [name for name in world_model_core.__all__ if name not in EXTRA or find_spec(EXTRA[name])]
CLASSES = [name for name in ALL if inspect.isclass(getattr(world_model_core, name))]
FUNCTIONS = [name for name in ALL if inspect.isfunction(getattr(world_model_core, name))]
# Enumerations and errors have no parameters to document.
WITH_PARAMETERS = [
    name
    for name in CLASSES
    if not issubclass(getattr(world_model_core, name), enum.Enum | Exception)
]


def public(name):
    """Return an exported object."""
    return getattr(world_model_core, name)


def sections(documented):
    """Return the text of each numpydoc section of a docstring by its title."""
    parts = re.split(r'^(\w+)\n-+\n', inspect.getdoc(documented) or '', flags=re.MULTILINE)
    return {'': parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def described(documented, *titles):
    """Return the names that the sections describe: 'x, y : float' describes x and y."""
    found = sections(documented)
    lines = [line for title in titles for line in found.get(title, '').splitlines()]
    heads = [line.split(' : ')[0] for line in lines if line and not line.startswith(' ')]
    return {name.strip('* ') for head in heads for name in head.split(',')}


def raised(function):
    """Return the classes that the body of a function raises itself."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    calls = [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    return {call.func.id for call in calls if isinstance(getattr(call, 'func', None), ast.Name)}


def methods():
    """Return the public methods of the exported classes as parameters of a test."""
    for name in CLASSES:
        for method, function in vars(public(name)).items():
            if not method.startswith('_') and inspect.isfunction(function):
                yield pytest.param(function, id=f'{name}.{method}')


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


@pytest.mark.parametrize('name', WITH_PARAMETERS)
def test_constructors_are_documented(name):
    """Each argument of a constructor is described under Parameters or Attributes."""
    cls = public(name)
    if dataclasses.is_dataclass(cls):
        fields = [item for item in dataclasses.fields(cls) if item.init]
        # Parameters carry their description with unit and limits in the declaration.
        wanted = {item.name for item in fields if 'description' not in item.metadata}
    else:
        wanted = set(inspect.signature(cls).parameters)
    assert wanted <= described(cls, 'Parameters', 'Attributes')


@pytest.mark.parametrize('name', FUNCTIONS)
def test_functions_are_documented(name):
    """Each argument and the value of a function are described."""
    function = public(name)
    assert set(inspect.signature(function).parameters) <= described(function, 'Parameters')
    assert 'Returns' in sections(function) or function.__annotations__['return'] == 'None'


@pytest.mark.parametrize('name', WITH_PARAMETERS)
def test_errors_of_constructors_are_documented(name):
    """What a constructor raises itself is described under Raises of the class."""
    cls = public(name)
    own = [vars(cls).get('__init__'), vars(cls).get('__post_init__')]
    found = {
        error
        for each in own
        if each and each.__module__ == cls.__module__
        for error in raised_if_any(each)
    }
    assert found <= described(cls, 'Raises')


def raised_if_any(function):
    """Return what a function raises itself; nothing if it was generated without source."""
    try:
        return raised(function)
    except OSError:
        return set()


@pytest.mark.parametrize('function', [*methods(), *(public(name) for name in FUNCTIONS)])
def test_errors_of_functions_are_documented(function):
    """What a function or a method raises itself is described under Raises."""
    assert raised_if_any(function) <= described(function, 'Raises')
