# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
What a scenario starts: an XML launch file turned into a plan of processes.

The meaning of each element is that of launch_xml and launch_ros. As there, an include is no
scope: what it sets stays set behind it, unless a group (scoped by default) surrounds it.
Stricter than there: unknown arguments and missing parameter files are refused.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ament_index_python.packages import (
    PackageNotFoundError,
    get_package_prefix,
    get_package_share_directory,
)

from world_model_nodes.scenarios.launch_arguments import (
    ArgumentError,
    declared_arguments,
    read_argument,
)
from world_model_nodes.scenarios.launch_xml import Element, LaunchFileError, read_launch_file
from world_model_nodes.scenarios.parameter_value import ParameterValue, parameter_value
from world_model_nodes.scenarios.substitution import (
    expand,
    expand_attribute,
    listed,
    package_folder,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PACKAGE = 'world_model'
_SUFFIX = '.launch.xml'


@dataclass(frozen=True)
class Parameter:
    """A parameter written in the launch file itself."""

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
        What precedes the ROS arguments.
    name, namespace : str or None
        None leaves the node's own; a namespace is absolute.
    parameters : tuple of Path or Parameter
        Files and single values, a later one overriding an earlier one.
    remappings : tuple of (str, str)
        From, to.

    """

    executable: Path
    arguments: tuple[str, ...]
    name: str | None
    namespace: str | None
    parameters: tuple[Path | Parameter, ...]
    remappings: tuple[tuple[str, str], ...]

    @property
    def label(self) -> str:
        """The namespace and name by which output is told apart."""
        return f'{self.namespace or ""}/{self.name or self.executable.name}'.lstrip('/')

    @property
    def parameter_key(self) -> str:
        """The node's full name in a parameter file, or the wildcard when it is not known."""
        if self.name is None or self.namespace is None:
            return '/**'
        return f'{self.namespace.rstrip("/")}/{self.name}'


def find_scenarios() -> dict[str, Path]:
    """
    Find the launch files that the package installs.

    Returns
    -------
    dict of str to Path
        By name, in alphabetical order.

    Raises
    ------
    LaunchFileError
        If the package is not in the ament index.

    """
    try:
        folder = Path(get_package_share_directory(PACKAGE), 'launch')
    except PackageNotFoundError as error:
        raise LaunchFileError(f'package {PACKAGE!r} is not in AMENT_PREFIX_PATH') from error
    return {path.name[: -len(_SUFFIX)]: path for path in sorted(folder.rglob(f'*{_SUFFIX}'))}


def locate_scenario(name_or_path: str) -> Path:
    """
    Return the launch file of an installed scenario, or the file that a path names.

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
        raise ArgumentError(f'no scenario {name_or_path!r}; there are: {listed(scenarios)}')
    return scenarios[name_or_path]


def plan_scenario(path: Path, arguments: Mapping[str, str]) -> tuple[NodePlan, ...]:
    """
    Plan what a launch file starts.

    Parameters
    ----------
    path : Path
    arguments : mapping of str to str
        Values by the names that the file declares.

    Returns
    -------
    tuple of NodePlan
        In the order of the file.

    Raises
    ------
    ArgumentError
        If an argument is unknown, missing or none of its choices.
    LaunchFileError
        If a file, package, executable, element, substitution or value cannot be used.

    """
    try:
        known = [argument.name for argument in declared_arguments(path)]
        if unknown := sorted(set(arguments) - set(known)):
            raise ArgumentError(f'{path}: no argument {unknown[0]!r}; there are: {listed(known)}')
        return tuple(_plan(read_launch_file(path), dict(arguments), frozenset(arguments)))
    except RecursionError:
        raise LaunchFileError(f'{path}: includes itself without end') from None


def _plan(element: Element, values: dict[str, str], given: frozenset[str]) -> Iterator[NodePlan]:
    """Plan the children; `values` is what $(var) sees, `given` what the caller has passed."""
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
        raise ArgumentError(f'{where} is {value!r}; its choices: {listed(argument.choices)}')


def _plan_include(element: Element, values: dict[str, str]) -> Iterator[NodePlan]:
    path = Path(expand(element, element.attributes['file'], values))
    if not path.is_file():
        raise element.error(f'no file {path}')
    for argument in element.named('arg'):
        # One after the other, so that an argument may be made from those before it.
        values[argument.attributes['name']] = expand_attribute(argument, 'value', values)
    given = frozenset(argument.attributes['name'] for argument in element.named('arg'))
    yield from _plan(read_launch_file(path), values, given)


def _plan_node(element: Element, values: Mapping[str, str]) -> NodePlan:
    if element.attributes.get('on_exit', 'shutdown') != 'shutdown':
        raise element.error("on_exit can only be 'shutdown'")
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
    )


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
    """Split the arguments at the spaces outside of substitutions."""
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
            raise element.error(f'no parameter file {path}')
        return path
    if given - {'type'} != {'name', 'value'}:
        raise element.error("either 'from', or 'name' and 'value'")
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
        raise element.error(f'{text!r} is none of {listed(truths)}') from None
