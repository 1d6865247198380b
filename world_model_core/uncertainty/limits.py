# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What the models accept: parameters and their limits, arrays and their shapes."""

from __future__ import annotations

import math
from dataclasses import field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.errors import ConfigurationError, WorldModelError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from world_model_core.gaussian import Array

# A day. No law here is meant for longer steps, and the events of one step are drawn one by one.
LONGEST_STEP = 86_400.0
# One after the other, each for all robots: more would take seconds.
MOST_EVENTS = 10_000


class InputError(WorldModelError):
    """What a model was given in a step cannot be used: the caller's fault."""


def quantity(default: float, unit: str, low: float, high: float, description: str) -> Any:
    """
    Declare a parameter: a number with its unit, its limits (both included) and what it is.

    Parameters
    ----------
    default : float
    unit : str
    low, high : float
    description : str
        One line.

    """
    metadata = {'unit': unit, 'minimum': low, 'maximum': high, 'description': description}
    return field(default=default, metadata=metadata)


def check_parameters(parameters: Any) -> None:
    """
    Refuse parameters outside their limits.

    Parameters
    ----------
    parameters : dataclass
        Its fields that were declared by `quantity` are looked at.

    Raises
    ------
    ConfigurationError
        A value is outside its limits, not finite or no number.

    """
    for item in fields(parameters):
        if 'minimum' in item.metadata:
            name = f'{type(parameters).__name__}.{item.name}'
            _check_limits(name, getattr(parameters, item.name), item.metadata)


def _check_limits(name: str, value: object, limits: Any) -> None:
    """Refuse a value outside its limits; NaN is outside any."""
    low, high, unit = limits['minimum'], limits['maximum'], limits['unit']
    sound = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not (sound and math.isfinite(value) and low <= value <= high):  # type: ignore[arg-type]
        raise ConfigurationError(
            f'{name} is {value!r}; it must be from {low} to {high} {unit}'.rstrip()
        )


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
        They have another shape, or one is not finite.

    """
    rows = np.asarray(values, dtype=np.float64)
    wanted = 'n' if count is None else str(count)
    if rows.ndim != 2 or rows.shape[1] != columns or count not in {None, len(rows)}:
        raise InputError(f'{name} have shape {rows.shape}; it must be ({wanted}, {columns})')
    if not np.isfinite(rows).all():
        first = int(np.argmin(np.isfinite(rows).all(axis=1)))
        raise InputError(f'{name}[{first}] are {rows[first].tolist()}; they must be finite')
    return rows
