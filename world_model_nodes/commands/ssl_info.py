# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model ssl info`: contents of a recording."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from world_model_core.match.ssl.recording import RecordingReader
from world_model_core.match.ssl.recording_summary import summarize
from world_model_core.time import to_seconds
from world_model_nodes.commands.progress import shown

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from world_model_core.match.ssl.recording_summary import RecordingSummary


def print_info(path: Path, *, as_json: bool) -> None:
    """
    Read a recording and print its contents as tables or JSON.

    Raises
    ------
    RecordingError
        The recording cannot be read.

    """
    reader = RecordingReader(path)
    summary = summarize(shown(reader))
    if as_json:
        document = {'path': str(path), 'truncated': reader.truncated, **asdict(summary)}
        sys.stdout.write(json.dumps(document) + '\n')
        return
    # Names from the file may look like markup.
    console = Console(soft_wrap=True, markup=False)
    console.print(_overview(path, summary, truncated=reader.truncated))
    console.print(_messages(summary))
    for title, values in (
        ('tracker', summary.trackers),
        ('not decodable', summary.undecodable),
        ('receive time minus own [s]', {k: f'{v:.6f}' for k, v in summary.clock_offsets.items()}),
    ):
        if values:
            console.print(_pairs(title, values))


def _overview(path: Path, summary: RecordingSummary, *, truncated: bool) -> Table:
    table = Table(title=path.name, title_justify='left', box=None, show_header=False)
    if summary.start_ns is not None:
        start = datetime.fromtimestamp(to_seconds(summary.start_ns), timezone.utc)
        table.add_row('start', f'{start:%Y-%m-%d %H:%M:%S} UTC')
    table.add_row('duration', f'{summary.duration:.2f} s')
    table.add_row('teams', ', '.join(f'{name} ({c})' for c, name in summary.teams.items()) or '-')
    table.add_row('cameras', ', '.join(map(str, summary.cameras)) or '-')
    table.add_row('end', 'truncated within a message' if truncated else 'complete')
    return table


def _messages(summary: RecordingSummary) -> Table:
    table = Table('message', title_justify='left')
    for title in ('count', 'per second', 'duplicates'):
        table.add_column(title, justify='right')
    for name, count in summary.counts.items():
        rate = summary.rates.get(name)
        duplicates = summary.duplicates.get(name, 0)
        table.add_row(name, f'{count}', '-' if rate is None else f'{rate:.1f}', f'{duplicates}')
    return table


def _pairs(title: str, values: Mapping[str, object]) -> Table:
    table = Table(title, '')
    for name, value in values.items():
        table.add_row(name, str(value))
    return table
