# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Other processes of this Python."""

from __future__ import annotations

import os
import sys


def environment() -> dict[str, str]:
    """Return environment variables with which a child imports the modules of this process."""
    paths = os.pathsep.join(os.path.realpath(each or '.') for each in sys.path)
    return {**os.environ, 'PYTHONPATH': paths}
