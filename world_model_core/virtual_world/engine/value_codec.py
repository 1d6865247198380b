# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Frozen dataclasses as JSON documents and blobs, without pickle.

A value is decoded by the annotations of its class: a document chooses between the classes of a
union and nothing else, and every length is checked before it is used. Arrays and bytes are blobs;
equal ones are stored once.
"""

from __future__ import annotations

import math
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import GenericAlias, NoneType
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.virtual_world.engine.errors import SnapshotError
from world_model_core.virtual_world.values import Pose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ['Blobs', 'decode', 'encode']

# Blobs and their numbers.
Blobs: typing.TypeAlias = dict[bytes, int]


class _ArrayAnnotations:
    """NDArray as before NumPy 2.5: its annotations have the class of arrays as their origin."""

    def __getitem__(self, kind: Any) -> GenericAlias:
        """Return the annotation of an array of numbers of a kind."""
        return GenericAlias(np.ndarray, (Any, GenericAlias(np.dtype, (kind,))))


_ARRAY_OF = _ArrayAnnotations()
# Names that annotations use and their modules import for type checking only.
ANNOTATIONS = {
    'Mapping': Mapping,
    'NDArray': _ARRAY_OF,
    'Array': _ARRAY_OF[np.float64],
    'Pose': Pose,
}
# JSON has no infinity.
INFINITE = {'inf': math.inf, '-inf': -math.inf}
MOST_DIMENSIONS = 3


def encode(value: Any, blobs: Blobs) -> Any:
    """
    Convert a value to a JSON document, and add its arrays and bytes to `blobs`.

    Raises
    ------
    SnapshotError
        The value is none that `decode` can read, such as NaN.

    """
    if isinstance(value, bytes):
        return blobs.setdefault(value, len(blobs))
    if isinstance(value, np.ndarray):
        return _encode_array(value, blobs)
    if isinstance(value, Mapping):
        return {key: encode(item, blobs) for key, item in value.items()}
    if isinstance(value, tuple):
        return [encode(item, blobs) for item in value]
    if is_dataclass(value):
        members = {each.name: encode(getattr(value, each.name), blobs) for each in fields(value)}
        return {type(value).__name__: members}
    return _encode_scalar(value)


def _encode_array(array: NDArray[Any], blobs: Blobs) -> list[int]:
    """Return the shape of an array and the number of its blob."""
    stored = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder('<'))
    return [*stored.shape, blobs.setdefault(stored.tobytes(), len(blobs))]


def _encode_scalar(value: Any) -> Any:
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, Enum):
        return value.value
    if not isinstance(value, float) or math.isnan(value):
        raise SnapshotError(f'{value!r} cannot be stored in a snapshot')
    return value if math.isfinite(value) else {'float': str(value)}


def decode(kind: Any, document: Any, blobs: Sequence[bytes], place: str = '') -> Any:
    """
    Convert a JSON document to a value.

    Parameters
    ----------
    kind : type
        The annotation of the value.
    document : JSON value
    blobs : sequence of bytes
    place : str
        Where the document is, for error messages.

    Raises
    ------
    SnapshotError
        The document is not a value of this type; the message names the place.

    """
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is None:
        return _decode_plain(kind, document, blobs, place)
    if origin is tuple:
        return _decode_tuple(arguments, document, blobs, place)
    if origin is np.ndarray:
        return _decode_array(typing.get_args(arguments[1])[0], document, blobs, place)
    if origin is Mapping:
        members = _expect(dict, document, place).items()
        return {key: decode(arguments[1], item, blobs, f'{place}/{key}') for key, item in members}
    return _decode_union(arguments, document, blobs, place)


def _decode_plain(kind: Any, document: Any, blobs: Sequence[bytes], place: str) -> Any:
    """Decode a dataclass, an enumeration, a number, a text or bytes."""
    if is_dataclass(kind):
        return _decode_dataclass((kind,), document, blobs, place)
    if issubclass(kind, Enum):
        return _decode_choice(kind, document, place)
    if kind is bytes:
        return _blob(document, blobs, place)
    return _decode_float(document, place) if kind is float else _expect(kind, document, place)


def _decode_union(
    arguments: tuple[Any, ...], document: Any, blobs: Sequence[bytes], place: str
) -> Any:
    """Decode a value of one of several types, which its document distinguishes."""
    if document is None and NoneType in arguments:
        return None
    kinds = tuple(kind for kind in arguments if kind is not NoneType)
    if len(kinds) == 1:
        return decode(kinds[0], document, blobs, place)
    if all(is_dataclass(kind) for kind in kinds):
        return _decode_dataclass(kinds, document, blobs, place)
    exact = type(document)
    return decode(exact if exact in kinds else float, document, blobs, place)


def _decode_tuple(
    arguments: tuple[Any, ...], document: Any, blobs: Sequence[bytes], place: str
) -> tuple[Any, ...]:
    items = _expect(list, document, place)
    kinds = [arguments[0]] * len(items) if arguments[-1] is Ellipsis else list(arguments)
    if len(items) != len(kinds):
        raise _error(place, f'{len(items)} items', f'{len(kinds)}')
    return tuple(
        decode(kind, item, blobs, f'{place}/{index}')
        for index, (kind, item) in enumerate(zip(kinds, items, strict=True))
    )


def _decode_array(kind: Any, document: Any, blobs: Sequence[bytes], place: str) -> NDArray[Any]:
    """Decode an array from its shape and the number of its blob."""
    numbers = [_expect(int, item, place) for item in _expect(list, document, place)]
    dtype = np.dtype(kind).newbyteorder('<')
    if not 2 <= len(numbers) <= MOST_DIMENSIONS + 1 or min(numbers) < 0:
        raise _error(place, f'the shape {numbers[:-1]}', f'1 to {MOST_DIMENSIONS} dimensions')
    shape, blob = numbers[:-1], _blob(numbers[-1], blobs, place)
    if math.prod(shape) * dtype.itemsize != len(blob):
        raise _error(place, f'{len(blob)} bytes', f'an array of shape {shape}')
    # A copy, as arrays of bytes are read-only.
    return np.frombuffer(blob, dtype).reshape(shape).astype(kind)


def _decode_dataclass(
    kinds: Sequence[Any], document: Any, blobs: Sequence[bytes], place: str
) -> Any:
    """Decode one of several dataclasses, which its document names."""
    named = {kind.__name__: kind for kind in kinds}
    members = _expect(dict, document, place)
    if len(members) != 1 or not named.keys() >= members.keys():
        raise _error(place, f'{", ".join(members)[:80]!r}', f'one of {", ".join(named)}')
    ((name, content),) = members.items()
    annotations = _annotations(named[name])
    if _expect(dict, content, place).keys() != annotations.keys():
        raise _error(place, f'{", ".join(content)[:80]!r}', f'the fields of {name}')
    values = {
        field: decode(annotations[field], content[field], blobs, f'{place}/{field}')
        for field in annotations
    }
    return named[name](**values)


@cache
def _annotations(kind: type) -> Mapping[str, Any]:
    """Return the annotations of the fields of a dataclass."""
    resolved = typing.get_type_hints(kind, localns=dict(ANNOTATIONS))
    return {each.name: resolved[each.name] for each in fields(kind)}


def _decode_choice(kind: type[Enum], document: Any, place: str) -> Enum:
    values = {each.value: each for each in kind}
    if not isinstance(document, str | int) or document not in values:
        raise _error(place, repr(document)[:80], f'one of {", ".join(map(str, values))}')
    return values[document]


def _decode_float(document: Any, place: str) -> float:
    for name, infinite in INFINITE.items():
        if document == {'float': name}:
            return infinite
    if isinstance(document, bool) or not isinstance(document, int | float):
        raise _error(place, repr(document)[:80], 'a number')
    return float(document)


def _blob(number: Any, blobs: Sequence[bytes], place: str) -> bytes:
    if not 0 <= _expect(int, number, place) < len(blobs):
        raise _error(place, f'blob {number}', f'a number below {len(blobs)}')
    found: bytes = blobs[number]
    return found


def _expect(kind: Any, document: Any, place: str) -> Any:
    """Return a document if it has the very type; True is no number."""
    if type(document) is not kind:
        raise _error(place, repr(document)[:80], f'of type {kind.__name__}')
    return document


def _error(place: str, found: str, expected: str) -> SnapshotError:
    return SnapshotError(f'snapshot{place} is {found}; it must be {expected}')
