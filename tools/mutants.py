# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Inserts single random faults into a room of the core and counts those that its tests catch.

The tests of the room run once without a fault, which shows what functions each test module calls.
Then each mutant, a copy of the project with one fault, is run against the test modules that call
the faulty function, the fastest first, until a test fails, a test runs for too long, or all pass.
The working tree is never changed.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from faults import Fault, list_faults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

PROJECT = Path(__file__).resolve().parents[1]
CORE, TESTS = 'world_model_core', 'test/core'
# Folders of a room, in the package and in its tests.
ROOMS = ('{}', 'simulation/{}', 'evaluation/{}')
LEFT_OUT = shutil.ignore_patterns('.*', '__pycache__', 'build', 'install', 'log')
# CPU time of a test module before an endless loop is assumed: so many times that without a fault,
# and a minimum [s]. A test that waits instead has so many times as long in real time.
PATIENCE, LEAST_TIME, WAITING = 5.0, 5.0, 10.0
MEMORY = 8 * 2**30  # a mutant may also fill the memory [bytes]
# Imported before the project, once for all mutants.
WARM = (
    'numpy',
    'scipy.optimize',
    'scipy.stats',
    'google.protobuf.message',
    'hypothesis',
    'pytest',
)
CAUGHT, PASSED = 'caught', 'passed'


@dataclass(frozen=True)
class TestModule:
    """A test module: its CPU time [s] and the (file, first line) of the functions it calls."""

    path: str
    seconds: float
    calls: frozenset[tuple[str, int]]


@dataclass(frozen=True)
class Mutant:
    """A fault in a file of the project."""

    path: str
    tree: ast.Module
    fault: Fault


class MutantRunner:
    """
    Runs the tests of a room on mutants in a copy of the project.

    Parameters
    ----------
    project, copy : Path
        The project, and an empty folder for its copy.
    room : str
        A room of the core: `match`, `objects` and so on.

    """

    def __init__(self, project: Path, copy: Path, room: str) -> None:
        shutil.copytree(project, copy, ignore=LEFT_OUT, dirs_exist_ok=True, symlinks=True)
        self._copy = copy
        folders = [each.format(room) for each in ROOMS]
        self._sources = sorted(_find(copy, [f'{CORE}/{each}' for each in folders], '*.py'))
        tests = sorted(_find(copy, [f'{TESTS}/{each}' for each in folders], 'test_*.py'))
        recorded = [self._record(path) for path in _with_progress(tests)]
        self._tests = [each for each in recorded if each]

    def draw(self, seed: int, count: int) -> list[Mutant]:
        """Draw mutants; each fault of the room is as likely as any other."""
        mutants = []
        for path in self._sources:
            tree = ast.parse((self._copy / path).read_text(encoding='utf-8'))
            mutants += [Mutant(path, tree, fault) for fault in list_faults(tree)]
        return random.Random(seed).sample(mutants, min(count, len(mutants)))  # noqa: S311

    def run(self, mutant: Mutant) -> tuple[str, str, str]:
        """Test a mutant; return the result and the faulty statement before and after."""
        before, after, text = mutant.fault.texts(mutant.tree)
        place = mutant.path, mutant.fault.scope
        chosen = [each for each in self._tests if place in each.calls]
        source = self._copy / mutant.path
        correct = source.read_text(encoding='utf-8')
        source.write_text(text, encoding='utf-8')
        try:
            result = _in_child(lambda _: self._catches(chosen))
        finally:
            source.write_text(correct, encoding='utf-8')
        return result or 'caught by the time limit', before, after

    def _record(self, path: str) -> TestModule | None:
        """Run a test module without a fault; one that fails even so is left out."""
        recorded = _in_child(lambda calls: self._traced(path, calls))
        if not recorded:
            print(f'{path} fails without a fault and is left out', file=sys.stderr)
            return None
        seconds, calls = json.loads(recorded)
        return TestModule(path, seconds, frozenset((name, line) for name, line in calls))

    def _traced(self, path: str, calls: set[tuple[str, int]]) -> str:
        prefix = f'{self._copy}/'

        def trace(frame: Any, event: str, argument: object) -> None:
            del event, argument
            code = frame.f_code
            if code.co_filename.startswith(prefix):
                calls.add((code.co_filename.removeprefix(prefix), max(code.co_firstlineno, 1)))

        sys.settrace(trace)
        passed = self._passes(path)
        sys.settrace(None)
        return json.dumps((time.process_time(), sorted(calls))) if passed else ''

    def _catches(self, chosen: Sequence[TestModule]) -> str:
        for module in sorted(chosen, key=lambda each: each.seconds):
            limit = max(LEAST_TIME, PATIENCE * module.seconds)
            signal.setitimer(signal.ITIMER_PROF, limit)
            signal.setitimer(signal.ITIMER_REAL, WAITING * limit)
            if not self._passes(module.path):
                return f'{CAUGHT} by {module.path}'
        return PASSED

    def _passes(self, path: str) -> bool:
        """Run a test module in this process."""
        import pytest  # noqa: PLC0415 (imported before)

        os.chdir(self._copy)
        return pytest.main(['-x', '-q', '-p', 'no:cacheprovider', path]) in {0, 5}


