# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The end of this process after a time, whatever its threads do."""

from __future__ import annotations

import ctypes
import os
import time

from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds


class _Notification(ctypes.Structure):
    """`struct sigevent` of sigevent(3type), on Linux with 64 bits."""

    _fields_ = (
        ('value', ctypes.c_int64),
        ('signal', ctypes.c_int),
        ('kind', ctypes.c_int),
        ('function', ctypes.c_void_p),
        ('attributes', ctypes.c_void_p),
        ('padding', ctypes.c_byte * 32),
    )


class _Times(ctypes.Structure):
    """`struct itimerspec` of itimerspec(3type): interval and first expiry."""

    _fields_ = (
        ('interval', ctypes.c_long * 2),
        ('first', ctypes.c_long * 2),
    )


_SIGEV_THREAD = 2


def exit_after(seconds: float) -> None:
    """
    End this process with exit code 0 after a time, without cleaning up.

    A timer of the kernel makes a thread that calls `_exit(0)` of the C library. A thread of Python
    would not do: it waits for Python's lock, which a call of rclpy keeps while DDS ends, and that
    may wait for a process that has just been killed.

    Parameters
    ----------
    seconds : float
        Time to the end, above 0 [s].

    Raises
    ------
    OSError
        If the kernel has no timer left for this user.

    """
    library = ctypes.CDLL(None, use_errno=True)
    leave = ctypes.cast(library._exit, ctypes.c_void_p)  # noqa: SLF001 - its name in C
    notification = _Notification(value=0, kind=_SIGEV_THREAD, function=leave)
    whole, rest = divmod(to_nanoseconds(seconds), NANOSECONDS_PER_SECOND)
    times = _Times(first=(whole, rest))
    timer = ctypes.c_void_p()
    failed = library.timer_create(
        time.CLOCK_MONOTONIC, ctypes.byref(notification), ctypes.byref(timer)
    ) or library.timer_settime(timer, 0, ctypes.byref(times), None)
    if failed:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
