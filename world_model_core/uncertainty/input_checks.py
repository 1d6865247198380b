# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Checks of the inputs of models: steps, numbers of events, and shapes of arrays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.errors import WorldModelError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from world_model_core.gaussian import Array

__all__ = [
    'InputError',
    'as_numbers',
    'check_count',
    'check_covariance',
    'check_events',
    'check_rows',
    'check_step',
    'check_values',
]

# Longest step [s], a day: the events of a step are drawn one by one.
LONGEST_STEP = 86_400.0
# Maximum number of expected events in a step: more would take seconds.
MAX_EVENTS = 10_000
# Maximum number of values summed for one result: more would take many seconds.
MAX_VALUES = 1e8
# Limit of poses, commands and landmarks in any unit: squares of their sums do not overflow.
LARGEST = 1e12


class InputError(WorldModelError):
    """An input of a model is invalid."""


def check_step(dt: float) -> float:
    """
    Check the length of a step [s].

    Raises
    ------
    InputError
        It is not finite, not above 0, or longer than `LONGEST_STEP`.

    """
    if not (math.isfinite(dt) and 0.0 < dt <= LONGEST_STEP):
        raise InputError(f'dt is {dt} s; it must be above 0 and at most {LONGEST_STEP} s')
    return dt


def check_events(name: str, expected: float) -> None:
    """
    Check the number of events that are expected in a step.

    Raises
    ------
    InputError
        It is above `MAX_EVENTS`.

    """
    if not expected <= MAX_EVENTS:
        raise InputError(
            f'{expected:.0f} {name} are expected in a step; it must be at most {MAX_EVENTS}: '
            f'use a shorter dt'
        )


def check_values(count: float, what: str) -> None:
    """
    Check the number of values of a quadrature, which determines time and memory.

    Parameters
    ----------
    count : float
        Number of values for one result.
    what : str
        What they are and what to change, for the message.

    Raises
    ------
    InputError
        It is above `MAX_VALUES`.

    """
    if not count <= MAX_VALUES:
        raise InputError(
            f'{count:.3g} values must be summed; it must be at most {MAX_VALUES:g}: {what}'
        )


def as_numbers(name: str, values: ArrayLike) -> Array:
    """
    Convert an array of numbers.

    Raises
    ------
    InputError
        A value is not a number, or rows have different lengths.

    """
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            f'{name} must be numbers, in rows of equal length: {str(error).rstrip(".")}'
        ) from error


def check_count(name: str, count: int) -> int:
    """
    Check a number of things.

    Raises
    ------
    InputError
        It is not an integer, or negative.

    """
    if not isinstance(count, int | np.integer) or count < 0:
        raise InputError(f'{name} is {count}; it must be an integer of at least 0')
    return int(count)


def check_rows(name: str, values: ArrayLike, columns: int, count: int | None = None) -> Array:
    """
    Convert rows of numbers and check them.

    Parameters
    ----------
    name : str
        Name for the message.
    values : array_like, shape (n, columns)
    columns : int
    count : int, optional
        Required n.

    Returns
    -------
    array, shape (n, columns), float64

    Raises
    ------
    InputError
        The shape is wrong, or a value is not finite or larger than `LARGEST`.

    """
    rows = as_numbers(name, values)
    wanted = 'n' if count is None else str(count)
    if rows.ndim != 2 or rows.shape[1] != columns or count not in {None, len(rows)}:
        raise InputError(f'{name} have shape {rows.shape}; it must be ({wanted}, {columns})')
    sound = np.abs(rows) <= LARGEST
    if not sound.all():
        first = int(np.argmin(sound.all(axis=1)))
        raise InputError(
            f'{name}[{first}] are {rows[first].tolist()}; they must be finite and '
            f'at most {LARGEST:g} in absolute value'
        )
    return rows


def check_covariance(values: ArrayLike, size: int) -> Array:
    """
    Check a covariance: symmetric and positive semi-definite.

    Returns
    -------
    array, shape (size, size), float64

    Raises
    ------
    InputError
        It is not, the shape is wrong, or a value is not finite.

    """
    covariance = check_rows('covariance', values, size, size)
    largest = np.abs(covariance).max()
    least = float(np.linalg.eigvalsh(covariance).min())
    if not np.allclose(covariance, covariance.T, rtol=0.0, atol=1e-9 * largest):
        raise InputError(f'covariance is {covariance.tolist()}; it must be symmetric')
    if least < -1e-9 * largest:
        raise InputError(
            f'covariance is {covariance.tolist()}; its smallest eigenvalue is {least:g} and must '
            f'not be negative'
        )
    return covariance
