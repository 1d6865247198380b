# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A node's parameters as one frozen dataclass: the only place that declares them."""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

from rcl_interfaces.msg import (
    FloatingPointRange,
    IntegerRange,
    ParameterDescriptor,
    SetParametersResult,
)
from rclpy.exceptions import ParameterException

from world_model_core.errors import ConfigurationError, WorldModelError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node
    from rclpy.parameter import Parameter

Config = TypeVar('Config')


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
    limits = {'description': description, 'minimum': low, 'maximum': high, 'unit': unit}
    return dataclasses.field(default=default, metadata=limits)


def declare(node: Node, config_type: type[Config]) -> Config:
    """
    Declare every field of `config_type` on `node` and read the values given from outside.

    Raises
    ------
    ConfigurationError
        A value has the wrong type or is outside its limits.

    """
    for field in dataclasses.fields(config_type):  # type: ignore[arg-type]
        try:
            node.declare_parameter(field.name, _word(field.default), _descriptor(field))
        except ParameterException as error:
            raise ConfigurationError(_complaint(field, error)) from error
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
    Make a `config_type`, checking the choices.

    Raises
    ------
    ConfigurationError
        A value is none of the choices.

    """
    chosen = dict(values)
    for field in dataclasses.fields(config_type):  # type: ignore[arg-type]
        choices, value = _choices(field), values[field.name]
        if choices and value not in choices:
            raise ConfigurationError(
                f'parameter {field.name} is {value!r}; it can be {" | ".join(choices)}'
            )
        if choices:
            chosen[field.name] = _kind(field)(value)
    return config_type(**chosen)


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
            accept(build(config_type, {**values, **changes}))
        except WorldModelError as error:
            return SetParametersResult(successful=False, reason=str(error))
        return SetParametersResult(successful=True)

    node.add_on_set_parameters_callback(change)


def declared_names(config_type: type[Any]) -> tuple[str, ...]:
    """Name the parameters that `config_type` declares."""
    return tuple(field.name for field in dataclasses.fields(config_type))


def _choices(field: dataclasses.Field[Any]) -> tuple[str, ...]:
    """List the words that an enumeration allows; none for other types."""
    kind = _kind(field)
    return tuple(member.value for member in kind) if issubclass(kind, Enum) else ()


def _kind(field: dataclasses.Field[Any]) -> type[Any]:
    return type(field.default)


def _word(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value


def _descriptor(field: dataclasses.Field[Any]) -> ParameterDescriptor:
    limits = field.metadata
    unit = f' [{limits["unit"]}]' if limits.get('unit') else ''
    descriptor = ParameterDescriptor(name=field.name, description=limits['description'] + unit)
    if _choices(field):
        descriptor.additional_constraints = 'one of: ' + ', '.join(_choices(field))
    if limits.get('minimum') is None:
        return descriptor
    low, high = limits['minimum'], limits['maximum']
    if isinstance(field.default, float):
        spread = FloatingPointRange(from_value=float(low), to_value=float(high))
        descriptor.floating_point_range.append(spread)
    else:
        spread = IntegerRange(from_value=int(low), to_value=int(high), step=1)
        descriptor.integer_range.append(spread)
    return descriptor


def _complaint(field: dataclasses.Field[Any], error: Exception) -> str:
    limits, kind = field.metadata, type(_word(field.default)).__name__
    kind = 'list of floats' if kind == 'tuple' else kind
    text = f'parameter {field.name}: {error}; it must be a {kind}'
    if limits.get('minimum') is not None:
        unit = limits.get('unit', '')
        text += f' from {limits["minimum"]} to {limits["maximum"]} {unit}'.rstrip()
    return text + (' (in YAML 1.0, not 1)' if 'float' in kind else '')
