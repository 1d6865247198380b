# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Limits of the numbers in packets: plausible values of cameras, robots and referees.

Every comparison with NaN is false, so a range check is a check for finite numbers as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter, le
from typing import Any

from world_model_core.errors import ImplausibleValueError

# Four times the longest field, division A's of 12 m; cameras see a few meters of floor beyond it.
POSITION = 50.0
# A ball at the rules' 6.5 m/s rises to v^2 / 2g = 2.2 m; errors of calibration go below ground.
LOWEST, HIGHEST = -1.0, 20.0
# The rules allow kicks of 6.5 m/s; trackers overshoot, and TIGERs' tracker is limited to 15 m/s.
SPEED = 100.0
# Robots turn at up to about 30 rad/s; a derivative over one noisy frame may be much larger.
TURN_RATE = 1000.0
# Headings should be within pi, but some senders count whole turns.
ANGLE = 1000.0
# TIGERs' tracker sends visibilities up to 1.0676; values up to this limit are clamped to 1.
CONFIDENCE = 10.0
# A few times the largest sensors, as undistorted pixels may be outside the image.
PIXEL = 1e5
# The rules' standard patterns are numbered 0 to 15.
ROBOT_NUMBER = 15
# At most eight cameras have been used, numbered from 0 or by their host.
CAMERA_ID = 63
# Until 2096: sums and differences of two such times still fit into int64 nanoseconds.
SECONDS = 4_000_000_000
MICROSECONDS = SECONDS * 1_000_000


@dataclass(frozen=True, slots=True)
class Range:
    """The inclusive bounds of the `field` of a message; nested fields have dots."""

    field: str
    low: float
    high: float
    unit: str = ''

    def error(self, path: str, value: object) -> ImplausibleValueError:
        """Return the error for a `value` outside the range."""
        unit = self.unit and f' {self.unit}'
        return ImplausibleValueError(
            f'{path}{self.field}: {value}{unit} is not within {self.low:g} to {self.high:g}{unit}'
        )


class MessageLimits:
    """
    The ranges of the fields of one message.

    An optional field that is absent reads as its default, 0, which each range includes.

    Parameters
    ----------
    *ranges : Range
        In the units of the message.

    """

    def __init__(self, *ranges: Range) -> None:
        self._ranges = ranges
        self._lows = tuple(each.low for each in ranges)
        self._highs = tuple(each.high for each in ranges)
        self._read = attrgetter(*(each.field for each in ranges))

    def check(self, message: Any, path: str, index: int | None = None) -> tuple[Any, ...]:
        """
        Check every field and return the values, as reading costs as much as checking.

        Parameters
        ----------
        message : Message
            The message to check.
        path : str
            Path of the message, `detection.balls` for example.
        index : int, optional
            Index of the message, if it is repeated.

        Returns
        -------
        tuple
            The fields' values, in the order of their ranges.

        Raises
        ------
        ImplausibleValueError
            A field is not finite or out of its range; the message names field, value and range.

        """
        values: tuple[Any, ...] = self._read(message)
        if not (all(map(le, self._lows, values)) and all(map(le, values, self._highs))):
            self._raise_error(values, path if index is None else f'{path}[{index}]')
        return values

    def _raise_error(self, values: tuple[float, ...], path: str) -> None:
        """Raise the error of the first field out of range."""
        for each, value in zip(self._ranges, values, strict=True):
            if not each.low <= value <= each.high:
                raise each.error(f'{path}.', value)


def clamp(confidence: float) -> float:
    """Limit a checked confidence or visibility to 1."""
    return min(confidence, 1.0)
