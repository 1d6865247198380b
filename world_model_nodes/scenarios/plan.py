# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Plan of the processes that an XML launch file starts.

Elements have the meaning of launch_xml and launch_ros. An include is not a scope: the values that
it sets remain set after it, unless it is in a group (scoped by default). In contrast to launch,
unknown arguments and missing parameter files are errors.
"""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ament_index_python.packages import (
    PackageNotFoundError,
    get_package_prefix,
    get_package_share_directory,
)

from world_model_nodes.nodes import NODES
from world_model_nodes.scenarios.launch_arguments import (
    ArgumentError,
    declared_arguments,
    read_argument,
)
from world_model_nodes.scenarios.launch_xml import Element, LaunchFileError, read_launch_file
from world_model_nodes.scenarios.parameter_value import ParameterValue, parameter_value
from world_model_nodes.scenarios.respawn import Respawn
from world_model_nodes.scenarios.substitution import (
    expand,
    expand_attribute,
    listed,
    package_folder,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

PACKAGE = 'world_model'
_SUFFIX = '.launch.xml'
_N = TypeVar('_N', int, float)


@dataclass(frozen=True)
class Parameter:
    """A parameter whose value is in the launch file."""

    name: str
    value: ParameterValue


@dataclass(frozen=True)
class NodePlan:
    """
    A process to start.

    Attributes
    ----------
    executable : Path
    arguments : tuple of str
        Arguments before the ROS arguments.
    name, namespace : str or None
        None: the default of the node. A namespace is absolute.
    parameters : tuple of Path or Parameter
        Parameter files and single values; later ones override earlier ones.
    remappings : tuple of (str, str)
        Original name and new name.
    respawn : Respawn or None
        None: the scenario ends with the node.

    """

    executable: Path
    arguments: tuple[str, ...]
    name: str | None
    namespace: str | None
    parameters: tuple[Path | Parameter, ...]
    remappings: tuple[tuple[str, str], ...]
    respawn: Respawn | None

    @property
    def label(self) -> str:
        """Namespace and name; the prefix of the output of the node."""
        return f'{self.namespace or ""}/{self.name or self.executable.name}'.lstrip('/')

    @property
    def unblocks_signals(self) -> bool:
        """Whether it unblocks signals itself, when it can handle them: a node of the package."""
        return self.executable.parent.name == PACKAGE and self.executable.name in NODES

    @property
    def parameter_key(self) -> str:
        """Full name of the node in a parameter file, or the wildcard if it is not known."""
        if self.name is None or self.namespace is None:
            return '/**'
        return f'{self.namespace.rstrip("/")}/{self.name}'


def find_scenarios() -> dict[str, Path]:
    """
    Find the installed launch files of the package.

    Returns
    -------
    dict of str to Path
        Paths by name, in alphabetical order of the names.

    Raises
    ------
    LaunchFileError
        If the package is not in the ament index.

    """
    try:
        folder = Path(get_package_share_directory(PACKAGE), 'launch')
    except PackageNotFoundError as error:
        raise LaunchFileError(f'package {PACKAGE!r} is not in AMENT_PREFIX_PATH') from error
    files = {path.name[: -len(_SUFFIX)]: path for path in folder.rglob(f'*{_SUFFIX}')}
    return dict(sorted(files.items()))


def locate_scenario(name_or_path: str) -> Path:
    """
    Return the launch file of an installed scenario, or the path itself.

    Raises
    ------
    ArgumentError
        If no scenario has this name.
    LaunchFileError
        If the package is not in the ament index.

    """
    if name_or_path.endswith('.xml') or os.sep in name_or_path:
        return Path(name_or_path)
    scenarios = find_scenarios()
    if name_or_path not in scenarios:
        raise ArgumentError(f'unknown scenario {name_or_path!r}; available: {listed(scenarios)}')
    return scenarios[name_or_path]


def plan_scenario(path: Path, arguments: Mapping[str, str]) -> tuple[NodePlan, ...]:
    """
    Plan the nodes that a launch file starts.

    Parameters
    ----------
    path : Path
    arguments : mapping of str to str
        Values by the names of declared arguments.

    Returns
    -------
    tuple of NodePlan
        In the order of the file.

    Raises
    ------
    ArgumentError
        An argument is unknown, missing or not one of its choices.
    LaunchFileError
        A file, package, executable, element, substitution or value cannot be used.

    """
    try:
        known = [argument.name for argument in declared_arguments(path)]
        if unknown := sorted(set(arguments) - set(known)):
            raise ArgumentError(
                f'{path}: unknown argument {unknown[0]!r}; available: {listed(known)}'
            )
        return tuple(_plan(read_launch_file(path), dict(arguments), frozenset(arguments)))
    except RecursionError:
        raise LaunchFileError(f'{path}: the file includes itself') from None


def _plan(element: Element, values: dict[str, str], given: frozenset[str]) -> Iterator[NodePlan]:
    """Plan the children; `values` are the values of $(var), `given` the arguments passed."""
    for child in element.children:
        if not _applies(child, values):
            continue
        if child.tag == 'arg':
            _declare(child, values, given)
        elif child.tag == 'node':
            yield _plan_node(child, values)
        elif child.tag == 'include':
            yield from _plan_include(child, values)
        else:
            scoped = _truth(child, child.attributes.get('scoped', 'true'))
            yield from _plan(child, dict(values) if scoped else values, given)


def _declare(element: Element, values: dict[str, str], given: frozenset[str]) -> None:
    argument = read_argument(element)
    where = f'{element.path}:{element.line}: argument {argument.name!r}'
    if argument.default is None and argument.name not in given:
        raise ArgumentError(f'{where} is required: {argument.description}')
    if argument.name not in values:
        values[argument.name] = expand(element, argument.default or '', values)
    value = values[argument.name]
    if argument.choices and value not in argument.choices:
        raise ArgumentError(f'{where} is {value!r}; it must be one of: {listed(argument.choices)}')


def _plan_include(element: Element, values: dict[str, str]) -> Iterator[NodePlan]:
    path = Path(expand(element, element.attributes['file'], values))
    if not path.is_file():
        raise element.error(f'{path} does not exist')
    for argument in element.named('arg'):
        # In order, so that an argument may use the values of earlier ones.
        values[argument.attributes['name']] = expand_attribute(argument, 'value', values)
    given = frozenset(argument.attributes['name'] for argument in element.named('arg'))
    yield from _plan(read_launch_file(path), values, given)


def _plan_node(element: Element, values: Mapping[str, str]) -> NodePlan:
    if element.attributes.get('on_exit', 'shutdown') != 'shutdown':
        raise element.error("on_exit must be 'shutdown'")
    name, namespace = (
        expand_attribute(element, key, values) if key in element.attributes else None
        for key in ('name', 'namespace')
    )
    if namespace is not None:
        namespace = '/' + namespace.strip('/')
    return NodePlan(
        _executable(element, values),
        tuple(_words(element, values)),
        name,
        namespace,
        tuple(_parameter(param, values) for param in element.named('param')),
        tuple(
            (expand_attribute(remap, 'from', values), expand_attribute(remap, 'to', values))
            for remap in element.named('remap')
        ),
        _respawn(element, values),
    )


def _respawn(element: Element, values: Mapping[str, str]) -> Respawn | None:
    given = element.attributes
    if not ('respawn' in given and _truth(element, expand_attribute(element, 'respawn', values))):
        return None
    if 'on_exit' in given:
        raise element.error("respawn and on_exit='shutdown' exclude each other")
    delay = _number(element, 'respawn_delay', float, Respawn.delay)
    if not 0.0 <= delay < math.inf:
        raise element.error(f'respawn_delay is {delay}; it must be 0 or more')
    return Respawn(delay, _number(element, 'respawn_max_retries', int, Respawn.max_retries))


def _number(element: Element, name: str, kind: Callable[[str], _N], default: _N) -> _N:
    """Read a number, in which launch replaces no substitutions."""
    text = element.attributes.get(name)
    try:
        return default if text is None else kind(text)
    except ValueError:
        raise element.error(f'{name} is {text!r}; it must be a number') from None


def _executable(element: Element, values: Mapping[str, str]) -> Path:
    package, name = (
        expand_attribute(element, 'pkg', values),
        expand_attribute(element, 'exec', values),
    )
    path = Path(package_folder(element, package, get_package_prefix), 'lib', package, name)
    if not (path.is_file() and os.access(path, os.X_OK)):
        raise element.error(f'package {package!r} has no executable {path}')
    return path


def _words(element: Element, values: Mapping[str, str]) -> Iterator[str]:
    """Yield the arguments, which are separated by spaces outside of substitutions."""
    text = element.attributes.get('args', '')
    if re.search(r'["\'\\]', text):
        raise element.error(f'quotes and backslashes in args are not supported: {text}')
    for word in re.findall(r'(?:\$\([^)]*\)|\S)+', text):
        yield expand(element, word, values)


def _parameter(element: Element, values: Mapping[str, str]) -> Path | Parameter:
    given = set(element.attributes)
    if given == {'from'}:
        path = Path(expand_attribute(element, 'from', values))
        if not path.is_file():
            raise element.error(f'parameter file {path} does not exist')
        return path
    if given - {'type'} != {'name', 'value'}:
        raise element.error("needs either 'from', or 'name' and 'value'")
    name = expand_attribute(element, 'name', values)
    text, kind = element.attributes['value'], element.attributes.get('type', 'yaml')
    try:
        value = parameter_value(text, kind, lambda part: expand(element, part, values))
    except ValueError as error:
        raise element.error(f'parameter {name!r}: {error}') from error
    return Parameter(name, value)


def _applies(element: Element, values: Mapping[str, str]) -> bool:
    for key, wanted in (('if', True), ('unless', False)):
        if key in element.attributes:
            return _truth(element, expand_attribute(element, key, values)) is wanted
    return True


def _truth(element: Element, text: str) -> bool:
    truths = {'true': True, '1': True, 'false': False, '0': False}
    try:
        return truths[text.strip().lower()]
    except KeyError:
        raise element.error(f'{text!r} is not one of {listed(truths)}') from None
