# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Stand-in for geometry2's tf2_py: the tree of coordinate frames, in Python."""

from tf2_py.buffer_core import BufferCore
from tf2_py.exceptions import (
    ConnectivityException,
    ExtrapolationException,
    InvalidArgumentException,
    LookupException,
    TimeoutException,
    TransformException,
)

__all__ = [
    'BufferCore',
    'ConnectivityException',
    'ExtrapolationException',
    'InvalidArgumentException',
    'LookupException',
    'TimeoutException',
    'TransformException',
]
