# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Parameters as frozen dataclasses: declarations with unit and limits, checks and reading.

A parameter is a `quantity` (a number), a `setting` (a string, switch, choice or list) or a
`group`: a nested dataclass of parameters, which is a mapping in YAML and a prefix with a dot in
the names of ROS parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import cache
from numbers import Integral, Real
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, cast

from world_model_core.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from dataclasses import Field

__all__ = [
    'Leaf',
    'check_parameters',
    'choose',
    'group',
    'groups',
    'leaves',
    'mapping_of',
    'quantity',
    'read_parameters',
    'setting',
    'switched_off',
    'word_of',
    'words',
]

Parameters = TypeVar('Parameters')


def quantity(default: float, unit: str, low: float, high: float, description: str) -> Any:
    """
    Declare a number with its unit, limits (both included) and description.

    Parameters
    ----------
    default : float or int
        If it is an int, values must be int as well.
    unit : str
    low, high : float
    description : str
        One line.

    Returns
    -------
    dataclasses.Field

    """
    metadata = {'unit': unit, 'minimum': low, 'maximum': high, 'description': description}
    return field(default=default, metadata=metadata)


def setting(default: Any, description: str, unit: str = '') -> Any:
    """Declare a parameter without limits: a string, switch, choice (an `Enum`) or list."""
    return field(default=default, metadata={'unit': unit, 'description': description})


def group(default: Any, description: str = '', *, kind: type[Any] | None = None) -> Any:
    """
    Declare a group of parameters.

    Parameters
    ----------
    default : dataclass or None
        The default values; None if the whole group is off by default.
    description : str, optional
        Prefix of the description of each parameter in the group.
    kind : type, optional
        Class of the group; required if the default is None. Null in YAML stands for the result of
        its class method `off` if it has one, and for None if that is the default.

    Returns
    -------
    dataclasses.Field

    """
    metadata = {'kind': kind or type(default), 'description': description}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Leaf:
    """
    A parameter that is not a group.

    Attributes
    ----------
    name : str
        Name with the names of its groups: `missed_detection.probability`.
    default
    description : str
    unit : str
    minimum, maximum : float or None
        Limits, both included; None without limits.

    """

    name: str
    default: Any
    description: str
    unit: str
    minimum: float | None
    maximum: float | None


def leaves(kind: type[Any]) -> Iterator[Leaf]:
    """Yield the parameters of a dataclass and its groups, except groups that are off."""
    for item in _declared(kind):
        if 'kind' not in item.metadata:
            yield _leaf(item)
        elif item.default is not None:
            yield from _group_leaves(item)


def groups(kind: type[Any]) -> dict[str, Field[Any]]:
    """Return the fields of a dataclass that are groups, by name."""
    return {item.name: item for item in _declared(kind) if 'kind' in item.metadata}


def switched_off(item: Field[Any], name: str) -> Any:
    """
    Return the value of a group that is set to null.

    Raises
    ------
    ConfigurationError
        The group cannot be off; the message contains `name`.

    """
    if item.default is None:
        return None
    kind = item.metadata['kind']
    if not hasattr(kind, 'off'):
        raise ConfigurationError(
            f'{name} is null, but cannot be off; it must be {mapping_of(kind)}'
        )
    return kind.off()


def mapping_of(kind: type[Any]) -> str:
    """Describe a mapping of the parameters of a class, for messages."""
    return f'a mapping of {" | ".join(item.name for item in _declared(kind))}'


def _declared(kind: type[Any]) -> Iterator[Field[Any]]:
    """Yield the fields that are parameters."""
    return (item for item in fields(kind) if 'description' in item.metadata)


def _leaf(item: Field[Any]) -> Leaf:
    given = item.metadata
    return Leaf(
        item.name,
        item.default,
        given['description'],
        given['unit'],
        given.get('minimum'),
        given.get('maximum'),
    )


def _group_leaves(item: Field[Any]) -> Iterator[Leaf]:
    """Yield the parameters of a group, prefixed by its name and description."""
    for leaf in leaves(item.metadata['kind']):
        texts = filter(None, (item.metadata['description'], leaf.description))
        yield replace(
            leaf,
            name=f'{item.name}.{leaf.name}',
            default=attrgetter(leaf.name)(item.default),
            description=': '.join(texts),
        )


def check_parameters(parameters: Any) -> None:
    """
    Reject parameters outside their limits, and groups of another class.

    Parameters
    ----------
    parameters : dataclass
        Fields declared by `quantity`, `setting` and `group` are checked.

    Raises
    ------
    ConfigurationError
        A value is outside its limits, not finite or of another type.

    """
    kind = type(parameters)
    for item, number, low, high in _checks(cast('Hashable', kind)):
        value = getattr(parameters, item.name)
        # Fast path: nearly all values are valid, and a fit checks thousands of parameter sets.
        if type(value) is not number or not low <= value <= high:
            _check_item(f'{kind.__name__}.{item.name}', value, item)


