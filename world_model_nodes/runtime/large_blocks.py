# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Return of large blocks of memory to the operating system."""

from __future__ import annotations

import ctypes

# <malloc.h> of glibc.
_M_MMAP_THRESHOLD = -3
# The working memory of MuJoCo has about 24 MiB; pictures stay below this [bytes].
THRESHOLD = 4 * 2**20


def return_large_blocks(threshold: int = THRESHOLD) -> None:
    """
    Let the C library return each large block of memory as soon as it is freed.

    Otherwise glibc raises its threshold to the size of the largest block that was freed, up to
    32 MiB, and takes the next ones from the heap: a process that compiles a model with each spawn
    fragments its heap. Other C libraries are left as they are.

    Parameters
    ----------
    threshold : int
        Size of the smallest large block [bytes].

    """
    set_option = getattr(ctypes.CDLL(None), 'mallopt', None)
    if set_option is not None:
        set_option(_M_MMAP_THRESHOLD, threshold)
