# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Progress bars of long commands, shown in a terminal only."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from world_model_core.match.ssl.recording import Message, RecordingReader

# Messages between two updates of the bar.
STEP = 100


Item = TypeVar('Item')


def counted(items: Iterable[Item], total: int) -> Iterable[Item]:
    """Show a bar of how many of `total` items have been taken, in a terminal."""
    return _counted(items, total) if sys.stderr.isatty() else items


def _counted(items: Iterable[Item], total: int) -> Iterator[Item]:
    with _bar() as progress:
        task = progress.add_task('', total=total)
        for item in items:
            progress.advance(task)
            yield item


@contextmanager
def advancing() -> Iterator[Callable[[float, str], None]]:
    """Yield a function that shows the finished fraction, 0 to 1, and the name of the step."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    with _bar(TextColumn('{task.description}')) as progress:
        task = progress.add_task('', total=1.0)
        yield lambda part, name: progress.update(task, completed=part, description=name)


def shown(reader: RecordingReader) -> Iterable[Message]:
    """Show a bar of how much of a recording has been read, in a terminal."""
    return _shown(reader) if sys.stderr.isatty() else reader


def _shown(reader: RecordingReader) -> Iterator[Message]:
    with _bar() as progress:
        task = progress.add_task('', total=1.0)
        for number, message in enumerate(reader):
            if number % STEP == 0:
                progress.update(task, completed=reader.fraction)
            yield message


def _bar(*more: ProgressColumn) -> Progress:
    columns = (BarColumn(), TaskProgressColumn(), TimeRemainingColumn(), *more)
    return Progress(*columns, console=Console(stderr=True), transient=True)