@cache
def _checks(kind: Hashable) -> tuple[tuple[Field[Any], type | None, Any, Any], ...]:
    """Return the fields of a class; for numbers, with type and limits."""
    return tuple(
        (item, type(item.default), item.metadata['minimum'], item.metadata['maximum'])
        if item.metadata.get('minimum') is not None and type(item.default) in {float, int}
        else (item, None, None, None)
        for item in fields(cast('Any', kind))
    )


def _check_item(name: str, value: object, item: Field[Any]) -> None:
    """Reject a value outside its limits, and a group of another class."""
    _check_value(name, value, item)
    kind = item.metadata.get('kind')
    if kind and not (isinstance(value, kind) or value is item.default):
        raise ConfigurationError(f'{name} is {value!r}; it must be of {kind.__name__}')


def _check_value(name: str, value: object, item: Field[Any]) -> None:
    """Reject a number outside its limits, and a string or switch of another type."""
    if item.metadata.get('minimum') is not None:
        _check_limits(name, value, item)
    elif type(item.default) in {bool, str} and not isinstance(value, type(item.default)):
        wanted = 'true or false' if isinstance(item.default, bool) else 'a string'
        raise ConfigurationError(f'{name} is {value!r}; it must be {wanted}')


def _check_limits(name: str, value: object, item: Field[Any]) -> None:
    """Reject a value outside its limits; NaN is always outside."""
    low, high, unit = (item.metadata[key] for key in ('minimum', 'maximum', 'unit'))
    whole = isinstance(item.default, int)
    sound = isinstance(value, Integral if whole else Real) and not isinstance(value, bool)
    # This rejects infinity and NaN; isfinite would fail for integers too large for a float.
    if not (sound and low <= value <= high):
        wanted = f'from {low} to {high} {unit}'.rstrip() + ' and whole' * whole
        raise ConfigurationError(f'{name} is {_shown(value)}; it must be {wanted}{_hint(value)}')


def _shown(value: object) -> str:
    """Format a value; a number with too many digits is described."""
    try:
        return repr(value)
    except ValueError:  # Python does not format integers with more than 4300 digits
        return 'a number with thousands of digits'


def _hint(value: object) -> str:
    """Return a hint for numbers in a notation that YAML reads as a string."""
    if not isinstance(value, str):
        return ''
    try:
        float(value)
    except ValueError:
        return ''
    return ' (a string; in YAML write 10 or 1.0e+1, not 1e1)'


def read_parameters(kind: type[Parameters], document: Mapping[str, Any]) -> Parameters:
    """
    Make parameters from a YAML document: values by name, groups as mappings.

    Parameters
    ----------
    kind : type
        A dataclass of parameters.
    document : mapping
        Absent values have their defaults, also in an empty group; a group set to null is off.

    Raises
    ------
    ConfigurationError
        A name is unknown, or a value has the wrong type or is outside its limits. The message
        contains the full name.

    """
    parameters: Parameters = _read(kind, document, None, '')
    return parameters


def _read(kind: type[Any], document: object, base: Any, path: str) -> Any:
    known = {item.name: item for item in _declared(kind)}
    choices = f'it can be {" | ".join(known)}'
    if not isinstance(document, Mapping):
        raise ConfigurationError(
            f'{path or kind.__name__} is {document!r}; it must be {mapping_of(kind)}'
        )
    given = {}
    for name, value in document.items():
        full = f'{path}.{name}' if path else f'{name}'
        if name not in known:
            raise ConfigurationError(f'{full} is unknown; {choices}')
        given[name] = _read_value(known[name], value, base, full)
    try:
        return kind(**given) if base is None else replace(base, **given)
    except ConfigurationError as error:
        raise ConfigurationError(f'{path}: {error}' if path else str(error)) from error


def _read_value(item: Field[Any], value: Any, base: Any, path: str) -> Any:
    """Read a group or a single value."""
    default = item.default if base is None else getattr(base, item.name)
    if 'kind' in item.metadata:
        if value is None:
            return switched_off(item, path)
        return _read(item.metadata['kind'], value, default, path)
    if isinstance(item.default, Enum):
        return choose(type(item.default), value, path)
    _check_value(path, value, item)
    return value


def choose(choices: type[Enum], word: object, name: str) -> Enum:
    """
    Return the member of an enumeration with the given word.

    Raises
    ------
    ConfigurationError
        No member has this word.

    """
    known = words(choices)
    if not (isinstance(word, str) and word in known):
        raise ConfigurationError(f'{name} is {word!r}; it can be {" | ".join(known)}')
    return known[word]


def words(choices: type[Enum]) -> dict[str, Enum]:
    """Return the members of an enumeration by their words."""
    return {word_of(member): member for member in choices}


def word_of(member: Enum) -> str:
    """Return the word of a member: its value if that is a string, else its name in lower case."""
    return member.value if isinstance(member.value, str) else member.name.lower()
