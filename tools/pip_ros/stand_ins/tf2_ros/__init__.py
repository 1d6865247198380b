# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Stand-in for geometry2's tf2_ros: the part that world_model and its tests use."""

from tf2_py import (
    BufferCore,
    ConnectivityException,
    ExtrapolationException,
    InvalidArgumentException,
    LookupException,
    TimeoutException,
    TransformException,
)

from tf2_ros.buffer import Buffer
from tf2_ros.static_transform_broadcaster import StaticTransformBroadcaster
from tf2_ros.transform_broadcaster import TransformBroadcaster
from tf2_ros.transform_listener import TransformListener

__all__ = [
    'Buffer',
    'BufferCore',
    'ConnectivityException',
    'ExtrapolationException',
    'InvalidArgumentException',
    'LookupException',
    'StaticTransformBroadcaster',
    'TimeoutException',
    'TransformBroadcaster',
    'TransformException',
    'TransformListener',
]
