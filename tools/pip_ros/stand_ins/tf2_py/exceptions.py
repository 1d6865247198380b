# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Errors of lookups, with the names of tf2."""


class TransformException(Exception):  # noqa: N818
    """Base class of all errors of lookups."""


class ConnectivityException(TransformException):
    """The two frames are in different trees."""


class LookupException(TransformException):
    """A frame is unknown, or the tree has a loop."""


class ExtrapolationException(TransformException):
    """The time is outside the stored times."""


class InvalidArgumentException(TransformException):
    """A frame id is empty or starts with a slash."""


class TimeoutException(TransformException):
    """Waiting took too long."""
