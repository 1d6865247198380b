# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The folder of ROS in the home of the user."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ['own_home']


def own_home() -> Path:
    """
    Return the folder of this package in ROS_HOME, by default `~/.ros/world_model`.

    Raises
    ------
    RuntimeError
        ROS_HOME is not set, and the user has no home.

    """
    home = os.environ.get('ROS_HOME') or '~/.ros'
    return Path(home).expanduser().absolute() / 'world_model'
