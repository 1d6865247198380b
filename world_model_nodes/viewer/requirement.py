# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The optional package of the window."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version

from world_model_core.errors import ConfigurationError

# The extra `view` of setup.py.
REQUIREMENT = 'viser>=1.1.1,<1.2'


def check_viser() -> None:
    """
    Check that viser is installed in a version that the guard knows.

    Raises
    ------
    ConfigurationError
        It is not; the message names the command that installs it.

    """
    try:
        found = version('viser')
    except PackageNotFoundError:
        found = ''
    if not re.fullmatch(r'1\.1\.(?!0)\d+', found):
        state = f'viser {found} cannot be used' if found else 'viser is not installed'
        raise ConfigurationError(f"{state}; install it with: pip install '{REQUIREMENT}'")
