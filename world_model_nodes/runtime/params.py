# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
A node's parameters as one frozen dataclass: the only place that declares them.

Parameters in a group have its name before their own: the field `probability` of the field
`missed_detection` is the parameter `missed_detection.probability`, in YAML a mapping in a mapping.
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

# Null in a parameter file: ROS has no such value, and takes it for a text.
NULLS = ('null', 'Null', 'NULL', '~')
# What ROS itself declares on a node, when topics are made.
OF_ROS = 'qos_overrides.'


def parameter(
    default: Any,
    description: str,
    *,
    low: float | None = None,
    high: float | None = None,
    unit: str = '',
) -> Any:
    """
    Describe one parameter, as a field of a frozen dataclass.

    Parameters
    ----------
    default
        Its type is the parameter's type; of an enumeration of words, the words are the choices.
    description : str
        One line.
    low, high : float, optional
        Limits, both included; both or none.
    unit : str, optional
        Of the value.

    """
    if low is None or high is None:
        return setting(default, description, unit)
    return quantity(default, unit, low, high, description)


def declare(node: Node, config_type: type[Config]) -> Config:
    """
    Declare every parameter of `config_type` on `node` and read the values given from outside.

    A group that is null is off, and one that is empty as it is by default. Of other names without
    a dot, which may be somebody else's, a warning is logged.

    Raises
    ------
    ConfigurationError
        A value has the wrong type or is outside its limits, or a name with a dot is unknown.

    """
    given = node._parameter_overrides  # noqa: SLF001 (rclpy tells no one what is given)
    _check_names(given, declared_names(config_type))
    off = _switched_off(given, config_type)
    for leaf in leaves(config_type):
        try:
            node.declare_parameter(leaf.name, _default(leaf, off), _descriptor(leaf))
            node.get_parameter(leaf.name)  # raises where it is empty, {} in YAML
        except ParameterException as error:
            raise ConfigurationError(_complaint(leaf, error)) from error
    _warn(node, set(given) - groups(config_type).keys())
    return read(node, config_type)


def read(node: Node, config_type: type[Config]) -> Config:
    """
    Read declared parameters into a `config_type`.

    Raises
    ------
    ConfigurationError
        A value is none of the choices.

    """
    names = declared_names(config_type)
    return build(config_type, {name: node.get_parameter(name).value for name in names})


def build(config_type: type[Config], values: dict[str, Any]) -> Config:
    """
    Make a `config_type` of the values of its parameters.

    Raises
    ------
    ConfigurationError
        A value is none of the choices, or outside its limits.

    """
    document: dict[str, Any] = {}
    lists = {leaf.name for leaf in leaves(config_type) if isinstance(leaf.default, tuple)}
    for name, value in values.items():
        *outer, last = name.split('.')
        inner = document
        for each in outer:
            inner = inner.setdefault(each, {})
        inner[last] = _floats(name, value) if name in lists else value
    return read_parameters(config_type, document)


def follow(node: Node, config_type: type[Config], accept: Callable[[Config], None]) -> None:
    """
    Let parameters change while the node runs: the whole configuration is replaced or none of it.

    Parameters
    ----------
    node : Node
    config_type : type
        Declared on it.
    accept : callable
        Takes the new configuration; raises WorldModelError to refuse it.

    """
    own = set(declared_names(config_type))

    def change(parameters: list[Parameter]) -> SetParametersResult:
        changes = {p.name: p.value for p in parameters if p.name in own}
        if not changes:  # use_sim_time, say, which rclpy follows
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
    """Name the parameters that `config_type` declares."""
    return tuple(leaf.name for leaf in leaves(config_type))


def _check_names(given: Collection[str], known: tuple[str, ...]) -> None:
    """Refuse parts of groups that there are not: who misspells a source of errors has none."""
    for name in given:
        if '.' in name and name not in known and not name.startswith(OF_ROS):
            raise ConfigurationError(f'parameter {name} is unknown; {_choices(name, known)}')


def _warn(node: Node, given: Collection[str]) -> None:
    """Tell of names that nobody knows: they may be old ones, or another node's."""
    for name in sorted(given):
        if not (node.has_parameter(name) or name.startswith(OF_ROS)):
            node.get_logger().warning(f'parameter {name} is unknown, and changes nothing')


def _choices(name: str, known: tuple[str, ...]) -> str:
    """Tell what a name with a dot can be: parts of its group, else of others."""
    first, _, _ = name.partition('.')
    parts = [other for other in known if other.startswith(f'{first}.')]
    if not parts and 'noise_file' in known:
        return 'robot noise is configured in the YAML file that noise_file names'
    parts = parts or [other for other in known if '.' in other]
    return f'it can be {" | ".join(parts)}' if parts else 'this node has none with a dot'


def _switched_off(given: Mapping[str, Parameter], config_type: type[Any]) -> dict[str, Any]:
    """List the groups that are null, with what they are then; refuse other values of groups."""
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
    """Give what a parameter is if it is not given."""
    group, _, part = leaf.name.partition('.')
    return _word(attrgetter(part)(off[group]) if group in off else leaf.default)


def _check_set(changes: Mapping[str, Any]) -> None:
    """Refuse to do without a parameter, which ROS allows of lists."""
    for name, value in changes.items():
        if value is None:
            raise ConfigurationError(f'parameter {name} cannot be unset')


def _floats(name: str, value: Any) -> tuple[float, ...]:
    """Read a list; an empty one, of which ROS knows no type, comes as None or as any list."""
    given = () if value is None else value
    # Letters of a word are no floats either.
    if not (isinstance(given, Collection) and all(isinstance(each, float) for each in given)):
        raise ConfigurationError(
            f'parameter {name} is {value!r}; it must be a list of floats (in YAML 1.0, not 1)'
        )
    return tuple(given)


def _word(value: Any) -> Any:
    return word_of(value) if isinstance(value, Enum) else value


def _descriptor(leaf: Leaf) -> ParameterDescriptor:
    unit = f' [{leaf.unit}]' if leaf.unit else ''
    descriptor = ParameterDescriptor(name=leaf.name, description=leaf.description + unit)
    # Lists are checked here, as an empty one would be of another type.
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


def _complaint(leaf: Leaf, error: Exception) -> str:
    kind = type(_word(leaf.default)).__name__
    text = f'parameter {leaf.name}: {error}; it must be a {kind}'
    if leaf.minimum is not None:
        text += f' from {leaf.minimum} to {leaf.maximum} {leaf.unit}'.rstrip()
    return text + (' (in YAML 1.0, not 1)' if kind == 'float' else '')
