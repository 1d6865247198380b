# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
A process between a world and one controller: it ends the controller with all its children.

It runs with the standard library alone, as `python -IS controller_supervisor.py COMMAND...`. While
its standard input is open, the controller runs; the world closes it, or dies. Processes that the
controller has left behind become children of this one (PR_SET_CHILD_SUBREAPER), also those in
sessions of their own. The controller's output is passed on line by line, with a bounded rate. The
last line of the output says how the controller ended.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # <linux/prctl.h>
# Output that is passed on: lines in a second, and bytes of a line.
MOST_LINES = 50
LONGEST_LINE = 2000
READ_BYTES = 2**16
# The first of the processes that the kernel ends when memory is short.
FIRST_VICTIM = '1000'
# First byte of the last line; a controller cannot write it at the start of a line.
END_MARK = '\x04'


class LineLimiter:
    """
    Splits output into lines, of which some are left out.

    All times are passed in [s].
    """

    def __init__(self) -> None:
        self._rest = b''
        self._second, self._count, self._left_out = 0.0, 0, 0

    def add(self, data: bytes, now: float) -> list[str]:
        """Return the lines that are now complete and passed on."""
        *lines, self._rest = (self._rest + data).split(b'\n')
        if len(self._rest) > LONGEST_LINE:
            lines.append(self._rest)
            self._rest = b''
        return self._pass_on(lines, now)

    def end(self) -> list[str]:
        """Return what is left."""
        lines = [self._rest] if self._rest else []
        self._rest = b''
        return [*self._summary(), *map(_printable, lines)]

    def _pass_on(self, lines: list[bytes], now: float) -> list[str]:
        """Leave out lines beyond the rate, and say how many."""
        passed = []
        if now - self._second >= 1.0:
            passed = self._summary()
            self._second, self._count = now, 0
        some = lines[: max(0, MOST_LINES - self._count)]
        self._count += len(some)
        self._left_out += len(lines) - len(some)
        return passed + [_printable(line) for line in some]

    def _summary(self) -> list[str]:
        count, self._left_out = self._left_out, 0
        return [f'({count} lines left out)'] if count else []


def supervise(words: list[str]) -> str:
    """Run a program until it ends or the input does, then end all that it has started."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    output, sink = os.pipe()
    child = os.fork()
    if child == 0:
        _become(words, sink)
    os.close(sink)
    limiter = LineLimiter()
    # The world may have died, so that nobody reads.
    with suppress(BrokenPipeError):
        _relay(child, output, limiter)
    return _end_all(child)


def _become(words: list[str], sink: int) -> None:
    """Replace this child by the program."""
    # Should this supervisor be killed, the controller ends, too.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() == 1:
        os._exit(1)
    with suppress(OSError):
        Path('/proc/self/oom_score_adj').write_text(FIRST_VICTIM)
    os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
    for stream in (sys.stdout, sys.stderr):
        os.dup2(sink, stream.fileno())
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execv(words[0], words)  # noqa: S606 (the world has chosen the program)
    except OSError as error:
        os.write(sys.stderr.fileno(), f'{words[0]}: {error}\n'.encode())
        os._exit(127)


def _relay(child: int, output: int, limiter: LineLimiter) -> None:
    """Pass the output on until the program ends or the input does."""
    waiting = select.poll()
    ended = os.pidfd_open(child)
    for file in (sys.stdin.fileno(), ended, output):
        waiting.register(file, select.POLLIN)
    ready: set[int] = set()
    while not ready & {sys.stdin.fileno(), ended}:
        ready = {file for file, _ in waiting.poll()}
        # What was written before the end fits into one read: the size of a pipe.
        if output in ready:
            data = os.read(output, READ_BYTES)
            _write(limiter.add(data, time.monotonic()))
            if not data:
                waiting.unregister(output)
    _write(limiter.end())


def _write(lines: list[str]) -> None:
    sys.stdout.writelines(f'{line}\n' for line in lines)
    sys.stdout.flush()


def _end_all(child: int) -> str:
    """Kill all processes that are left, and return how the program ended."""
    how = ''
    while True:
        for number in _children():
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        try:
            number, status = os.wait()
        except ChildProcessError:
            return how
        if number == child:
            how = _describe(status)


def _children() -> list[int]:
    """Return the processes whose parent is this one."""
    # Listed by thread; this process has one.
    return [int(word) for word in Path('/proc/thread-self/children').read_text().split()]


def _describe(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f'exit code {code}' if code >= 0 else f'signal {signal.Signals(-code).name}'


def _printable(line: bytes) -> str:
    """Return a line as text without control characters."""
    text = line[:LONGEST_LINE].decode(errors='replace').rstrip()
    return ''.join(letter if letter.isprintable() else '?' for letter in text)


def main() -> None:
    """Run the program of the command line."""
    sys.stdout.reconfigure(encoding='utf-8')  # type: ignore[union-attr]
    how = supervise(sys.argv[1:])
    with suppress(BrokenPipeError):
        _write([f'{END_MARK}{how}'])


if __name__ == '__main__':
    main()
