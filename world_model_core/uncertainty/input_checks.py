# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What the models accept: steps, events, and arrays of which shapes."""

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

# A day. No law here is meant for longer steps, and the events of one step are drawn one by one.
LONGEST_STEP = 86_400.0
# One after the other, each for all robots: more would take seconds.
MOST_EVENTS = 10_000
# Values of a law that are added up for one result: more would take many seconds.
MOST_VALUES = 1e8
# Of poses, commands and landmarks in any unit: squares of sums of these are still numbers.
LARGEST = 1e12


class InputError(WorldModelError):
    """What a model was given in a step cannot be used: the caller's fault."""


def check_step(dt: float) -> float:
    """
    Refuse a step that lasts no time, or too long [s].

    Raises
    ------
    InputError
        It is not finite, not above zero or longer than `LONGEST_STEP`.

    """
    if not (math.isfinite(dt) and 0.0 < dt <= LONGEST_STEP):
        raise InputError(f'dt is {dt} s; it must be above 0 and at most {LONGEST_STEP} s')
    return dt


def check_events(name: str, expected: float) -> None:
    """
    Refuse a step in which so many events are to be expected that it should be cut.

    Raises
    ------
    InputError
        They are more than `MOST_EVENTS`.

    """
    if not expected <= MOST_EVENTS:
        raise InputError(
            f'{expected:.0f} {name} are to be expected in a step; it must be at most '
            f'{MOST_EVENTS}: take a shorter dt'
        )


def check_values(count: float, what: str) -> None:
    """
    Refuse to integrate over so many values that it would take minutes, or fill the memory.

    Parameters
    ----------
    count : float
        For one result.
    what : str
        How many of what they are, and what to change.

    Raises
    ------
    InputError
        They are more than `MOST_VALUES`.

    """
    if not count <= MOST_VALUES:
        raise InputError(
            f'{count:.3g} values are to be added up; it must be at most {MOST_VALUES:g}: {what}'
        )


def as_numbers(name: str, values: ArrayLike) -> Array:
    """
    Convert an array of numbers.

    Raises
    ------
    InputError
        They are none, or its rows are not all of one length.

    """
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            f'{name} must be numbers, in rows of one length: {str(error).rstrip(".")}'
        ) from error


def check_count(name: str, count: int) -> int:
    """
    Refuse what is no number of things.

    Raises
    ------
    InputError
        It is not whole, or negative.

    """
    if not isinstance(count, int | np.integer) or count < 0:
        raise InputError(f'{name} is {count}; it must be a whole number, 0 or more')
    return int(count)


def check_rows(name: str, values: ArrayLike, columns: int, count: int | None = None) -> Array:
    """
    Convert rows of finite numbers, or refuse them.

    Parameters
    ----------
    name : str
        What they are, for the message.
    values : array_like, shape (n, columns)
    columns : int
    count : int, optional
        What n must be.

    Returns
    -------
    array, shape (n, columns), float64

    Raises
    ------
    InputError
        They have another shape, or one is not finite, or larger than `LARGEST`.

    """
    rows = as_numbers(name, values)
    wanted = 'n' if count is None else str(count)
    if rows.ndim != 2 or rows.shape[1] != columns or count not in {None, len(rows)}:
        raise InputError(f'{name} have shape {rows.shape}; it must be ({wanted}, {columns})')
    sound = np.abs(rows) <= LARGEST
    if not sound.all():
        first = int(np.argmin(sound.all(axis=1)))
        raise InputError(
            f'{name}[{first}] are {rows[first].tolist()}; they must be finite, and at most '
            f'{LARGEST:g} in size'
        )
    return rows


def check_covariance(values: ArrayLike, size: int) -> Array:
    """
    Refuse what is no covariance: not symmetric, or with a negative variance in some direction.

    Returns
    -------
    array, shape (size, size), float64

    Raises
    ------
    InputError
        So it is, or it has another shape, or a value is not finite.

    """
    covariance = check_rows('covariance', values, size, size)
    largest = np.abs(covariance).max()
    least = float(np.linalg.eigvalsh(covariance).min())
    if not np.allclose(covariance, covariance.T, rtol=0.0, atol=1e-9 * largest):
        raise InputError(f'covariance is {covariance.tolist()}; it must be symmetric')
    if least < -1e-9 * largest:
        raise InputError(
            f'covariance is {covariance.tolist()}; its least eigenvalue is {least:g} and must not '
            f'be negative'
        )
    return covariance
