# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Parameters as frozen dataclasses: declared with unit, limits and meaning, checked, and read.

A parameter is a `quantity` (a number), a `setting` (a word, a switch) or a `group`: a dataclass of
parameters of its own, so that a mapping in YAML, or a ROS parameter with a dot in its name, is a
field of a field.
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
    Declare a parameter: a number with its unit, its limits (both included) and what it is.

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
    """Declare a parameter without limits: a word, a switch, a choice (an `Enum`), a list."""
    return field(default=default, metadata={'unit': unit, 'description': description})


def group(default: Any, description: str = '', *, kind: type[Any] | None = None) -> Any:
    """
    Declare parameters that belong together.

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
    A parameter that is no group.

    Attributes
    ----------
    name : str
        With those of the groups that it is in: `missed_detection.probability`.
    default
    description : str
    unit : str
    minimum, maximum : float or None
        Limits, both included; None without any.

    """

    name: str
    default: Any
    description: str
    unit: str
    minimum: float | None
    maximum: float | None


def leaves(kind: type[Any]) -> Iterator[Leaf]:
    """List the parameters of a dataclass, also those in groups, but for groups that are off."""
    for item in _declared(kind):
        if 'kind' not in item.metadata:
            yield _leaf(item)
        elif item.default is not None:
            yield from _group_leaves(item)


def groups(kind: type[Any]) -> dict[str, Field[Any]]:
    """List the fields of a dataclass that are groups."""
    return {item.name: item for item in _declared(kind) if 'kind' in item.metadata}


def switched_off(item: Field[Any], name: str) -> Any:
    """
    Give what null stands for, for a field that is a group.

    Raises
    ------
    ConfigurationError
        It is always there; `name` is what the error calls it.

    """
    if item.default is None:
        return None
    kind = item.metadata['kind']
    if not hasattr(kind, 'off'):
        raise ConfigurationError(
            f'{name} is null, but is never off; it must be {mapping_of(kind)}'
        )
    return kind.off()


def mapping_of(kind: type[Any]) -> str:
    """Tell what a mapping must have to be parameters of a class."""
    return f'a mapping of {" | ".join(item.name for item in _declared(kind))}'


def _declared(kind: type[Any]) -> Iterator[Field[Any]]:
    """List the fields that are parameters."""
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
    """List those of a group, with its name and description before theirs."""
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
    Refuse parameters outside their limits, and groups of another class.

    Parameters
    ----------
    parameters : dataclass
        Its fields that were declared by `quantity`, `setting` and `group` are looked at.

    Raises
    ------
    ConfigurationError
        A value is outside its limits, not finite, or none of its kind.

    """
    kind = type(parameters)
    for item, number, low, high in _checks(cast('Hashable', kind)):
        value = getattr(parameters, item.name)
        # Nearly all values are good numbers, and a fit checks thousands of parameter sets.
        if type(value) is not number or not low <= value <= high:
            _check_item(f'{kind.__name__}.{item.name}', value, item)


@cache
def _checks(kind: Hashable) -> tuple[tuple[Field[Any], type | None, Any, Any], ...]:
    """List the fields of a class, each with its type and limits, if it is a number."""
    return tuple(
        (item, type(item.default), item.metadata['minimum'], item.metadata['maximum'])
        if item.metadata.get('minimum') is not None and type(item.default) in {float, int}
        else (item, None, None, None)
        for item in fields(cast('Any', kind))
    )


def _check_item(name: str, value: object, item: Field[Any]) -> None:
    """Refuse a value outside its limits, and a group of another class."""
    _check_value(name, value, item)
    kind = item.metadata.get('kind')
    if kind and not (isinstance(value, kind) or value is item.default):
        raise ConfigurationError(f'{name} is {value!r}; it must be of {kind.__name__}')


def _check_value(name: str, value: object, item: Field[Any]) -> None:
    """Refuse a number outside its limits, and what is no word or no switch where one is due."""
    if item.metadata.get('minimum') is not None:
        _check_limits(name, value, item)
    elif type(item.default) in {bool, str} and not isinstance(value, type(item.default)):
        wanted = 'true or false' if isinstance(item.default, bool) else 'a text'
        raise ConfigurationError(f'{name} is {value!r}; it must be {wanted}')


def _check_limits(name: str, value: object, item: Field[Any]) -> None:
    """Refuse a value outside its limits; NaN is outside any."""
    low, high, unit = (item.metadata[key] for key in ('minimum', 'maximum', 'unit'))
    whole = isinstance(item.default, int)
    sound = isinstance(value, Integral if whole else Real) and not isinstance(value, bool)
    # Neither infinity nor NaN is within; isfinite would refuse integers too large for a float.
    if not (sound and low <= value <= high):
        wanted = f'from {low} to {high} {unit}'.rstrip() + ' and whole' * whole
        raise ConfigurationError(f'{name} is {_shown(value)}; it must be {wanted}{_hint(value)}')


def _shown(value: object) -> str:
    """Show a value, of a number with too many digits how many there are."""
    try:
        return repr(value)
    except ValueError:  # of integers that Python refuses to write
        return 'a number of thousands of digits'


def _hint(value: object) -> str:
    """Tell who wrote a number that YAML takes for a text how to write it."""
    if not isinstance(value, str):
        return ''
    try:
        float(value)
    except ValueError:
        return ''
    return ' (a text; as a number YAML has 10 and 1.0e+1, not 1e1)'


def read_parameters(kind: type[Parameters], document: Mapping[str, Any]) -> Parameters:
    """
    Make parameters of what YAML holds: each by its name, groups as mappings.

    Parameters
    ----------
    kind : type
        A dataclass of parameters.
    document : mapping
        What is absent has its default, also in a group that is empty; one that is null is off.

    Raises
    ------
    ConfigurationError
        A name is unknown, or a value is not of its kind or outside its limits: named in full.

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
    """Read a group, a word or a number."""
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
    Find the member of an enumeration that a word means.

    Raises
    ------
    ConfigurationError
        It means none.

    """
    known = words(choices)
    if not (isinstance(word, str) and word in known):
        raise ConfigurationError(f'{name} is {word!r}; it can be {" | ".join(known)}')
    return known[word]


def words(choices: type[Enum]) -> dict[str, Enum]:
    """List the words that mean the members of an enumeration: their values, else their names."""
    return {word_of(member): member for member in choices}


def word_of(member: Enum) -> str:
    """Tell the word that means a member of an enumeration."""
    return member.value if isinstance(member.value, str) else member.name.lower()
