# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
What a camera, robot or referee could have meant: the range of each number on the wire.

Every comparison with NaN is false, so a range check is a check for finite numbers as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter, le
from typing import Any

from world_model_core.errors import ImplausibleValueError

# Four times the longest field, division A's of 12 m; cameras see a few metres of floor beyond it.
POSITION = 50.0
# A ball at the rules' 6.5 m/s rises to v^2 / 2g = 2.2 m; errors of calibration go below ground.
LOWEST, HIGHEST = -1.0, 20.0
# The rules allow kicks of 6.5 m/s; trackers overshoot, and the TIGERs' caps itself at 15 m/s.
SPEED = 100.0
# A robot turns at up to some 30 rad/s; a derivative over one noisy frame may be far above.
TURN_RATE = 1000.0
# Headings are meant to lie within pi, but some senders count whole turns.
ANGLE = 1000.0
# The TIGERs' tracker gives visibilities of up to 1.0676: clamped to 1, unless absurd.
CONFIDENCE = 10.0
# A few times the largest sensors, as undistorted pixels may lie outside the image.
PIXEL = 1e5
# The rules' standard patterns are numbered 0 to 15.
ROBOT_NUMBER = 15
# Eight cameras are the most ever used, numbered from 0 or by their host.
CAMERA_ID = 63
# Until 2096: sums and differences of two such times still fit into int64 nanoseconds.
SECONDS = 4_000_000_000
MICROSECONDS = SECONDS * 1_000_000


@dataclass(frozen=True, slots=True)
class Range:
    """The bounds, both included, of the `field` of a message, dots for nested ones."""

    field: str
    low: float
    high: float
    unit: str = ''

    def refuse(self, path: str, value: object) -> ImplausibleValueError:
        """Word the error for a `value` outside."""
        unit = self.unit and f' {self.unit}'
        return ImplausibleValueError(
            f'{path}{self.field} is {value}{unit}, not within {self.low:g} to {self.high:g}{unit}'
        )


class MessageLimits:
    """
    The ranges of the fields of one message.

    An optional field that is absent reads as its default, 0, which each range includes.

    Parameters
    ----------
    *ranges : Range
        In the units of the wire.

    """

    def __init__(self, *ranges: Range) -> None:
        self._ranges = ranges
        self._lows = tuple(each.low for each in ranges)
        self._highs = tuple(each.high for each in ranges)
        self._read = attrgetter(*(each.field for each in ranges))

    def check(self, message: Any, path: str, index: int | None = None) -> tuple[Any, ...]:
        """
        Check every field, and return what it read: reading costs as much as the check.

        Parameters
        ----------
        message : Message
            What has the fields.
        path : str
            Where the message is, `detection.balls` say.
        index : int, optional
            Which of those, if they are many.

        Returns
        -------
        tuple
            The fields' values, in the order of their ranges.

        Raises
        ------
        ImplausibleValueError
            A field is not finite or out of its range; names the field, value and range.

        """
        values: tuple[Any, ...] = self._read(message)
        if not (all(map(le, self._lows, values)) and all(map(le, values, self._highs))):
            self._refuse(values, path if index is None else f'{path}[{index}]')
        return values

    def _refuse(self, values: tuple[float, ...], path: str) -> None:
        """Find the culprit again, with its name."""
        for each, value in zip(self._ranges, values, strict=True):
            if not each.low <= value <= each.high:
                raise each.refuse(f'{path}.', value)


def clamp(confidence: float) -> float:
    """Bound a checked confidence or visibility to 1."""
    return min(confidence, 1.0)
