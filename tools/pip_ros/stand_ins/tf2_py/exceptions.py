# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Why a transform cannot be had; the names are tf2's."""


class TransformException(Exception):  # noqa: N818
    """Base of all that follow."""


class ConnectivityException(TransformException):
    """The two frames are in different trees."""


class LookupException(TransformException):
    """A frame is not known, or the tree has a loop."""


class ExtrapolationException(TransformException):
    """The time is outside of what the buffer holds."""


class InvalidArgumentException(TransformException):
    """A frame id is empty or starts with a slash."""


class TimeoutException(TransformException):
    """Waiting took too long."""
