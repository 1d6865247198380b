# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A file through which ssl_receiver learns the incumbent senders when it starts again."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from world_model_core.errors import WorldModelError
from world_model_core.files.atomic_write import temporary_path
from world_model_core.match.senders.incumbent_records import (
    LARGEST,
    incumbents_text,
    read_incumbents,
)
from world_model_core.match.senders.incumbents import Incumbents
from world_model_nodes.runtime.ros_home import own_home

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ['IncumbentFile']

# Age at which a file is ignored [s]: that of another match, whose hosts may have gone.
LONGEST_PAUSE = 60.0


class IncumbentFile:
    """
    The incumbents of one match in ROS_HOME; without a home nothing is kept.

    Parameters
    ----------
    port : int
        Of vision, after which the file is named.
    warn : callable
        Is given a text if the file cannot be read or written; the latter once.

    """

    def __init__(self, port: int, warn: Callable[[str], None]) -> None:
        self._warn = warn
        self._text = ''
        self._failed = False
        try:
            self._path = own_home() / 'senders' / f'vision_{port}.json'
        except RuntimeError:
            self._failed = True

    def read(self) -> Incumbents:
        """Return the incumbents of a process that ended less than a minute ago."""
        try:
            if self._failed or time.time() - self._path.stat().st_mtime > LONGEST_PAUSE:
                return Incumbents()
            with self._path.open('rb') as file:
                text = file.read(LARGEST + 1).decode()
            return read_incumbents(text, self._path.name)
        except FileNotFoundError:
            return Incumbents()
        except (OSError, ValueError, WorldModelError) as error:
            self._warn(f'the last senders are not known: {error}')
            return Incumbents()

    def write(self, incumbents: Incumbents) -> None:
        """Write the incumbents if they have changed, and the time at which they are in office."""
        if self._failed:
            return
        text = incumbents_text(incumbents)
        try:
            if text == self._text:
                os.utime(self._path)
                return
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # Not synchronized with the disk, which may take 0.1 s: only the process may have died.
            temporary = temporary_path(self._path)
            temporary.write_text(text, encoding='utf-8')
            temporary.replace(self._path)
            self._text = text
        except OSError as error:
            self._failed = True
            self._warn(f'the senders are not known after a restart: {error}')
