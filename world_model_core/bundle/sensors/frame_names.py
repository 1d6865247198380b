# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Names of coordinate frames, as tf2 takes them."""

from __future__ import annotations

from world_model_core.files.value_schemas import Text

# tf2 refuses names that begin with '/'; those with spaces are typing errors.
FRAME_NAME = r'[^/\s]\S*'


def frame_name(area: str) -> Text:
    """Make the shape of a frame's name; `area` begins the code of its rule."""
    return Text(FRAME_NAME, f'{area}.FrameName')
