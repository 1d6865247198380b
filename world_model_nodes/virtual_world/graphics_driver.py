# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Choice of the graphics driver, by trying each in another process, which it may end."""

from __future__ import annotations

import subprocess
import sys

from world_model_core.virtual_world.rendering.contexts import INSTALL, Driver, RenderingError
from world_model_nodes.runtime.child_python import environment

TRIAL = """
import sys
from world_model_core.virtual_world.rendering.contexts import Driver, RenderingError, try_driver
try:
    try_driver(Driver(sys.argv[1]))
except RenderingError as error:
    sys.exit(f'{sys.argv[1]}: {error.__cause__ or error}')
"""
# A trial takes 1 s; a driver that hangs must not keep the caller for long [s].
TIMEOUT = 30.0


def find_driver() -> Driver:
    """
    Return the first driver that works.

    Raises
    ------
    RenderingError
        None does; the message says what to install.

    """
    reasons = []
    for driver in Driver:
        if not (reason := _try(driver)):
            return driver
        reasons.append(reason)
    raise RenderingError(f'no graphics driver for images; {INSTALL} ({"; ".join(reasons)})')


def _try(driver: Driver) -> str:
    """Return why a driver does not work, or an empty string."""
    try:
        trial = subprocess.run(  # noqa: S603 (our own program)
            [sys.executable, '-c', TRIAL, driver.value],
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f'{driver.value}: no answer within {TIMEOUT:.0f} s'
    if trial.returncode < 0:
        return f'{driver.value} ends its process by signal {-trial.returncode}'
    lines = trial.stderr.decode(errors='replace').strip().splitlines()
    return (lines[-1] if lines else f'{driver.value} does not work') if trial.returncode else ''
