# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Large blocks of memory are returned when they are freed."""

import ctypes
import subprocess
import sys

import pytest

SIZE = 16 * 2**20
# Of a block of memory after another one of its size was freed: whether it can still be read.
USE = f"""
import ctypes, sys
from world_model_nodes.runtime.large_blocks import return_large_blocks
c = ctypes.CDLL(None)
c.malloc.restype, c.malloc.argtypes, c.free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [
    ctypes.c_void_p]
if sys.argv[1] == 'return':
    return_large_blocks()
for _ in range(3):
    block = c.malloc({SIZE})
    ctypes.memset(block, 1, {SIZE})
    last = c.malloc(1000)
    resident = lambda: int(open('/proc/self/statm').read().split()[1]) * 4096
    before = resident()
    c.free(block)
    after = resident()
print(before - after)
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), 'mallopt'), reason='not the C library of GNU')
def test_a_large_block_is_returned_when_it_is_freed():
    """A block between others is returned; without this, the heap keeps it."""
    assert _returned('return') > 0.9 * SIZE
    assert _returned('keep') < 0.1 * SIZE


def _returned(mode):
    """Return how many bytes a process has less after the last block was freed."""
    run = subprocess.run(  # noqa: S603 (our own code)
        (sys.executable, '-c', USE, mode), capture_output=True, text=True, check=True
    )
    return int(run.stdout)
