# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Readers of the fields of JSON objects, with errors that name path, value and rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from world_model_core.errors import WorldModelError
from world_model_core.files.json_reader import JsonError, strict_json
from world_model_core.frames import ROUNDING, is_covariance

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from world_model_core.gaussian import Array

    _Read = TypeVar('_Read')

# Largest coordinate [m], which covers UTM and ECEF on Earth.
FARTHEST: Final = 1e7
# Maximum length of names [characters]; the longest of VLA-3D has 40.
TEXT_LENGTH: Final = 256
# Largest ROS time [ns].
LATEST: Final = 2**63 - 1
# Maximum length of a value in an error [characters].
SHOWN: Final = 60


class ObjectMapError(WorldModelError):
    """A map, a list of objects or a scene is invalid."""


def parse_json(json_text: str, name: str) -> Any:
    """
    Parse strict JSON.

    Parameters
    ----------
    json_text : str
    name : str
        Name of the document in the error message.

    Raises
    ------
    ObjectMapError
        The text is not strict JSON, see `strict_json`; the message has place, value and rule.

    """
    try:
        return strict_json(json_text, name)
    except JsonError as error:
        raise ObjectMapError(str(error)) from error


def shown(value: Any) -> str:
    """Format a value for an error, shortened."""
    if isinstance(value, (dict, list)):
        return f'a JSON {"object" if isinstance(value, dict) else "array"} of {len(value)}'
    if isinstance(value, str) and len(value) > SHOWN:
        return f'{value[:SHOWN]!r}... of {len(value)} characters'
    word = {True: 'true', False: 'false', None: 'null'}[value] if _is_word(value) else repr(value)
    return word if len(word) <= SHOWN else f'{word[:SHOWN]}...'


def _is_word(value: Any) -> bool:
    return value is None or isinstance(value, bool)


class Members:
    """
    Members of a JSON object, read one by one.

    Parameters
    ----------
    value : object
        The value, which should be a JSON object.
    path : str
        Its path; empty for the whole document.

    Attributes
    ----------
    rest : dict
        Members not yet read; in the end, the unknown ones.

    """

    def __init__(self, value: Any, path: str) -> None:
        if not isinstance(value, dict):
            name = path or 'the document'
            raise ObjectMapError(f'{name} is {shown(value)}; it must be a JSON object')
        self._path = path
        self.rest: dict[str, Any] = dict(value)

    def need(self, key: str, read: Callable[[Any, str], _Read]) -> _Read:
        """Read a required member."""
        if key not in self.rest:
            raise ObjectMapError(f'{self.path(key)} is missing; it is required')
        return read(self.rest.pop(key), self.path(key))

    def take(self, key: str, read: Callable[[Any, str], _Read]) -> _Read | None:
        """Read an optional member; null means missing."""
        value = self.rest.pop(key, None)
        return None if value is None else read(value, self.path(key))

    def path(self, key: str) -> str:
        """Return the path of a member."""
        return f'{self._path}.{key:.40}' if self._path else f'{key:.40}'


def text(value: Any, path: str) -> str:
    """Read a text that is not empty and not longer than `TEXT_LENGTH`."""
    if not isinstance(value, str):
        raise ObjectMapError(f'{path} is {shown(value)}; it must be a string')
    if not 0 < len(value) <= TEXT_LENGTH:
        raise ObjectMapError(
            f'{path} is {shown(value)}; it must have 1 to {TEXT_LENGTH} characters'
        )
    return value


def texts(value: Any, path: str) -> tuple[str, ...]:
    """Read an array of texts."""
    return tuple(text(item, f'{path}[{index}]') for index, item in enumerate(items(value, path)))


def items(value: Any, path: str, length: int | None = None) -> Sequence[Any]:
    """Read an array, of `length` items if given."""
    if not isinstance(value, list):
        raise ObjectMapError(f'{path} is {shown(value)}; it must be a JSON array')
    if length is not None and len(value) != length:
        raise ObjectMapError(f'{path} has {len(value)} items; it must have {length}')
    return value


def number(value: Any, path: str, low: float = -FARTHEST, high: float = FARTHEST) -> float:
    """Read a number within limits."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ObjectMapError(f'{path} is {shown(value)}; it must be a number')
    if not low <= value <= high:
        raise ObjectMapError(f'{path} is {shown(value)}; it must be from {low:g} to {high:g}')
    return float(value)


def share(value: Any, path: str) -> float:
    """Read a fraction from 0 to 1."""
    return number(value, path, 0.0, 1.0)


def integer(value: Any, path: str) -> int:
    """Read an integer from 0 to `LATEST`; as in JSON Schema, 2.0 is an integer."""
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if isinstance(value, bool) or not whole or not 0 <= value <= LATEST:
        raise ObjectMapError(
            f'{path} is {shown(value)}; it must be a whole number from 0 to {LATEST}'
        )
    return int(value)


def vector(
    value: Any, path: str, low: float = -FARTHEST, high: float = FARTHEST
) -> tuple[float, float, float]:
    """Read three numbers within limits."""
    numbers = enumerate(items(value, path, 3))
    x, y, z = (number(item, f'{path}[{index}]', low, high) for index, item in numbers)
    return x, y, z


def position(value: Any, path: str) -> Array:
    """Read a position as an array of shape (3,) [m]."""
    return np.array(vector(value, path))


def size(value: Any, path: str) -> Array:
    """Read length, width and height as an array of shape (3,) [m]; all must be positive."""
    lengths = vector(value, path)
    for index, length in enumerate(lengths):
        if length <= 0.0:
            raise ObjectMapError(f'{path}[{index}] is {length:g}; it must be positive')
    return np.array(lengths)


def covariance(value: Any, path: str) -> Array:
    """Read a symmetric matrix row by row as an array of shape (3, 3) [m^2]."""
    limit = FARTHEST**2
    rows = enumerate(items(value, path, 3))
    matrix = np.array([vector(row, f'{path}[{index}]', -limit, limit) for index, row in rows])
    skewed = np.abs(matrix - matrix.T) > ROUNDING * np.abs(matrix).max()
    if skewed.any():
        row, column = (int(index) for index in np.argwhere(skewed)[0])
        raise ObjectMapError(
            f'{path}[{row}][{column}] is {matrix[row, column]:g} and [{column}][{row}] is '
            f'{matrix[column, row]:g}; a covariance must be symmetric'
        )
    return matrix


def check_definite(covariances: Array, paths: Sequence[str]) -> None:
    """
    Check that symmetric matrices, shape (n, 3, 3), are positive semi-definite.

    Raises
    ------
    ObjectMapError
        If one has a negative eigenvalue; the message has its path.

    """
    sound = is_covariance(covariances)
    if not sound.all():
        first = int(np.argmin(sound))
        lowest = float(np.linalg.eigvalsh(covariances[first])[0])
        raise ObjectMapError(
            f'{paths[first]} has the eigenvalue {lowest:g}; a covariance must be positive '
            'semi-definite'
        )
