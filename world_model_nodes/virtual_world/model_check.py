# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Trial of models in another process, before they are put into a world.

MuJoCo may abort, crash or never end on a model that passes all checks of its file. Here that ends
a process that is there for nothing else; the next trial starts another one.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any, NoReturn

from world_model_core.virtual_world.finding_catalog import WorldFileError, world_findings
from world_model_nodes.runtime.child_python import environment

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from world_model_core.virtual_world.values import Entity

WORKER = 'world_model_nodes.virtual_world.model_worker'
# A world of 10,000 bodies needs less than 2 GB and 30 s.
MEMORY = 4 * 2**30  # [bytes]
TIMEOUT = 60.0  # [s]


class ModelTrialError(Exception):
    """The process of trials has died or did not answer; the message says how."""


class ModelChecker:
    """
    Tries models in another process, which starts at the first trial.

    Parameters
    ----------
    memory : int
        Largest memory of the process [bytes].
    timeout : float
        Longest duration of a trial [s].

    """

    def __init__(self, memory: int = MEMORY, timeout: float = TIMEOUT) -> None:
        self._memory, self._timeout = memory, timeout
        self._worker: _Worker | None = None

    def check(self, entities: Iterable[Entity]) -> None:
        """
        Try the models of entities, alone and together.

        Raises
        ------
        WorldFileError
            MuJoCo refuses one of them, or the trial has ended the process or lasts too long.

        """
        tried = [each for each in entities if each.model is not None]
        if not tried:
            return
        if self._worker is None:
            self._worker = _Worker(self._memory)
        try:
            reason = self._worker.ask(tried, self._timeout)
        except ModelTrialError as error:
            number = self._worker.number
            self.close()
            _raise('Model.TrialDied', tried[number].name, str(error))
        if reason:
            _raise('Model.NotCompiled', tried[self._worker.number].name, reason)

    def close(self) -> None:
        """End the process."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None


class _Worker:
    """
    The process of trials.

    Attributes
    ----------
    number : int
        Of the entity that is being tried, in the order of the request.

    """

    def __init__(self, memory: int) -> None:
        self.number = 0
        # MuJoCo writes a log into its working folder.
        self._folder = tempfile.TemporaryDirectory(prefix='world_model_')
        self._process = subprocess.Popen(  # noqa: S603 (our own module)
            [sys.executable, '-m', WORKER, str(memory)],
            env=environment(),
            cwd=self._folder.name,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Ctrl-C ends the node, which ends the worker.
            start_new_session=True,
        )
        self._unread = b''

    def ask(self, entities: Sequence[Entity], timeout: float) -> str:
        """Try entities; return why they cannot be used, or ''."""
        self.number = 0
        self._send(entities)
        end = time.monotonic() + timeout
        while True:
            answer = self._answer(end, timeout)
            if 'reason' in answer:
                return str(answer['reason'])
            self.number = int(answer['trying'])

    def close(self) -> None:
        """End the process, at once."""
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()

    def _send(self, entities: Sequence[Entity]) -> None:
        stream = self._process.stdin
        assert stream is not None  # noqa: S101 (it is a pipe)
        models = [each.model for each in entities if each.model is not None]
        try:
            stream.write(json.dumps(list(map(_values, entities))).encode() + b'\n')
            for model in models:
                for content in model.assets.values():
                    stream.write(content)
            stream.flush()
        except OSError as error:
            raise ModelTrialError(self._end()) from error

    def _answer(self, end: float, timeout: float) -> dict[str, Any]:
        """Read one line of the answer."""
        stream = self._process.stdout
        assert stream is not None  # noqa: S101 (it is a pipe)
        while b'\n' not in self._unread:
            remaining = end - time.monotonic()
            if remaining <= 0.0 or not select.select([stream], [], [], remaining)[0]:
                raise ModelTrialError(f'no answer within {timeout:.0f} s')
            read = os.read(stream.fileno(), 2**16)
            if not read:
                raise ModelTrialError(self._end())
            self._unread += read
        line, _, self._unread = self._unread.partition(b'\n')
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _end(self) -> str:
        """Return how the process has ended."""
        code = self._process.wait()
        return f'signal {signal.Signals(-code).name}' if code < 0 else f'exit code {code}'


def _values(entity: Entity) -> dict[str, Any]:
    """Return what the worker needs of an entity; the contents of assets follow."""
    model = entity.model
    assert model is not None  # noqa: S101 (for the type checker)
    return {
        'name': entity.name,
        'movable': entity.movable,
        'dynamics': entity.dynamics,
        'format': model.format.value,
        'text': model.text,
        'assets': {key: len(content) for key, content in model.assets.items()},
    }


def _raise(code: str, name: str, reason: str) -> NoReturn:
    findings = world_findings()
    findings.add(code, name, found=name, reason=reason)
    raise WorldFileError(findings.errors)