def _find(root: Path, folders: Sequence[str], pattern: str) -> Iterator[str]:
    for folder in folders:
        for path in (root / folder).rglob(pattern):
            yield path.relative_to(root).as_posix()


def _with_progress(paths: Sequence[str]) -> Iterator[str]:
    """Yield paths, and show them at a terminal."""
    for number, path in enumerate(paths, start=1):
        if sys.stderr.isatty():
            print(f'\r\x1b[K{number} of {len(paths)}: {path}', end='', file=sys.stderr, flush=True)
        yield path
    if sys.stderr.isatty():
        print('\r\x1b[K', end='', file=sys.stderr, flush=True)


def _in_child(work: Callable[[set[tuple[str, int]]], str]) -> str:
    """Do work in a forked process of its own; return its result, empty if it was ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        _work(work, writing)
    os.close(writing)
    with open(reading, encoding='utf-8') as pipe:  # noqa: PTH123 (a descriptor)
        result = pipe.read()
    os.waitpid(child, 0)
    return result


def _work(work: Callable[[set[tuple[str, int]]], str], writing: int) -> None:
    """Do work with limited memory and without output, send its result, and end the process."""
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        quiet = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(quiet, number)
        with open(writing, 'w', encoding='utf-8') as pipe:
            pipe.write(work(set()))
    finally:
        os._exit(0)


def main() -> None:
    """Test mutants of one room and list those that survive."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('room', help='a room of the core, such as match')
    parser.add_argument('--seed', type=int, default=1, help='seed of the faults (1)')
    parser.add_argument('--count', type=int, default=100, help='number of mutants (100)')
    parser.add_argument('--project', type=Path, default=PROJECT, help='the folder to copy')
    wanted = parser.parse_args()
    sys.dont_write_bytecode = True  # a mutant can have the size and time of the file
    os.environ.setdefault('WORLD_MODEL_DATA', str(wanted.project.parent / 'shared' / 'data'))
    os.environ['CI'] = '1'  # the same examples of hypothesis for each mutant
    os.environ.pop('PYTEST_ADDOPTS', None)  # colcon's: tests in other processes are not traced
    for name in WARM:
        with contextlib.suppress(ImportError):
            __import__(name)
    with tempfile.TemporaryDirectory() as folder:
        runner = MutantRunner(wanted.project, Path(folder), wanted.room)
        mutants = runner.draw(wanted.seed, wanted.count)
        survivors = 0
        for number, mutant in enumerate(mutants, start=1):
            result, before, after = runner.run(mutant)
            print(
                f'{number:4} {mutant.path}:{mutant.fault.statement.lineno}: {result}', flush=True
            )
            if result == PASSED:
                survivors += 1
                print(f'     - {before}\n     + {after}', flush=True)
    print(f'{len(mutants) - survivors} of {len(mutants)} mutants caught')


if __name__ == '__main__':
    main()
