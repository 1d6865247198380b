# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
ROS parameters of a node, declared from one frozen dataclass.

The name of a parameter in a group starts with the name of the group: the field `probability` of
the field `missed_detection` is the parameter `missed_detection.probability`. In YAML a group is a
mapping.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import Enum
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from rcl_interfaces.msg import (
    FloatingPointRange,
    IntegerRange,
    ParameterDescriptor,
    SetParametersResult,
)
from rclpy.exceptions import ParameterException

from world_model_core.errors import ConfigurationError, WorldModelError
from world_model_core.parameters import (
    Leaf,
    groups,
    leaves,
    mapping_of,
    quantity,
    read_parameters,
    setting,
    switched_off,
    word_of,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node
    from rclpy.parameter import Parameter

Config = TypeVar('Config')

# Null in a parameter file; ROS has no null value and reads it as a string.
NULLS = ('null', 'Null', 'NULL', '~')
# Prefix of the parameters that ROS itself declares when topics are created.
ROS_PREFIX = 'qos_overrides.'


def parameter(
    default: Any,
    description: str,
    *,
    low: float | None = None,
    high: float | None = None,
    unit: str = '',
) -> Any:
    """
    Declare one parameter as a field of a frozen dataclass.

    Parameters
    ----------
    default
        Default value; its type is the type of the parameter. For a member of an enumeration, the
        words of the enumeration are the choices.
    description : str
        One line.
    low, high : float, optional
        Limits, both included; give both or none.
    unit : str, optional
        Unit of the value and the limits.

    """
    if low is None or high is None:
        return setting(default, description, unit)
    return quantity(default, unit, low, high, description)


def declare(node: Node, config_type: type[Config]) -> Config:
    """
    Declare all parameters of `config_type` on `node` and read the values that were set at start.

    A group set to null is off; an empty group has its default values. An unknown name without a
    dot may belong to another node, so it only logs a warning.

    Raises
    ------
    ConfigurationError
        A value has the wrong type or is outside its limits, or a name with a dot is unknown.

    """
    given = node._parameter_overrides  # noqa: SLF001 (rclpy has no public access to it)
    _check_names(given, declared_names(config_type))
    off = _switched_off(given, config_type)
    for leaf in leaves(config_type):
        try:
            node.declare_parameter(leaf.name, _default(leaf, off), _descriptor(leaf))
            node.get_parameter(leaf.name)  # raises if it is empty, {} in YAML
        except ParameterException as error:
            raise ConfigurationError(_describe_error(leaf, error)) from error
    _warn(node, set(given) - groups(config_type).keys())
    return read(node, config_type)


def read(node: Node, config_type: type[Config]) -> Config:
    """
    Read the declared parameters of a node into a `config_type`.

    Raises
    ------
    ConfigurationError
        A value is not one of the choices.

    """
    names = declared_names(config_type)
    return build(config_type, {name: node.get_parameter(name).value for name in names})


def build(config_type: type[Config], values: dict[str, Any]) -> Config:
    """
    Make a `config_type` from the values of its parameters.

    Raises
    ------
    ConfigurationError
        A value is not one of the choices, or is outside its limits.

    """
    document: dict[str, Any] = {}
    lists = {leaf.name for leaf in leaves(config_type) if isinstance(leaf.default, tuple)}
    for name, value in values.items():
        *outer, last = name.split('.')
        inner = document
        for part in outer:
            inner = inner.setdefault(part, {})
        inner[last] = _floats(name, value) if name in lists else value
    return read_parameters(config_type, document)


def follow(node: Node, config_type: type[Config], accept: Callable[[Config], None]) -> None:
    """
    Accept changes of parameters at run time; each change replaces the whole configuration.

    Parameters
    ----------
    node : Node
    config_type : type
        The dataclass whose parameters are declared on the node.
    accept : callable
        Called with the new configuration; raises WorldModelError to reject it.

    """
    own = set(declared_names(config_type))

    def change(parameters: list[Parameter]) -> SetParametersResult:
        changes = {p.name: p.value for p in parameters if p.name in own}
        if not changes:  # for example use_sim_time, which rclpy handles
            return SetParametersResult(successful=True)
        values = {name: node.get_parameter(name).value for name in own}
        try:
            _check_set(changes)
            accept(build(config_type, {**values, **changes}))
        except WorldModelError as error:
            return SetParametersResult(successful=False, reason=str(error))
        return SetParametersResult(successful=True)

    node.add_on_set_parameters_callback(change)


def declared_names(config_type: type[Any]) -> tuple[str, ...]:
    """Return the names of the parameters that `config_type` declares."""
    return tuple(leaf.name for leaf in leaves(config_type))


def _check_names(given: Collection[str], known: tuple[str, ...]) -> None:
    """Reject unknown names in groups: a misspelt error source would be off without notice."""
    for name in given:
        if '.' in name and name not in known and not name.startswith(ROS_PREFIX):
            raise ConfigurationError(f'parameter {name} is unknown; {_choices(name, known)}')


def _warn(node: Node, given: Collection[str]) -> None:
    """Warn of unknown names: they may be outdated, or belong to another node."""
    for name in sorted(given):
        if not (node.has_parameter(name) or name.startswith(ROS_PREFIX)):
            node.get_logger().warning(f'parameter {name} is unknown and ignored')


def _choices(name: str, known: tuple[str, ...]) -> str:
    """List the valid names with a dot: those in the same group, or else in all groups."""
    first, _, _ = name.partition('.')
    parts = [other for other in known if other.startswith(f'{first}.')]
    if not parts and 'noise_file' in known:
        return 'robot noise is configured in the YAML file that noise_file names'
    parts = parts or [other for other in known if '.' in other]
    return f'it can be {" | ".join(parts)}' if parts else 'this node has no parameters with a dot'


def _switched_off(given: Mapping[str, Parameter], config_type: type[Any]) -> dict[str, Any]:
    """Return the value of each group that is set to null; reject other values of groups."""
    off = {}
    for name, item in groups(config_type).items():
        value = given[name].value if name in given else None
        if value in NULLS:
            off[name] = switched_off(item, f'parameter {name}')
        elif value is not None:
            wanted = mapping_of(item.metadata['kind'])
            raise ConfigurationError(f'parameter {name} is {value!r}; it must be {wanted}')
    return off


def _default(leaf: Leaf, off: Mapping[str, Any]) -> Any:
    """Return the default value of a parameter."""
    group, _, part = leaf.name.partition('.')
    return _word(attrgetter(part)(off[group]) if group in off else leaf.default)


def _check_set(changes: Mapping[str, Any]) -> None:
    """Reject parameters without a value, which ROS allows for lists."""
    for name, value in changes.items():
        if value is None:
            raise ConfigurationError(f'parameter {name} cannot be unset')


def _floats(name: str, value: Any) -> tuple[float, ...]:
    """Read a list of floats; ROS passes an untyped empty list as None or as a list of any type."""
    given = () if value is None else value
    # A string is a collection too, but not of floats.
    if not (isinstance(given, Collection) and all(isinstance(item, float) for item in given)):
        raise ConfigurationError(
            f'parameter {name} is {value!r}; it must be a list of floats (in YAML 1.0, not 1)'
        )
    return tuple(given)


def _word(value: Any) -> Any:
    return word_of(value) if isinstance(value, Enum) else value


def _descriptor(leaf: Leaf) -> ParameterDescriptor:
    unit = f' [{leaf.unit}]' if leaf.unit else ''
    descriptor = ParameterDescriptor(name=leaf.name, description=leaf.description + unit)
    # Lists are checked in `_floats`: an empty list would have another type.
    descriptor.dynamic_typing = isinstance(leaf.default, tuple)
    if isinstance(leaf.default, Enum):
        choices = ', '.join(words(type(leaf.default)))
        descriptor.additional_constraints = f'one of: {choices}'
    if leaf.minimum is None or leaf.maximum is None:
        return descriptor
    low, high = leaf.minimum, leaf.maximum
    if isinstance(leaf.default, float):
        spread = FloatingPointRange(from_value=float(low), to_value=float(high))
        descriptor.floating_point_range.append(spread)
    else:
        spread = IntegerRange(from_value=int(low), to_value=int(high), step=1)
        descriptor.integer_range.append(spread)
    return descriptor


def _describe_error(leaf: Leaf, error: Exception) -> str:
    kind = type(_word(leaf.default)).__name__
    text = f'parameter {leaf.name}: {error}; it must be a {kind}'
    if leaf.minimum is not None:
        text += f' from {leaf.minimum} to {leaf.maximum} {leaf.unit}'.rstrip()
    return text + (' (in YAML 1.0, not 1)' if kind == 'float' else '')
