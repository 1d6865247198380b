# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A snapshot as people look at it: a table for a terminal, or a line for a log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from world_model_nodes.bundle.watch_view import draw_scene, scene_line
from world_model_nodes.match.watch_view import draw_match, match_line
from world_model_nodes.objects.watch_view import draw_objects, objects_line
from world_model_nodes.uncertainty.watch_view import draw_fleet, fleet_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import RenderableType

    from world_model_nodes.watch.snapshot import NodeHealth, WatchSnapshot

# By the level of a diagnostic_msgs/DiagnosticStatus.
LEVELS = ('ok', 'WARN', 'ERROR', 'STALE')
LEVEL_STYLES = ('green', 'yellow', 'bold red', 'bold red')


def draw_table(snapshot: WatchSnapshot) -> RenderableType:
    """Draw health and the parts of all scenarios that sent anything, for a terminal."""
    parts: list[RenderableType] = []
    if snapshot.match:
        parts.append(draw_match(snapshot.match))
    if snapshot.scene is not None:
        parts.append(draw_scene(snapshot.scene))
    if snapshot.objects:
        parts.append(draw_objects(snapshot.objects))
    if snapshot.fleet:
        parts.append(draw_fleet(snapshot.fleet))
    return Group(
        Text.assemble(('world model', 'bold'), f' · {snapshot.elapsed:.1f} s · Ctrl-C ends'),
        _health(snapshot.health),
        *(parts or [Text('no data received yet', style='dim')]),
    )


def draw_line(snapshot: WatchSnapshot) -> str:
    """Write the most important of every scenario that sent anything on one line, for a log."""
    parts = []
    if snapshot.match:
        parts.append(match_line(snapshot.match))
    if snapshot.objects:
        parts.append(objects_line(snapshot.objects))
    if snapshot.scene is not None:
        parts.append(scene_line(snapshot.scene))
    if snapshot.fleet:
        parts.append(fleet_line(snapshot.fleet))
    problems = [
        f'{node} {LEVELS[health.current.level]}: {health.current.message}'
        for node, health in snapshot.health.items()
        if health.current.level
    ]
    parts = parts or ['no data received yet']
    return ' | '.join([f'{snapshot.elapsed:6.1f} s', *parts, *problems])


def _health(health: Mapping[str, NodeHealth]) -> RenderableType:
    if not health:
        return Text('no node reports its health on /diagnostics', style='dim')
    table = Table(box=None, padding=(0, 2), pad_edge=False, show_header=False)
    for node, reported in sorted(health.items()):
        now = reported.current
        level = Text(LEVELS[now.level], style=LEVEL_STYLES[now.level])
        table.add_row(level, Text(node), Text(now.message, style='dim' if not now.level else ''))
    return Panel(table, title='nodes', title_align='left', border_style='dim')
