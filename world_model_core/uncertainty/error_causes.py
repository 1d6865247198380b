# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Causes of errors in steps and readings: ground truth that a simulator has and a filter has not.

The lecture classifies motion errors by duration, and sensor errors as random, systematic or gross;
here each cause has both.
"""

from __future__ import annotations

from enum import Enum, IntFlag
from typing import NamedTuple

import numpy as np

__all__ = [
    'ERROR_NATURES',
    'LABEL',
    'ErrorCause',
    'ErrorDuration',
    'ErrorKind',
    'ErrorNature',
    'cause_names',
    'causes_of',
]

# Type of arrays of labels.
LABEL = np.uint16


class ErrorKind(Enum):
    """Kind of an error, in the terms of metrology."""

    NONE = 'none'
    """No error."""
    RANDOM = 'random'
    """Independent each time; averaging helps."""
    SYSTEMATIC = 'systematic'
    """The same each time; calibration helps."""
    GROSS = 'gross'
    """Unrelated to the measured or commanded value; only rejection helps."""


class ErrorDuration(Enum):
    """Duration of an error."""

    INSTANT = 'instant'
    """One instant, or one reading."""
    SECONDS = 'seconds'
    """Some seconds."""
    LASTING = 'lasting'
    """The whole run."""


class ErrorNature(NamedTuple):
    """Kind and duration of the error of a cause."""

    kind: ErrorKind
    duration: ErrorDuration


class ErrorCause(IntFlag):
    """Cause of an error; a step or a reading may have several."""

    PEBBLE = 1
    """A wheel ran over a pebble: the heading jumped."""
    VELOCITY_BIAS = 2
    """True velocities differ from the commands."""
    STUCK = 4
    """The robot was stuck for at least a part of the step."""
    KIDNAP = 8
    """The robot was moved to another pose."""
    NOISE = 16
    """White noise on the reading."""
    BIAS = 32
    """A constant error of the sensor."""
    DRIFT = 64
    """A slowly changing error of the sensor."""
    CLUTTER = 128
    """A false detection; the lecture's phantom."""
    MISSED_DETECTION = 256
    """A landmark in view without a reading; the lecture's oversight."""
    OCCLUSION = 512
    """Partly hidden in one reading, so measured too far away."""
    LASTING_OCCLUSION = 1024
    """Partly hidden for a while."""
    OUT_OF_VIEW = 2048
    """Outside the field of view, without a reading."""

    @property
    def kind(self) -> ErrorKind:
        """The kind of error; KeyError for several causes."""
        return ERROR_NATURES[self].kind

    @property
    def duration(self) -> ErrorDuration:
        """The duration of the error; KeyError for several causes."""
        return ERROR_NATURES[self].duration


# "Gross" in the wide sense of the lecture. Occlusion is random if drawn for each reading, as in
# the simulator of the lecture, and systematic if it lasts, as in reality.
ERROR_NATURES = {
    ErrorCause.PEBBLE: ErrorNature(ErrorKind.RANDOM, ErrorDuration.INSTANT),
    ErrorCause.VELOCITY_BIAS: ErrorNature(ErrorKind.SYSTEMATIC, ErrorDuration.LASTING),
    ErrorCause.STUCK: ErrorNature(ErrorKind.GROSS, ErrorDuration.SECONDS),
    ErrorCause.KIDNAP: ErrorNature(ErrorKind.GROSS, ErrorDuration.INSTANT),
    ErrorCause.NOISE: ErrorNature(ErrorKind.RANDOM, ErrorDuration.INSTANT),
    ErrorCause.BIAS: ErrorNature(ErrorKind.SYSTEMATIC, ErrorDuration.LASTING),
    ErrorCause.DRIFT: ErrorNature(ErrorKind.SYSTEMATIC, ErrorDuration.SECONDS),
    ErrorCause.CLUTTER: ErrorNature(ErrorKind.GROSS, ErrorDuration.INSTANT),
    ErrorCause.MISSED_DETECTION: ErrorNature(ErrorKind.GROSS, ErrorDuration.INSTANT),
    ErrorCause.OCCLUSION: ErrorNature(ErrorKind.RANDOM, ErrorDuration.INSTANT),
    ErrorCause.LASTING_OCCLUSION: ErrorNature(ErrorKind.SYSTEMATIC, ErrorDuration.SECONDS),
    ErrorCause.OUT_OF_VIEW: ErrorNature(ErrorKind.NONE, ErrorDuration.SECONDS),
}


def causes_of(nature: ErrorKind | ErrorDuration) -> ErrorCause:
    """
    Return the bit mask of all causes of a kind or of a duration.

    Parameters
    ----------
    nature : ErrorKind or ErrorDuration

    Returns
    -------
    ErrorCause
        ``labels & causes_of(ErrorKind.GROSS)`` is not 0 for readings with a gross error.

    """
    found = ErrorCause(0)
    for cause, its in ERROR_NATURES.items():
        if nature in its:
            found |= cause
    return found


def cause_names(label: int) -> tuple[str, ...]:
    """Return the names of the causes in a label, in lower case."""
    return tuple(cause.name.lower() for cause in ERROR_NATURES if cause & label and cause.name)
