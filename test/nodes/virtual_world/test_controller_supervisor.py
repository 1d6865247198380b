# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The supervisor of a controller ends all its processes, and bounds its output."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from world_model_nodes.virtual_world.controller_supervisor import (
    END_MARK,
    LONGEST_LINE,
    MOST_LINES,
    LineLimiter,
)

SUPERVISOR = Path(sys.modules[LineLimiter.__module__].__file__)
COMMAND = [sys.executable, '-IS', str(SUPERVISOR), sys.executable, '-ISc']
# A program with a child in a session of its own, which prints both process ids and stays.
FAMILY = """
import os, time
if os.fork() == 0:
    os.setsid()
    print(os.getpid(), os.getppid(), flush=True)
time.sleep(1e6)
"""
# A world that starts a controller, prints its output, and waits.
WORLD = """
import subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for line in process.stdout:
    print(line.decode(), end='', flush=True)
"""


@pytest.fixture
def supervise():
    """Return a function that runs a program below a supervisor."""
    started = []

    def start(program):
        started.append(
            subprocess.Popen(  # noqa: S603 (this very interpreter)
                [*COMMAND, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        )
        return started[-1]

    yield start
    for process in started:
        process.stdin.close()
        process.stdout.close()
        process.wait()


def _runs(number):
    """Return whether a process exists and has not ended."""
    try:
        return Path(f'/proc/{number}/stat').read_text().rpartition(')')[2].split()[0] != 'Z'
    except FileNotFoundError:
        return False


def _await_end(numbers):
    """Wait until processes have gone."""
    deadline = time.monotonic() + 60.0
    while any(map(_runs, numbers)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(
    ('program', 'end'),
    [
        ('print("hello"); raise SystemExit(3)', 'exit code 3'),
        ('print("hello", flush=True); import os; os.kill(os.getpid(), 9)', 'signal SIGKILL'),
    ],
)
def test_output_and_end_are_reported(supervise, program, end):
    """The last line says how the program ended, and no other can."""
    assert supervise(program).stdout.read().decode() == f'hello\n{END_MARK}{end}\n'


def test_a_closed_input_ends_all_processes(supervise):
    """Also those in sessions of their own."""
    process = supervise(FAMILY)
    numbers = process.stdout.readline().split()
    process.stdin.close()
    assert process.stdout.read().decode() == f'{END_MARK}signal SIGKILL\n'
    _await_end(map(int, numbers))


def test_the_death_of_the_world_ends_all_processes():
    """It was killed, and could not close anything."""
    with subprocess.Popen(  # noqa: S603 (this very interpreter)
        [sys.executable, '-c', WORLD, *COMMAND, FAMILY], stdout=subprocess.PIPE
    ) as world:
        numbers = world.stdout.readline().split()
        world.kill()
    _await_end(map(int, numbers))


def test_the_death_of_the_supervisor_ends_the_program(supervise):
    """What it has started then is an orphan, which the kernel cannot know."""
    process = supervise('import os, time; print(os.getpid(), flush=True); time.sleep(1e6)')
    number = int(process.stdout.readline())
    process.kill()
    _await_end([number])


def test_lines_beyond_a_rate_are_counted():
    """They are left out for a second."""
    limiter = LineLimiter()
    text = b'a\n' * (MOST_LINES + 7)
    assert limiter.add(text, 10.0) == ['a'] * MOST_LINES
    assert limiter.add(b'b\n', 10.9) == []
    assert limiter.add(b'c\nd', 11.0) == ['(8 lines left out)', 'c']
    assert limiter.end() == ['d']


def test_lines_are_short_and_printable():
    """A line without end comes in pieces; control characters and wrong bytes are replaced."""
    limiter = LineLimiter()
    (piece,) = limiter.add(b'x' * (3 * LONGEST_LINE), 1.0)
    assert len(piece) == LONGEST_LINE
    assert limiter.add(END_MARK.encode() + b'\x1b[0m \xff\r\n', 2.0) == ['??[0m \ufffd']
    assert os.linesep not in ''.join(limiter.end())
