# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Keys that turn the pages of `world_model watch`."""

from __future__ import annotations

import os
import re
import select
import termios
import tty
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

STDIN = 0
# A key sends one byte, or an escape sequence such as ESC [ 6 ~ (Page Down).
KEY = re.compile(rb'\x1b[\[O][0-9;]*[A-Za-z~]|[\x00-\xff]')
# Space, down, right and Page Down; b, up, left and Page Up.
FORWARD = (b' ', b'\x1b[B', b'\x1b[C', b'\x1b[6~')
BACK = (b'b', b'\x1b[A', b'\x1b[D', b'\x1b[5~')
STEPS = dict.fromkeys(FORWARD, 1) | dict.fromkeys(BACK, -1)


class Keyboard:
    """Reads the keys that have been pressed, without Enter and without waiting."""

    def steps(self) -> int:
        """Return by how many pages the keys since the last call turn; negative: back."""
        if not _has_terminal():
            return 0
        # A shell resets the terminal when it continues a stopped program.
        tty.setcbreak(STDIN, termios.TCSANOW)
        try:
            ready, _, _ = select.select([STDIN], [], [], 0.0)
            keys = os.read(STDIN, 1024) if ready else b''
        except OSError:  # the terminal has been closed
            return 0
        return sum(STEPS.get(key, 0) for key in KEY.findall(keys))


@contextmanager
def keyboard() -> Iterator[Keyboard | None]:
    """Yield the keyboard, and reset the terminal at the end; None without a terminal."""
    if not os.isatty(STDIN):
        yield None
        return
    before = termios.tcgetattr(STDIN)
    try:
        yield Keyboard()
    finally:
        if _has_terminal():
            termios.tcsetattr(STDIN, termios.TCSANOW, before)


def _has_terminal() -> bool:
    """Return whether this process may use the terminal; one in the background is stopped by it."""
    try:
        return os.tcgetpgrp(STDIN) == os.getpgrp()
    except OSError:  # not the controlling terminal, which alone has a foreground
        return os.isatty(STDIN)
