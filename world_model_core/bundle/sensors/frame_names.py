# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Names of coordinate frames that tf2 accepts."""

from __future__ import annotations

from world_model_core.files.value_schemas import Text

# tf2 rejects names that begin with '/'; names with spaces are typing errors.
FRAME_NAME = r'[^/\s]\S*'


def frame_name(area: str) -> Text:
    """Return the schema of a frame name; the code of its rule begins with `area`."""
    return Text(FRAME_NAME, f'{area}.FrameName')
