# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
What truly made a step or a reading wrong: the label that a simulator knows and a filter does not.

The lecture sorts accidents of motion by how long they last, and errors of sensors into random,
systematic and gross ones; each cause has both here.
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

# What arrays of labels are made of.
LABEL = np.uint16


class ErrorKind(Enum):
    """Of an error, as textbooks of measurement have them."""

    NONE = 'none'
    """No error: so it must be."""
    RANDOM = 'random'
    """Another one each time; averaging helps."""
    SYSTEMATIC = 'systematic'
    """The same each time; calibration helps."""
    GROSS = 'gross'
    """Not what was measured or commanded at all; only rejecting helps."""


class ErrorDuration(Enum):
    """Of an error, once it has begun."""

    INSTANT = 'instant'
    """One moment, or one reading."""
    SECONDS = 'seconds'
    """Some time, and then it is over."""
    LASTING = 'lasting'
    """As long as the run."""


class ErrorNature(NamedTuple):
    """What kind of error a cause makes, and how long it lasts."""

    kind: ErrorKind
    duration: ErrorDuration


class ErrorCause(IntFlag):
    """What did something to a step or to a reading; one of them may have several."""

    PEBBLE = 1
    """A wheel ran over something: the heading jumped."""
    VELOCITY_BIAS = 2
    """Velocities are not those commanded."""
    STUCK = 4
    """The robot stood still, for a part of the step at least."""
    KIDNAP = 8
    """The robot was put somewhere else."""
    NOISE = 16
    """White noise on the reading."""
    BIAS = 32
    """A constant error of the sensor."""
    DRIFT = 64
    """A slowly changing error of the sensor."""
    CLUTTER = 128
    """What was seen is not there."""
    MISSED_DETECTION = 256
    """What is in view was not seen."""
    OCCLUSION = 512
    """Partly hidden in this one reading, and so measured too far away."""
    LASTING_OCCLUSION = 1024
    """Partly hidden for a while."""
    OUT_OF_VIEW = 2048
    """Not within the sensor's view, so that there is no reading."""

    @property
    def kind(self) -> ErrorKind:
        """The kind of error; a KeyError where several causes are joined."""
        return ERROR_NATURES[self].kind

    @property
    def duration(self) -> ErrorDuration:
        """How long it lasts; a KeyError where several causes are joined."""
        return ERROR_NATURES[self].duration


# "Gross" in the wide sense of the lecture. It calls occlusion random in its simulator, which
# draws it for each reading, and systematic where it lasts, as it does in the world.
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
    Join all causes of a kind, or of a duration, into a mask for arrays of labels.

    ``labels & causes_of(ErrorKind.GROSS)`` tells which readings have a gross error.
    """
    found = ErrorCause(0)
    for cause, its in ERROR_NATURES.items():
        if nature in its:
            found |= cause
    return found


def cause_names(label: int) -> tuple[str, ...]:
    """Name the causes in a label, in lower case; none if nothing happened."""
    return tuple(cause.name.lower() for cause in ERROR_NATURES if cause & label and cause.name)
