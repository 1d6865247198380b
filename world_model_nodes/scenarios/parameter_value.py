# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Value and type of a parameter in a launch file, as launch_ros determines them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

import yaml

if TYPE_CHECKING:
    from collections.abc import Callable

Scalar: TypeAlias = 'bool | int | float | str'
ParameterValue: TypeAlias = 'Scalar | list[Scalar]'

# From launch.frontend.type_utils.get_data_type_from_identifier; the default is 'yaml'.
_TYPES: dict[str, type] = {'bool': bool, 'int': int, 'float': float, 'str': str}
_LIST = 'list_of_'
KINDS = ('yaml', *_TYPES, *(_LIST + name for name in _TYPES))


def parameter_value(text: str, kind: str, expand: Callable[[str], str]) -> ParameterValue:
    """
    Read the value of a parameter as launch_ros does.

    A list, and any value of kind ``'yaml'``, is read as YAML before its substitutions are
    replaced; the results are read as YAML again.

    Parameters
    ----------
    text : str
        As written in the launch file.
    kind : str
        The attribute ``type``, one of `KINDS`.
    expand : callable
        Replaces the substitutions in a text.

    Returns
    -------
    bool, int, float, str or list of one of these

    Raises
    ------
    ValueError
        The kind is unknown, or the text is not of that kind, or it is a list of mixed types.

    """
    if kind not in KINDS:
        raise ValueError(f'type is {kind!r}; it must be one of: {", ".join(KINDS)}')
    if kind in _TYPES:
        return _scalar(expand(text), kind)
    raw, item_kind = _read_yaml(text), kind.removeprefix(_LIST)
    if isinstance(raw, list):
        return _checked([_expanded(item, item_kind, expand) for item in raw], item_kind)
    if item_kind != kind:
        raise ValueError(f'{text!r} is not a list; for a list from an argument use type="yaml"')
    return _checked(_expanded(raw, kind, expand), kind)


def _expanded(raw: Any, kind: str, expand: Callable[[str], str]) -> Any:
    if not isinstance(raw, str):
        return raw
    if kind in _TYPES:
        return _scalar(expand(raw), kind)
    return _read_yaml(expand(raw)) if '$(' in raw else expand(raw)


def _checked(value: Any, kind: str) -> ParameterValue:
    """Reject values that ROS parameters cannot have: null, dates, nested and mixed lists."""
    allowed = {_TYPES[kind]} if kind in _TYPES else set(_TYPES.values())
    found = {type(item) for item in value} if isinstance(value, list) else {type(value)}
    if len(found) > 1 or not found <= allowed:
        raise ValueError(f'{value!r} must be of one type: {" or ".join(_TYPES)}')
    return cast('ParameterValue', value)


def _scalar(text: str, kind: str) -> Scalar:
    try:
        value = _TYPES[kind](text) if kind != 'bool' else _truth(text)
    except ValueError:
        raise ValueError(f'{text!r} is not of type {kind}') from None
    return cast('Scalar', value)


def _truth(text: str) -> bool:
    value = _read_yaml({'1': 'true', '0': 'false'}.get(text, text))
    if not isinstance(value, bool):
        raise ValueError(text)  # noqa: TRY004 - the text is wrong, not its type
    return value


def _read_yaml(text: str) -> Any:
    if not text:
        return text
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(f'{text!r} is not YAML; a string needs type="str"') from error
