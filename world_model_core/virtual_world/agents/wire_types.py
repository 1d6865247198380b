# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Values of classes from decoded MessagePack, by the types of their fields.

A value of a class is an array of the name of the class and its fields. A reader checks a decoded
value and returns it, or raises `TypeMismatchError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from world_model_core.virtual_world.agents.events import AgentError

__all__ = [
    'Reader',
    'TypeMismatchError',
    'anything',
    'data',
    'flag',
    'many',
    'number',
    'numbers',
    'one_of',
    'optional',
    'table',
    'text',
    'whole',
]

Reader: TypeAlias = Callable[[Any], Any]


class TypeMismatchError(AgentError):
    """A field of a value has another type than its class says."""


def text(value: Any) -> Any:
    """Read a text."""
    return _exactly(str, value)


def data(value: Any) -> Any:
    """Read bytes."""
    return _exactly(bytes, value)


def flag(value: Any) -> Any:
    """Read true or false."""
    return _exactly(bool, value)


def whole(value: Any) -> Any:
    """Read a whole number."""
    return _exactly(int, value)


def number(value: Any) -> float:
    """Read a number, which may be infinite or NaN."""
    return float(value) if type(value) is int else float(_exactly(float, value))


def anything(value: Any) -> Any:
    """Read any value."""
    return value


def numbers(count: int) -> Reader:
    """Read a tuple of some numbers."""

    def read(value: Any) -> tuple[float, ...]:
        items = _exactly(tuple, value)
        if len(items) != count:
            raise TypeMismatchError(f'value has {len(items)} numbers; it must have {count}')
        return tuple(map(number, items))

    return read


def many(reader: Reader) -> Reader:
    """Read a tuple of values that a reader reads."""
    return lambda value: tuple(map(reader, _exactly(tuple, value)))


def table(reader: Reader) -> Reader:
    """Read a mapping of texts to values that a reader reads."""
    return lambda value: {text(key): reader(each) for key, each in _exactly(dict, value).items()}


def optional(reader: Reader) -> Reader:
    """Read None, or a value that a reader reads."""
    return lambda value: None if value is None else reader(value)


def one_of(schemas: Mapping[type, tuple[Reader, ...]]) -> Reader:
    """
    Read a value of one of several classes.

    Parameters
    ----------
    schemas : mapping of type to tuple of Reader
        The readers of the fields of each class.

    """
    named = {kind.__name__: (kind, readers) for kind, readers in schemas.items()}

    def read(value: Any) -> Any:
        name, *fields = _exactly(tuple, value) or ('',)
        found = named.get(name) if type(name) is str else None
        if found is None:
            raise TypeMismatchError(f'value is {_short(name)}; it must be {_either(named)}')
        kind, readers = found
        if len(fields) != len(readers):
            raise TypeMismatchError(
                f'{name} has {len(fields)} fields; it must have {len(readers)}'
            )
        return kind(*(reader(each) for reader, each in zip(readers, fields, strict=True)))

    return read


def _exactly(kind: type, value: Any) -> Any:
    """Return a value if it has the very type; True is no number."""
    if type(value) is not kind:
        raise TypeMismatchError(f'value is {_short(value)}; it must be a {kind.__name__}')
    return value


def _either(named: Mapping[str, object]) -> str:
    return f'one of {", ".join(named)}' if len(named) > 1 else next(iter(named))


def _short(value: Any) -> str:
    """Return a value for a message, without writing out what is large."""
    if isinstance(value, (tuple, dict, bytes, str)) and len(value) > 20:
        return f'a {type(value).__name__} of {len(value)}'
    return repr(value)[:80]
